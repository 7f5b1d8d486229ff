// What people who come from other languages - C, GLSL, HLSL, NumPy, SQL, spreadsheets - write, and how it is written here.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace millrace::expression {

// How a message goes on after `There is no function "NAME"`: `; write log2(x) * 0.30103.` for a name of another language,
// `; write pi, which takes no arguments.` for a constant, `; did you mean "length"?` where one of ours is near, else the
// names that there are.
[[nodiscard]] std::string unknown_function_advice(std::string_view name);

// `; write atan2(y, x)` where another language takes that many arguments, else empty.
[[nodiscard]] std::string foreign_arguments_advice(std::string_view name, std::size_t count);

// `; write &&` for an operator of another language, else empty.
[[nodiscard]] std::string foreign_operator_advice(std::string_view symbol);

// The constant that a name of another language means: `pi` for PI, `inf` for Infinity.
[[nodiscard]] std::optional<std::string_view> find_foreign_constant(std::string_view name);

// `frexp(x).fract or frexp(x).exp`: the members of a function that gives several values, after the text of its call.
[[nodiscard]] std::string member_advice(std::string_view function, std::string_view call);

}  // namespace millrace::expression
