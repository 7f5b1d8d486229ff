// A list searched in order: a bounded few are looked up faster than a signature is hashed.
#include "src/graph/recipe_cache.hpp"

#include <algorithm>

namespace millrace::graph {

ShapeSignature signature_of(const InputChunks& inputs, std::uint64_t alignment) {
  ShapeSignature signature;
  for (const std::optional<std::vector<Chunk>>& chunks : inputs) {
    signature.push_back(chunks ? chunks->size() + 1 : 0);
    if (!chunks) continue;
    for (const Chunk& chunk : *chunks) {
      signature.push_back(chunk.row_count);
      signature.push_back(chunk.byte_offset % alignment);
      signature.push_back(chunk.byte_stride);
    }
  }
  return signature;
}

std::shared_ptr<const Recipe> RecipeCache::find(const ShapeSignature& signature) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.signature == signature; });
  if (found == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  return entries_.front().recipe;
}

void RecipeCache::add(ShapeSignature signature, std::shared_ptr<const Recipe> recipe) {
  const std::lock_guard lock(mutex_);
  entries_.push_front({std::move(signature), std::move(recipe)});
  if (entries_.size() > kMostRecipes) entries_.pop_back();
}

}  // namespace millrace::graph
