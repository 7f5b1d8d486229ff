// The bytes that were read to look at them are handed on with the input, since a pipe does not give them twice.
#include "src/data/input_file.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "src/data/data_error.hpp"

namespace millrace::data {

namespace {

constexpr const char* kStandardInput = "-";
constexpr std::size_t kMagicByteSize = 8;  // the longest that any format begins with
constexpr std::size_t kBlockByteSize = std::size_t{1} << 20;

[[noreturn]] void throw_unreadable(const std::string& name, int error) {
  throw DataError(DataErrorCode::unreadable_file,
                  fmt::format("The file \"{name}\" cannot be read: {reason}.", fmt::arg("name", name),
                              fmt::arg("reason", std::generic_category().message(error))));
}

[[noreturn]] void throw_uncopied(const std::string& name, const std::string& path, int error) {
  throw DataError(DataErrorCode::unreadable_file,
                  fmt::format("{name}: The copy \"{path}\" that this format needs cannot be written: {reason}.",
                              fmt::arg("name", name), fmt::arg("path", path),
                              fmt::arg("reason", std::generic_category().message(error))));
}

}  // namespace

OwnedFile InputFile::open() const {
  OwnedFile file(path == kStandardInput ? ::fdopen(::dup(STDIN_FILENO), "rb") : std::fopen(path.c_str(), "rb"));
  if (file == nullptr) throw_unreadable(name, errno);
  return file;
}

InputFile standard_input() {
  InputFile input((std::filesystem::path(kStandardInput)));
  input.name = "standard input";
  std::string bytes(kMagicByteSize, '\0');
  std::size_t count = 0;
  while (count < bytes.size()) {
    const ssize_t more = ::read(STDIN_FILENO, bytes.data() + count, bytes.size() - count);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) throw_unreadable(input.name, errno);
    if (more == 0) break;
    count += static_cast<std::size_t>(more);
  }
  bytes.resize(count);
  input.beginning = std::move(bytes);
  return input;
}

TemporaryCopy::TemporaryCopy(const InputFile& input) : file_(std::filesystem::temp_directory_path()) {
  std::string path = (file_.path / "millrace-XXXXXX").string();
  const int descriptor = ::mkstemp(path.data());
  if (descriptor < 0) throw_uncopied(input.name, path, errno);
  const OwnedFile copy(::fdopen(descriptor, "wb"));
  file_ = InputFile(path);
  file_.name = input.name;
  const OwnedFile original = input.open();
  bool is_written =
      std::fwrite(input.beginning.data(), 1, input.beginning.size(), copy.get()) == input.beginning.size();
  std::vector<char> block(kBlockByteSize);
  while (is_written) {
    const std::size_t count = std::fread(block.data(), 1, block.size(), original.get());
    if (count == 0) break;
    is_written = std::fwrite(block.data(), 1, count, copy.get()) == count;
  }
  const bool is_read = std::ferror(original.get()) == 0;
  const bool is_whole = is_written && std::fflush(copy.get()) == 0;
  const int error = errno;
  if (is_read && is_whole) return;
  ::unlink(path.c_str());
  if (!is_read) throw_unreadable(input.name, error);
  throw_uncopied(input.name, path, error);
}

TemporaryCopy::~TemporaryCopy() { ::unlink(file_.path.c_str()); }

}  // namespace millrace::data
