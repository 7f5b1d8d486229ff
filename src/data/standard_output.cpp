// Bytes are counted as they are written. Writers hand over large blocks, so there is no buffer.
#include "src/data/standard_output.hpp"

#include <unistd.h>

#include <cerrno>

#include <arrow/io/interfaces.h>
#include <arrow/status.h>
#include <arrow/util/io_util.h>

namespace millrace::data {

namespace {

class StandardOutput final : public arrow::io::OutputStream {
 public:
  using arrow::io::OutputStream::Write;

  arrow::Status Write(const void* data, std::int64_t byte_size) override {
    const auto* bytes = static_cast<const char*>(data);
    while (byte_size > 0) {
      const ssize_t count = ::write(STDOUT_FILENO, bytes, static_cast<std::size_t>(byte_size));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return arrow::internal::IOErrorFromErrno(errno, "Error writing bytes to file");
      bytes += count;
      byte_size -= count;
      position_ += count;
    }
    return arrow::Status::OK();
  }
  arrow::Status Flush() override { return arrow::Status::OK(); }
  arrow::Status Close() override {
    is_closed_ = true;
    return arrow::Status::OK();
  }
  [[nodiscard]] bool closed() const override { return is_closed_; }
  [[nodiscard]] arrow::Result<std::int64_t> Tell() const override { return position_; }

 private:
  std::int64_t position_ = 0;
  bool is_closed_ = false;
};

}  // namespace

std::shared_ptr<arrow::io::OutputStream> standard_output() { return std::make_shared<StandardOutput>(); }

}  // namespace millrace::data
