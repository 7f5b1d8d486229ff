// Lanes of one scalar have one type: that of the widest of them.
#include "tools/millrace/scalar_input.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "src/data/csv_field.hpp"
#include "tools/millrace/usage_error.hpp"

namespace millrace::tool {

namespace {

using data::ElementType;

constexpr std::size_t kMostLanes = 4;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char character : text) {
    if (character == ',') {
      parts.emplace_back();
    } else {
      parts.back() += character;
    }
  }
  for (std::string& part : parts) part = std::string(data::trim_field(part));
  return parts;
}

[[noreturn]] void throw_no_number(const Assignment& assignment, const std::string& part) {
  throw UsageError(
      fmt::format("{place}: \"{part}\" is no number; a value is a number, true, false, or 2 to 4 numbers "
                  "with commas between.",
                  fmt::arg("place", assignment.place), fmt::arg("part", part)));
}

ElementType own_type(const Assignment& assignment, const std::string& part) {
  if (part.ends_with('u') &&
      data::classify_field(std::string_view(part).substr(0, part.size() - 1)) == data::FieldKind::integer) {
    return ElementType::uint32;
  }
  std::int32_t integer = 0;
  std::uint32_t natural = 0;
  switch (data::classify_field(part)) {
    case data::FieldKind::integer:
      if (data::parse(part, integer)) return ElementType::sint32;
      if (data::parse(part, natural)) return ElementType::uint32;
      throw UsageError(
          fmt::format("{place}: {part} does not fit in 32 bits; the integers are -2147483648 "
                      "to 4294967295, and {part}.0 is a float32.",
                      fmt::arg("place", assignment.place), fmt::arg("part", part)));
    case data::FieldKind::number:
      return ElementType::float32;
    case data::FieldKind::boolean:
      return ElementType::boolean;
    case data::FieldKind::missing:
    case data::FieldKind::text:
      break;
  }
  throw_no_number(assignment, part);
}

ElementType common_type(const Assignment& assignment, const std::vector<std::string>& parts) {
  ElementType common = own_type(assignment, parts.front());
  for (const std::string& part : parts) {
    const ElementType type = own_type(assignment, part);
    if (type == common) continue;
    const bool is_mix = type == ElementType::boolean || common == ElementType::boolean ||
                        (type != ElementType::float32 && common != ElementType::float32);
    if (is_mix) {
      throw UsageError(fmt::format("{place}: the lanes have different types; write them all alike.",
                                   fmt::arg("place", assignment.place)));
    }
    common = ElementType::float32;
  }
  return common;
}

template <class T>
T parse_lane(const Assignment& assignment, const std::string& part, ElementType type) {
  T value{};
  if (data::parse(part, value)) return value;
  if (own_type(assignment, part) == ElementType::boolean) throw_no_number(assignment, part);
  throw UsageError(fmt::format(
      "{place}: {part} is no {type} ({least} to {most}).", fmt::arg("place", assignment.place), fmt::arg("part", part),
      fmt::arg("type", format_name(data::format_of({.element = type}))),
      fmt::arg("least", std::numeric_limits<T>::lowest()), fmt::arg("most", std::numeric_limits<T>::max())));
}

ScalarLane lane_of(const Assignment& assignment, std::string part, ElementType type) {
  if (part.ends_with('u') && type != ElementType::float32) part.pop_back();
  switch (type) {
    case ElementType::float32:
      return parse_lane<float>(assignment, part, type);
    case ElementType::sint32:
      return parse_lane<std::int32_t>(assignment, part, type);
    case ElementType::uint32:
      return parse_lane<std::uint32_t>(assignment, part, type);
    case ElementType::boolean:
      break;
  }
  bool value = false;
  if (!data::parse(part, value)) throw_no_number(assignment, part);
  return std::uint32_t{value ? 1U : 0U};
}

}  // namespace

Assignment parse_assignment(std::string_view option, const std::string& text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos || sign == 0) {
    throw UsageError(fmt::format("{option} \"{text}\" is not of the form name={what}.", fmt::arg("option", option),
                                 fmt::arg("text", text), fmt::arg("what", option == "--bind" ? "column" : "value")));
  }
  return {.name = std::string(data::trim_field(std::string_view(text).substr(0, sign))),
          .value = text.substr(sign + 1),
          .place = fmt::format("{} {}", option, text)};
}

std::vector<Assignment> parse_assignments(std::string_view option, const std::vector<std::string>& texts) {
  std::vector<Assignment> assignments;
  for (const std::string& text : texts) {
    Assignment assignment = parse_assignment(option, text);
    for (const Assignment& other : assignments) {
      if (other.name != assignment.name) continue;
      throw UsageError(fmt::format("{option} gives \"{name}\" twice; a name stands for one {what}.",
                                   fmt::arg("option", option), fmt::arg("name", assignment.name),
                                   fmt::arg("what", option == "--bind" ? "column" : "value")));
    }
    assignments.push_back(std::move(assignment));
  }
  return assignments;
}

ScalarInput parse_scalar(const Assignment& assignment, std::optional<data::NumberType> wanted) {
  const std::vector<std::string> parts = split(assignment.value);
  if (parts.size() > kMostLanes || (wanted && parts.size() != wanted->lane_count)) {
    throw UsageError(fmt::format(
        "{place}: There are {count} numbers, and {expected}.", fmt::arg("place", assignment.place),
        fmt::arg("count", parts.size()),
        fmt::arg("expected", wanted ? fmt::format("{} has {}", format_name(format_of(*wanted)), wanted->lane_count)
                                    : "a value has 4 at most")));
  }
  const data::NumberType type = wanted ? *wanted
                                       : data::NumberType{.element = common_type(assignment, parts),
                                                          .lane_count = static_cast<std::uint8_t>(parts.size())};
  ScalarInput scalar = {.name = assignment.name, .type = type, .lanes = {}};
  for (const std::string& part : parts) scalar.lanes.push_back(lane_of(assignment, part, type.element));
  return scalar;
}

}  // namespace millrace::tool
