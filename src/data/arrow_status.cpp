// The sentence in front says what we wanted of Arrow; its own message follows.
#include "src/data/arrow_status.hpp"

#include <new>

#include <fmt/format.h>

namespace millrace::data {

void throw_arrow_failure(DataErrorCode code, const std::string& path, const arrow::Status& status) {
  if (status.IsOutOfMemory()) throw std::bad_alloc();  // as everywhere else; it is not the file's fault
  const std::string_view failed =
      code == DataErrorCode::unwritable_file ? "The file cannot be written" : "The file cannot be read";
  const std::string detail = status.detail() == nullptr ? "" : " (" + status.detail()->ToString() + ")";
  throw DataError(code,
                  fmt::format("{name}: {failed}: {reason}{detail}", fmt::arg("name", path), fmt::arg("failed", failed),
                              fmt::arg("reason", status.message()), fmt::arg("detail", detail)));
}

}  // namespace millrace::data
