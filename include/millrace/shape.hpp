// How many rows a vector has, and where its chunks end.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <millrace/name.hpp>

namespace [[gnu::visibility("default")]] millrace {

// Fixed dimensions, in rows. chunk_lengths alone says the length too; given both, they must agree.
struct VectorShape {
  std::optional<std::uint64_t> length = {};
  std::optional<std::vector<std::uint64_t>> chunk_lengths = {};
};

// The rows and the exact chunk boundaries of another value.
class Like {
 public:
  [[nodiscard]] const Name& name() const { return name_; }

 private:
  friend Like like(Name name);
  explicit Like(Name name) : name_(std::move(name)) {}
  Name name_;
};
[[nodiscard]] inline Like like(Name name) { return Like(std::move(name)); }

// Rows [first, first + count).
struct RowRange {
  std::uint64_t first = 0;
  std::uint64_t count;
};

}  // namespace millrace
