// Typed indices: a node index cannot be passed as a buffer index.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace millrace {

template <class Tag>
struct Index {
  std::uint32_t value = 0;
  friend constexpr auto operator<=>(Index, Index) = default;
};

}  // namespace millrace

template <class Tag>
struct std::hash<millrace::Index<Tag>> {
  std::size_t operator()(millrace::Index<Tag> index) const noexcept { return std::hash<std::uint32_t>{}(index.value); }
};
