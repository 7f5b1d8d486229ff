// Recipes by shape signature. A steady loop looks its recipe up and only binds.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "src/graph/bind.hpp"
#include "src/graph/recipe.hpp"

namespace millrace::graph {

// Rows, offsets modulo the alignment and strides of each chunk of each bound input: all that a recipe depends on.
using ShapeSignature = std::vector<std::uint64_t>;
[[nodiscard]] ShapeSignature signature_of(const InputChunks& inputs, std::uint64_t alignment);

// The most recently used recipes, a bounded number of them. Thread-safe.
class RecipeCache {
 public:
  [[nodiscard]] std::shared_ptr<const Recipe> find(const ShapeSignature& signature);
  void add(ShapeSignature signature, std::shared_ptr<const Recipe> recipe);

 private:
  static constexpr std::size_t kMostRecipes = 32;
  struct Entry {
    ShapeSignature signature;
    std::shared_ptr<const Recipe> recipe;
  };
  std::mutex mutex_;
  std::list<Entry> entries_;  // the last used first
};

}  // namespace millrace::graph
