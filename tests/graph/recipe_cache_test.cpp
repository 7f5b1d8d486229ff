// Recipes by shape signature.
#include <cstdint>
#include <memory>

#include <gtest/gtest.h>

#include "src/graph/recipe_cache.hpp"

namespace millrace::graph {
namespace {

std::shared_ptr<const Recipe> make_recipe() {
  return std::make_shared<const Recipe>(Recipe{.commands = command::CommandGraph({65536, 256, 65535}),
                                               .chunks = {},
                                               .parameters = {},
                                               .parameter_byte_size = 0,
                                               .records = {}});
}

InputChunks one_input(std::uint64_t byte_offset, std::uint64_t byte_stride, std::uint64_t row_count) {
  return {std::vector<Chunk>{
      {.buffer = nullptr, .byte_offset = byte_offset, .byte_stride = byte_stride, .row_count = row_count}}};
}

// Runs of one shape would be lowered again and again, or a run would get the nodes of another shape.
TEST(RecipeCache, FindsWhatWasAddedUnderThatSignature) {
  RecipeCache cache;
  const auto recipe = make_recipe();
  cache.add({1, 2, 3}, recipe);
  EXPECT_EQ(cache.find({1, 2, 3}), recipe);
  EXPECT_EQ(cache.find({1, 2}), nullptr);
  EXPECT_EQ(cache.find({1, 2, 4}), nullptr);
}

// A program whose batches all differ would keep the recipes of all of them.
TEST(RecipeCache, KeepsTheThirtyTwoUsedLast) {
  RecipeCache cache;
  const auto first = make_recipe();
  cache.add({0}, first);
  for (std::uint64_t shape = 1; shape < 32; ++shape) cache.add({shape}, make_recipe());
  EXPECT_EQ(cache.find({0}), first);  // used now, so 1 is the oldest
  cache.add({32}, make_recipe());
  EXPECT_EQ(cache.find({0}), first);
  EXPECT_EQ(cache.find({1}), nullptr);
  EXPECT_NE(cache.find({2}), nullptr);
  EXPECT_NE(cache.find({32}), nullptr);
}

// A recipe that was dropped from the cache while an execution still uses it would be destroyed under it.
TEST(RecipeCache, SharesRecipesWithTheirUsers) {
  const auto recipe = make_recipe();
  {
    RecipeCache cache;
    cache.add({1}, recipe);
  }
  EXPECT_EQ(recipe.use_count(), 1);
}

// Two runs whose nodes differ would share a recipe.
TEST(SignatureOf, DiffersInAllThatNodesDependOn) {
  const ShapeSignature signature = signature_of(one_input(0, 4, 5), 256);
  EXPECT_NE(signature, signature_of(one_input(4, 4, 5), 256));
  EXPECT_NE(signature, signature_of(one_input(0, 8, 5), 256));
  EXPECT_NE(signature, signature_of(one_input(0, 4, 6), 256));
  EXPECT_NE(signature, signature_of({std::nullopt}, 256));
  EXPECT_NE(signature, signature_of({std::vector<Chunk>{}}, 256));
  EXPECT_NE(signature_of({std::nullopt}, 256), signature_of({std::vector<Chunk>{}}, 256));
}

// Chunk boundaries would move between inputs: 3 | 5 chunks are not 5 | 3.
TEST(SignatureOf, KeepsInputsApart) {
  const auto chunk = *one_input(0, 4, 5).front();
  EXPECT_NE(signature_of({std::vector<Chunk>{chunk[0], chunk[0]}, std::vector<Chunk>{}}, 256),
            signature_of({std::vector<Chunk>{chunk[0]}, chunk}, 256));
}

// A ring buffer's parts would each need a recipe of their own.
TEST(SignatureOf, IsTheSameForOffsetsThatDifferByWholeAlignments) {
  EXPECT_EQ(signature_of(one_input(8, 4, 5), 256), signature_of(one_input(8 + 512, 4, 5), 256));
}

}  // namespace
}  // namespace millrace::graph
