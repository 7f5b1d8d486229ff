// What is wrong with a file of columns: that it cannot be read or written, or that it holds what a formula cannot use.
//
// Messages are full sentences; they begin with the file, and with the line where there is one ("flights.csv:7: ...").
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace millrace::data {

enum class DataErrorCode : std::uint8_t {
  unknown_ending,      // a file name whose ending is none of the formats'
  unreadable_file,     // a file that is not there, or may not be read
  not_a_file,          // a folder or a device where a file is expected
  damaged_file,        // bytes that are not what the file's ending says
  no_columns,          // an empty file
  has_own_names,       // names given for the columns of a file that has names of its own
  no_rows,             // column names and nothing more
  ragged_row,          // a row with more or fewer fields than the header
  open_quote,          // a quoted field that never ends
  text_after_quote,    // characters between a closing quote and the next comma
  row_too_long,        // a row that is beyond any sensible length
  duplicate_column,    // a column that a formula reads and whose name stands twice in the header
  text_column,         // a column of text that a formula reads
  unsupported_column,  // a column of another type that no formula can read
  type_changed,        // a field that is not of the type which the first rows gave its column
  value_out_of_range,  // a value that its 32-bit type does not hold
  other_schema,        // files of one table whose columns differ
  no_match,            // a pattern that no file's name matches
  missing_value,       // a row without a value where one is needed
  unwritable_file,     // an output that cannot be created, written or renamed
};

class DataError : public std::runtime_error {
 public:
  DataError(DataErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] DataErrorCode code() const noexcept { return code_; }

 private:
  DataErrorCode code_;
};

}  // namespace millrace::data
