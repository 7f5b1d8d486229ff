// The error classes of error.hpp and the names of their codes.
#include <utility>

#include <millrace/error.hpp>

namespace millrace {

std::string_view to_string(ErrorCode code) {
  switch (code) {
#define MILLRACE_NAME(name) \
  case ErrorCode::name:     \
    return #name
    MILLRACE_NAME(missing_producer);
    MILLRACE_NAME(name_in_use);
    MILLRACE_NAME(name_empty);
    MILLRACE_NAME(duplicate_output);
    MILLRACE_NAME(unknown_output);
    MILLRACE_NAME(input_as_output);
    MILLRACE_NAME(not_owned);
    MILLRACE_NAME(no_such_result);
    MILLRACE_NAME(already_encoded);
    MILLRACE_NAME(scalar_type_unsupported);
    MILLRACE_NAME(invalid_shape);
    MILLRACE_NAME(syntax_error);
    MILLRACE_NAME(mixed_signedness);
    MILLRACE_NAME(type_mismatch);
    MILLRACE_NAME(width_mismatch);
    MILLRACE_NAME(unknown_function);
    MILLRACE_NAME(unknown_member);
    MILLRACE_NAME(wrong_argument_count);
    MILLRACE_NAME(literal_out_of_range);
    MILLRACE_NAME(parentheses_required);
    MILLRACE_NAME(constant_division_by_zero);
    MILLRACE_NAME(constant_shift_too_wide);
    MILLRACE_NAME(constant_overflow);
    MILLRACE_NAME(lane_out_of_range);
    MILLRACE_NAME(integer_division_refused);
    MILLRACE_NAME(row_without_vector);
    MILLRACE_NAME(format_mismatch);
    MILLRACE_NAME(expression_too_long);
    MILLRACE_NAME(expression_too_deep);
    MILLRACE_NAME(missing_binding);
    MILLRACE_NAME(unknown_binding);
    MILLRACE_NAME(duplicate_binding);
    MILLRACE_NAME(binding_kind_mismatch);
    MILLRACE_NAME(binding_format_mismatch);
    MILLRACE_NAME(lane_count_mismatch);
    MILLRACE_NAME(row_count_mismatch);
    MILLRACE_NAME(row_type_mismatch);
    MILLRACE_NAME(row_count_limit);
    MILLRACE_NAME(shape_mismatch);
    MILLRACE_NAME(row_range);
    MILLRACE_NAME(number_out_of_range);
    MILLRACE_NAME(partial_row);
    MILLRACE_NAME(destroyed);
    MILLRACE_NAME(foreign_device);
    MILLRACE_NAME(unsupported_format);
    MILLRACE_NAME(not_one_row);
    MILLRACE_NAME(misaligned_layout);
    MILLRACE_NAME(buffer_range);
    MILLRACE_NAME(missing_usage);
    MILLRACE_NAME(nothing_to_join);
    MILLRACE_NAME(self_append);
    MILLRACE_NAME(rows_not_ready);
    MILLRACE_NAME(rows_taken);
    MILLRACE_NAME(null_handle);
    MILLRACE_NAME(wrong_thread);
    MILLRACE_NAME(wgsl_error);
    MILLRACE_NAME(no_provider);
    MILLRACE_NAME(no_adapter);
    MILLRACE_NAME(invalid_limit);
    MILLRACE_NAME(unsupported_device);
    MILLRACE_NAME(over_device_limit);
    MILLRACE_NAME(too_many_scalars);
    MILLRACE_NAME(out_of_memory);
    MILLRACE_NAME(device_lost);
    MILLRACE_NAME(deadline_exceeded);
    MILLRACE_NAME(provider_error);
    MILLRACE_NAME(internal);
#undef MILLRACE_NAME
  }
  return "unknown";
}

Error::Error(ErrorCode code, std::string subject, const std::string& message)
    : std::runtime_error(message), code_(code), subject_(std::move(subject)) {}

GraphError::GraphError(ErrorCode code, std::string subject, const std::string& message)
    : Error(code, std::move(subject), message) {}

ExpressionError::ExpressionError(ErrorCode code, std::string subject, const std::string& message, std::string text,
                                 std::size_t column)
    : Error(code, std::move(subject), message), text_(std::move(text)), column_(column) {}

BindingError::BindingError(ErrorCode code, std::string subject, const std::string& message)
    : Error(code, std::move(subject), message) {}

KernelError::KernelError(ErrorCode code, std::string subject, const std::string& message, std::string file,
                         std::size_t line, std::size_t column)
    : Error(code, std::move(subject), message), file_(std::move(file)), line_(line), column_(column) {}

DeviceError::DeviceError(ErrorCode code, std::string subject, const std::string& message)
    : Error(code, std::move(subject), message) {}

InternalError::InternalError(const std::string& message) : Error(ErrorCode::internal, {}, message) {}

}  // namespace millrace
