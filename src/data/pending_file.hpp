// A file that appears under its name only when it is whole: written beside it under a temporary name, then renamed.
#pragma once

#include <filesystem>

namespace millrace::data {

class PendingFile {
 public:
  // Creates the temporary file, empty, in the destination's folder. DataError `not_a_file` where the destination is a
  // folder or a device, `unwritable_file` where nothing can be created there.
  explicit PendingFile(const std::filesystem::path& destination);
  // Removes the temporary file, unless it was committed.
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  [[nodiscard]] const std::filesystem::path& temporary_path() const { return temporary_path_; }
  // Gives the file its name, in place of what had it before. DataError `unwritable_file`.
  void commit();

 private:
  std::filesystem::path destination_;
  std::filesystem::path temporary_path_;
  bool committed_ = false;
};

}  // namespace millrace::data
