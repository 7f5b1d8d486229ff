// Edit distances, and lists of names as parts of a sentence.
#include "src/base/near_name.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace millrace {
namespace {

// Optimal string alignment distance (Damerau 1964, restricted form), three rows of the table at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string> find_near_name(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t kLongestCompared = 200;  // the distance takes the product of both lengths
  if (name.size() > kLongestCompared) return std::nullopt;
  std::size_t nearest = std::max<std::size_t>(1, name.size() / 3) + 1;
  std::optional<std::string> found;
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongestCompared) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance == 0 || distance >= nearest || distance >= name.size()) continue;
    nearest = distance;
    found = candidate;
  }
  return found;
}

std::string quoted_list(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 8;
  const std::size_t shown = names.size() > kMostNames ? kMostNames : names.size();
  std::string list;
  for (std::size_t index = 0; index < shown; ++index) {
    const bool last = index + 1 == names.size();
    if (index != 0) list += last ? " and " : ", ";
    list += fmt::format("\"{}\"", names[index]);
  }
  if (shown < names.size()) list += fmt::format(" and {} more", names.size() - shown);
  return list;
}

std::string name_advice(std::string_view name, const std::vector<std::string>& known) {
  if (const auto near = find_near_name(name, known)) return fmt::format("; did you mean \"{}\"?", *near);
  if (known.empty()) return ".";
  const std::string_view verb = known.size() == 1 ? "there is" : "there are";
  return fmt::format("; {} {}.", verb, quoted_list(known));
}

}  // namespace millrace
