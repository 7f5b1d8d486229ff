// WGSL that takes stored words apart into lanes, and puts lanes together into words.
//
// Only core builtins and integer arithmetic are used: providers differ in which packing builtins they have and how
// those round. Conversions, for every format:
// - integers: a value that the lane does not hold is written as the nearest that it does;
// - normalized: clamped to [0, 1] or [-1, 1], then to the nearest step, ties to the even one; NaN is written as 0. Read
//   as the quotient by the largest step (the smallest signed one reads as -1, too), with the accuracy of WGSL's division;
// - float16: to the nearest, ties to even, subnormals and infinities included; what is past the largest is infinity; NaN
//   stays NaN. Read exactly.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include <millrace/format.hpp>

#include "src/expression/wgsl_library.hpp"

namespace millrace::expression {

// The functions of the WGSL library that the texts call; what is called is added to `library`.
[[nodiscard]] std::span<const LibraryFunction> format_library();

// "u32" or "vec3<u32>": the type of a row's words.
[[nodiscard]] std::string words_type(Format format);

// An expression for the row as read_type(format). words: the name of a value of words_type(format).
[[nodiscard]] std::string read_text(Format format, std::string_view words, std::set<std::string_view>& library);

// An expression for the row's words. value: the name of a value of read_type(format); where fields_text is not empty,
// the name of a `let` that holds it.
[[nodiscard]] std::string words_text(Format format, std::string_view value, std::set<std::string_view>& library);

// What must stand in a `let` of its own before words_text, because that uses it several times: each lane as the u32
// that the words hold. Empty where words_text takes the value itself.
[[nodiscard]] std::string fields_text(Format format, std::string_view value);

}  // namespace millrace::expression
