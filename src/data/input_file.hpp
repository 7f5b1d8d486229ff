// What is read: a file, or standard input, which is "-".
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

namespace millrace::data {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OwnedFile = std::unique_ptr<std::FILE, CloseFile>;

struct InputFile {
  // A file by its path, which is also its name.
  InputFile(std::filesystem::path file) : path(std::move(file)), name(path.string()) {}  // NOLINT: it is one
  InputFile(const std::string& file) : InputFile(std::filesystem::path(file)) {}         // NOLINT: it is one

  // Reads from where the file begins, or from where standard input is. DataError `unreadable_file`.
  [[nodiscard]] OwnedFile open() const;

  std::filesystem::path path;
  std::string name;            // for messages
  std::string beginning = {};  // of standard input: bytes that were read of it already
};

// Standard input with its first bytes read, so that they tell what it is.
[[nodiscard]] InputFile standard_input();

// A copy of all of an input, for formats that are not read from begin to end. No folder has it, so that nothing of it is
// left however the process ends.
class TemporaryCopy {
 public:
  // DataError `unreadable_file`.
  explicit TemporaryCopy(const InputFile& input);

  // With the name of what it is a copy of; may be opened as long as this lives.
  [[nodiscard]] const InputFile& file() const { return file_; }

 private:
  OwnedFile copy_;
  InputFile file_;
};

}  // namespace millrace::data
