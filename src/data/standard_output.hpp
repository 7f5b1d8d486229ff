// Standard output as a stream for writers. Arrow's own stream of a file asks for its position, which a pipe does not know.
#pragma once

#include <memory>

#include <arrow/io/type_fwd.h>

namespace millrace::data {

// Closing it leaves standard output open.
[[nodiscard]] std::shared_ptr<arrow::io::OutputStream> standard_output();

}  // namespace millrace::data
