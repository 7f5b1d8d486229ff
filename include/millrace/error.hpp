// What millrace throws. Messages are full sentences; code() is one enumerator for each distinct mistake.
//
// A call that throws leaves the caller's objects as they were, unless it says otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace [[gnu::visibility("default")]] millrace {

enum class ErrorCode : std::uint16_t {
  // GraphError: the graph as declared, or a wrong use of what was made from it.
  missing_producer,         // an operation reads a name that nothing before it defines
  name_in_use,              // an input or result whose name is taken
  name_empty,               // a value without a name
  duplicate_output,         // an output selected twice
  unknown_output,           // an output that no operation defines
  input_as_output,          // an input selected as output
  not_owned,                // Results::take of what is not (or no longer) the library's to give away
  no_such_result,           // a name that is none of the selected outputs
  already_encoded,          // a prepared execution encoded twice, or after a failed attempt
  scalar_type_unsupported,  // a scalar whose lanes share words
  invalid_shape,            // a shape constraint that contradicts itself

  // ExpressionError: the text of a formula.
  syntax_error,               // the text does not parse
  mixed_signedness,           // i32 with u32
  type_mismatch,              // operand types that an operator or function does not take
  width_mismatch,             // lanes that do not fit: not equal, and none of them 1
  unknown_function,           // a name before "(" that is no function
  unknown_member,             // a function of two values without ".name" of one of them, as in frexp(x).exp
  wrong_argument_count,       // a call with too few or too many arguments
  literal_out_of_range,       // a literal that its type does not hold
  parentheses_required,       // operators that WGSL does not mix without parentheses
  constant_division_by_zero,  // x / 0 or x % 0 with a literal 0
  constant_shift_too_wide,    // a shift by a literal of 32 or more
  constant_overflow,          // arithmetic on literals that no type holds
  lane_out_of_range,          // a literal lane index or swizzle past the width
  integer_division_refused,   // an integer / integer where the caller wants none
  row_without_vector,         // `row` or `rows` in a formula that reads no vector
  format_mismatch,            // a result format that the formula's type cannot be stored in
  expression_too_long,        // over 100,000 characters
  expression_too_deep,        // over 1,000 nested parentheses

  // BindingError: what a run, an upload or a read is given.
  missing_binding,          // an input without a binding
  unknown_binding,          // a binding for no input of the graph
  duplicate_binding,        // one name bound twice
  binding_kind_mismatch,    // a vector for a scalar, or the other way
  binding_format_mismatch,  // a vector of another format than declared
  lane_count_mismatch,      // a scalar of another lane count than declared
  row_count_mismatch,       // element-wise operands of unequal row counts
  row_type_mismatch,        // host rows whose size or lane type is not the format's
  row_count_limit,          // more than 2^32-1 rows
  shape_mismatch,           // rows or chunks other than the declared shape
  row_range,                // rows outside of the vector
  number_out_of_range,      // a number that the scalar's format does not hold
  partial_row,              // lanes that do not fill whole rows
  destroyed,                // a view of a destroyed vector, a destroyed execution or graph
  foreign_device,           // an object of another device
  unsupported_format,       // a format that does not fill whole words per row, or an unknown name
  not_one_row,              // read_scalar of a vector that has not one row
  misaligned_layout,        // an offset or stride that is no multiple of 4, or a stride below the row
  buffer_range,             // a layout that reaches past the end of its buffer
  missing_usage,            // a borrowed buffer without the usage that is needed
  nothing_to_join,          // a join of no views at all, which would have no format
  self_append,              // a vector appended to itself
  rows_not_ready,           // rows taken from a read that has not ended
  rows_taken,               // rows taken from one read twice
  null_handle,              // a null pointer where an object of the application's is wanted
  wrong_thread,             // a borrowed device that is not thread-safe, used from another thread

  // KernelError
  wgsl_error,  // WGSL that the provider refuses

  // DeviceError
  no_provider,         // no WebGPU library was found, or it lacks a function
  no_adapter,          // no adapter fits the options
  invalid_limit,       // a cap in DeviceLimits that no device can have
  unsupported_device,  // a device whose limits or functions are not enough for any graph
  over_device_limit,   // a thing larger than the device allows
  too_many_scalars,    // more scalars than one uniform binding holds
  out_of_memory,
  device_lost,
  deadline_exceeded,
  provider_error,  // an error of the provider that none of our checks foresaw

  // InternalError
  internal,  // a bug of ours
};

// The enumerator's name.
[[nodiscard]] std::string_view to_string(ErrorCode code);

class Error : public std::runtime_error {
 public:
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }
  // The name at fault: a value, an operation, a binding. Empty where nothing has a name.
  [[nodiscard]] const std::string& subject() const noexcept { return subject_; }

 protected:
  Error(ErrorCode code, std::string subject, const std::string& message);

 private:
  ErrorCode code_;
  std::string subject_;
};

class GraphError : public Error {
 public:
  GraphError(ErrorCode code, std::string subject, const std::string& message);
};

// A fault in a formula. The message ends with the formula and a caret, on lines of their own.
class ExpressionError : public Error {
 public:
  // column: 1-based, of the fault in text; in characters (Unicode code points), not bytes.
  ExpressionError(ErrorCode code, std::string subject, const std::string& message, std::string text,
                  std::size_t column);
  [[nodiscard]] const std::string& text() const noexcept { return text_; }  // the formula, whole
  [[nodiscard]] std::size_t column() const noexcept { return column_; }

 private:
  std::string text_;
  std::size_t column_;
};

class BindingError : public Error {
 public:
  BindingError(ErrorCode code, std::string subject, const std::string& message);
};

class KernelError : public Error {
 public:
  KernelError(ErrorCode code, std::string subject, const std::string& message, std::string file, std::size_t line,
              std::size_t column);
  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  [[nodiscard]] std::size_t line() const noexcept { return line_; }      // 1-based, 0 where there is none
  [[nodiscard]] std::size_t column() const noexcept { return column_; }  // 1-based, 0 where there is none

 private:
  std::string file_;
  std::size_t line_;
  std::size_t column_;
};

class DeviceError : public Error {
 public:
  DeviceError(ErrorCode code, std::string subject, const std::string& message);
};

// A bug of ours: please report it with its message.
class InternalError : public Error {
 public:
  explicit InternalError(const std::string& message);
};

}  // namespace millrace
