// Tables as CSV. A float32 is written with the fewest digits that read back as the same float32.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "src/data/table_writer.hpp"

namespace millrace::data {

[[nodiscard]] std::unique_ptr<TableWriter> create_csv(const std::filesystem::path& path,
                                                      const std::string& path_for_messages);

// The text of one value, as the writer writes it. NaN is "nan", infinity "inf" and "-inf".
void append_value(std::string& text, const Values& values, std::size_t row);

}  // namespace millrace::data
