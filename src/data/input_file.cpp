// The bytes that were read to look at them are handed on with the input, since a pipe does not give them twice.
#include "src/data/input_file.hpp"

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

[[noreturn]] void throw_uncopied(const std::string& name, int error) {
  throw DataError(DataErrorCode::unreadable_file,
                  fmt::format("{name}: The temporary copy that this format needs cannot be written: {reason}.",
                              fmt::arg("name", name), fmt::arg("reason", std::generic_category().message(error))));
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

TemporaryCopy::TemporaryCopy(const InputFile& input)
    : copy_(std::tmpfile()), file_(std::filesystem::path("/proc/self/fd")) {
  if (copy_ == nullptr) throw_uncopied(input.name, errno);
  file_.path /= std::to_string(::fileno(copy_.get()));
  file_.name = input.name;
  const OwnedFile original = input.open();
  bool is_written =
      std::fwrite(input.beginning.data(), 1, input.beginning.size(), copy_.get()) == input.beginning.size();
  std::vector<char> block(kBlockByteSize);
  while (is_written) {
    const std::size_t count = std::fread(block.data(), 1, block.size(), original.get());
    if (count == 0) break;
    is_written = std::fwrite(block.data(), 1, count, copy_.get()) == count;
  }
  if (std::ferror(original.get()) != 0) throw_unreadable(input.name, errno);
  if (!is_written || std::fflush(copy_.get()) != 0) throw_uncopied(input.name, errno);
}

}  // namespace millrace::data
