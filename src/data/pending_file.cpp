// The temporary name begins with a dot and ends with the process id, so that two runs never share one.
#include "src/data/pending_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "src/data/data_error.hpp"

namespace millrace::data {

namespace {

namespace fs = std::filesystem;

constexpr unsigned kReadableByAll = 0666;  // less the process's umask

[[noreturn]] void throw_unwritable(const fs::path& path, const std::error_code& failure) {
  throw DataError(DataErrorCode::unwritable_file,
                  fmt::format("{name}: The file cannot be written: {reason}.", fmt::arg("name", path.string()),
                              fmt::arg("reason", failure.message())));
}

// Where a link leads, so that the link stays and its file is replaced.
fs::path resolve(const fs::path& path) {
  std::error_code failure;
  const fs::path resolved = fs::canonical(path, failure);
  return failure ? path : resolved;
}

}  // namespace

PendingFile::PendingFile(const fs::path& destination) : destination_(resolve(destination)) {
  std::error_code failure;
  const fs::file_status status = fs::status(destination_, failure);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw DataError(
        DataErrorCode::not_a_file,
        fmt::format("{name}: The output is {kind}; give the name of a file.", fmt::arg("name", destination.string()),
                    fmt::arg("kind", fs::is_directory(status) ? "a folder" : "no regular file")));
  }
  temporary_path_ = destination_;
  temporary_path_.replace_filename(fmt::format(
      ".{name}.{process}.part", fmt::arg("name", destination_.filename().string()), fmt::arg("process", ::getpid())));
  const int file = ::open(temporary_path_.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, kReadableByAll);
  if (file < 0) throw_unwritable(destination, {errno, std::generic_category()});
  ::close(file);
}

PendingFile::~PendingFile() {
  std::error_code ignored;
  if (!committed_) fs::remove(temporary_path_, ignored);
}

void PendingFile::commit() {
  std::error_code failure;
  fs::rename(temporary_path_, destination_, failure);
  if (failure) throw_unwritable(destination_, failure);
  committed_ = true;
}

}  // namespace millrace::data
