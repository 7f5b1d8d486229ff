// Typed indices: a node index cannot be passed as a buffer index.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace millrace {

template <class Tag>
struct Index {
  std::uint32_t value = 0;
  // Version 14 of clang-tidy takes the 0 of a three-way comparison for a null pointer.
  friend constexpr auto operator<=>(Index, Index) = default;  // NOLINT(modernize-use-nullptr)
};

}  // namespace millrace

template <class Tag>
struct std::hash<millrace::Index<Tag>> {
  std::size_t operator()(millrace::Index<Tag> index) const noexcept { return std::hash<std::uint32_t>{}(index.value); }
};
