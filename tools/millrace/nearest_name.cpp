// Edit distance, one row of the table at a time. A beginning of the name counts as near, too: "dist" for "distance".
#include "tools/millrace/nearest_name.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace millrace::tool {

namespace {

char lower(char letter) { return static_cast<char>(std::tolower(static_cast<unsigned char>(letter))); }

std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> distances(to.size() + 1);
  std::iota(distances.begin(), distances.end(), std::size_t{0});
  for (std::size_t row = 1; row <= from.size(); ++row) {
    std::size_t diagonal = distances[0];
    distances[0] = row;
    for (std::size_t column = 1; column <= to.size(); ++column) {
      const std::size_t replaced = diagonal + (lower(from[row - 1]) == lower(to[column - 1]) ? 0U : 1U);
      diagonal = distances[column];
      distances[column] = std::min({replaced, distances[column] + 1, distances[column - 1] + 1});
    }
  }
  return distances.back();
}

}  // namespace

std::optional<std::string> find_nearest_name(std::string_view name, const std::vector<std::string>& names) {
  constexpr std::size_t kShortestBeginning = 3;
  std::size_t limit = std::max<std::size_t>(1, name.size() / 3) + 1;
  std::optional<std::string> nearest;
  for (const std::string& candidate : names) {
    const std::size_t distance = edit_distance(name, candidate);
    const bool shares_nothing = distance >= std::max(name.size(), candidate.size());
    if (distance >= limit || shares_nothing) continue;
    limit = distance;
    nearest = candidate;
  }
  if (nearest || name.size() < kShortestBeginning) return nearest;
  const auto longer = std::find_if(names.begin(), names.end(),
                                   [&](const std::string& candidate) { return candidate.starts_with(name); });
  if (longer != names.end()) nearest = *longer;
  return nearest;
}

}  // namespace millrace::tool
