// Host numbers as the words of a scalar.
#pragma once

#include <cstdint>
#include <string>

#include <millrace/bindings.hpp>
#include <millrace/format.hpp>

namespace millrace::graph {

// One lane. An integer goes where it is exact, a floating-point number only to f32, rounded to nearest; BindingError
// `number_out_of_range` names the input, the number and what the format holds.
[[nodiscard]] std::uint32_t scalar_word(const Number& number, Format format, const std::string& input);

}  // namespace millrace::graph
