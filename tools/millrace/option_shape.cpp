// Read from the names that CLI11 keeps and from the type's name, which is what --help prints behind an option.
#include "tools/millrace/option_shape.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace millrace::tool {

namespace {

std::vector<std::string> parts(const std::string& type) {
  std::vector<std::string> parts;
  std::istringstream text(type);
  for (std::string part; std::getline(text, part, '|');) parts.push_back(part);
  return parts;
}

// A word to be typed as it stands; what is written in capitals stands for something else.
bool is_word(std::string_view part) {
  return !part.empty() &&
         std::none_of(part.begin(), part.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == '='; });
}

bool is_file(const std::string& part) { return part == "FILE" || part.find('.') != std::string::npos; }

OptionShape shape(const CLI::Option& option) {
  OptionShape shape;
  shape.long_names = option.get_lnames();
  shape.short_names = option.get_snames();
  shape.description = on_one_line(option.get_description());
  shape.is_positional = option.get_positional();
  shape.is_repeated = option.get_items_expected_max() > 1;
  shape.type = option.get_items_expected_max() == 0 ? "" : option.get_type_name();
  shape.argument = shape.is_positional ? option.get_name(true) : shape.type;
  const std::vector<std::string> alternatives = parts(shape.type);
  shape.takes_file = is_file(shape.argument) || std::any_of(alternatives.begin(), alternatives.end(), is_file);
  if (alternatives.size() > 1) {
    std::copy_if(alternatives.begin(), alternatives.end(), std::back_inserter(shape.choices), is_word);
  }
  return shape;
}

}  // namespace

std::vector<const CLI::App*> find_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<OptionShape> find_options(const CLI::App& app) {
  std::vector<OptionShape> shapes;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) shapes.push_back(shape(*option));
  }
  return shapes;
}

std::string on_one_line(const std::string& text) {
  std::string line;
  std::istringstream words(text);
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace millrace::tool
