// What a command graph refuses: faults of our own stages, found before a provider sees them.
#include <cstdint>

#include <gtest/gtest.h>

#include <millrace/error.hpp>

#include "src/command/command_graph.hpp"
#include "tests/expect_error.hpp"

namespace millrace::command {
namespace {

constexpr UseLimits kLimits{
    .storage_binding_byte_size = 1024, .storage_offset_alignment = 256, .workgroups_per_dimension = 8};

// An imported buffer of 600 bytes and a transient one of 2,048.
struct TwoBuffers {
  CommandGraph graph{kLimits};
  BufferIndex imported = graph.add_buffer({.name = "x", .byte_size = 600, .residence = Residence::imported});
  BufferIndex transient = graph.add_buffer({.name = "t", .byte_size = 2048, .residence = Residence::transient});

  BindSetIndex bind(std::vector<BufferUse> uses) {
    return graph.add_bind_set({.kernel = {0}, .uses = std::move(uses)});
  }
};

void expect_internal(const char* message, const auto& call) {
  expect_error<InternalError>(call, ErrorCode::internal, "", message);
}

// Legal uses would be refused, or nodes lost or reordered.
TEST(CommandGraph, KeepsNodesInTheOrderDeclared) {
  TwoBuffers made;
  const BindSetIndex write = made.bind({{made.imported, UseKind::storage_read, 0, 600},
                                        {made.transient, UseKind::storage_write, 0, 1024},
                                        {made.transient, UseKind::storage_read_write, 1024, 1024}});
  const BindSetIndex read = made.bind({{made.transient, UseKind::storage_read, 256, 4}});
  // The second write covers the third binding's bytes only once the first node has run, so write alone comes first.
  const BindSetIndex first = made.bind({{made.transient, UseKind::storage_write, 0, 1024}});
  made.graph.add_compute({.bind_set = first, .record = 0, .size = Workgroups{}});
  made.graph.add_compute({.bind_set = write, .record = 1, .size = Workgroups{.x = 8, .y = 8, .z = 8}});
  made.graph.add_compute(
      {.bind_set = read, .record = 2, .size = IndirectWorkgroups{.buffer = made.imported, .byte_offset = 588}});
  ASSERT_EQ(made.graph.nodes().size(), 3u);
  EXPECT_EQ(made.graph.nodes()[0].bind_set, first);
  EXPECT_EQ(made.graph.nodes()[2].record, 2u);
  EXPECT_EQ(made.graph.bind_sets()[read.value].uses[0].byte_offset, 256u);
}

// A dispatch would reach bytes that its value does not have.
TEST(CommandGraph, RefusesUsesOutsideOfTheirBuffer) {
  TwoBuffers made;
  expect_internal(
      "A use of \"x\" covers 600 bytes at 256 of its 600; a use is not empty, lies inside its buffer, begins on 256 "
      "bytes "
      "and covers 1024 at most.",
      [&] {
        made.bind({{made.imported, UseKind::storage_read, 256, 600}});
      });
  expect_internal(
      "A use of \"x\" covers 4 bytes at 18446744073709551360 of its 600; a use is not empty, lies inside its buffer, "
      "begins "
      "on 256 bytes and covers 1024 at most.",
      [&] {
        made.bind({{made.imported, UseKind::storage_read, ~std::uint64_t{255}, 4}});
      });
  expect_internal("A use names a buffer that the command graph has not.", [&] {
    made.bind({{{7}, UseKind::storage_read, 0, 4}});
  });
}

// A binding of no bytes aborts a provider's process; one off its alignment or over the limit is an error of its own.
TEST(CommandGraph, RefusesUsesThatNoBindingCanHave) {
  TwoBuffers made;
  expect_internal(
      "A use of \"x\" covers 0 bytes at 0 of its 600; a use is not empty, lies inside its buffer, begins on 256 bytes "
      "and "
      "covers 1024 at most.",
      [&] {
        made.bind({{made.imported, UseKind::storage_read, 0, 0}});
      });
  expect_internal(
      "A use of \"x\" covers 4 bytes at 128 of its 600; a use is not empty, lies inside its buffer, begins on 256 "
      "bytes and "
      "covers 1024 at most.",
      [&] {
        made.bind({{made.imported, UseKind::storage_read, 128, 4}});
      });
  expect_internal(
      "A use of \"t\" covers 1028 bytes at 0 of its 2048; a use is not empty, lies inside its buffer, begins on 256 "
      "bytes "
      "and covers 1024 at most.",
      [&] {
        made.bind({{made.transient, UseKind::storage_write, 0, 1028}});
      });
  expect_internal(
      "A use of \"x\" covers 6 bytes at 0 of its 600; a use is not empty, lies inside its buffer, begins on 256 bytes "
      "and "
      "covers 1024 at most.",
      [&] {
        made.bind({{made.imported, UseKind::storage_read, 0, 6}});
      });
}

// Rows would be read while the same dispatch writes them. Reads may overlap, and ranges may touch.
TEST(CommandGraph, RefusesOverlapsThatAreWritten) {
  TwoBuffers made;
  EXPECT_NO_THROW(
      made.bind({{made.imported, UseKind::storage_read, 0, 600}, {made.imported, UseKind::storage_read, 256, 4}}));
  EXPECT_NO_THROW(
      made.bind({{made.transient, UseKind::storage_write, 0, 256}, {made.transient, UseKind::storage_read, 256, 256}}));
  expect_internal("Bindings 0 and 2 of one dispatch overlap in \"t\", and one is written.", [&] {
    made.bind({{made.transient, UseKind::storage_read, 0, 260},
               {made.imported, UseKind::storage_read, 0, 600},
               {made.transient, UseKind::storage_write, 256, 256}});
  });
}

// A result would be computed from whatever the memory held.
TEST(CommandGraph, RefusesReadsOfTransientsThatNobodyWrote) {
  TwoBuffers made;
  const BindSetIndex read = made.bind({{made.transient, UseKind::storage_read, 0, 256}});
  const BindSetIndex update = made.bind({{made.transient, UseKind::storage_read_write, 0, 256}});
  const BindSetIndex none = made.bind({});
  for (const BindSetIndex set : {read, update}) {
    expect_internal("A node reads the transient \"t\" before any node has written it.",
                    [&] { made.graph.add_compute({.bind_set = set, .record = 0, .size = Workgroups{}}); });
  }
  expect_internal("A node reads the transient \"t\" before any node has written it.", [&] {
    made.graph.add_compute({.bind_set = none, .record = 0, .size = IndirectWorkgroups{.buffer = made.transient}});
  });
  const BindSetIndex write = made.bind({{made.transient, UseKind::storage_write, 0, 256}});
  made.graph.add_compute({.bind_set = write, .record = 0, .size = Workgroups{}});
  EXPECT_NO_THROW(made.graph.add_compute({.bind_set = read, .record = 1, .size = Workgroups{}}));
}

// A dispatch over the limit would do nothing, or fail far from its cause.
TEST(CommandGraph, RefusesDispatchesThatNoDeviceRuns) {
  TwoBuffers made;
  const BindSetIndex set = made.bind({{made.imported, UseKind::storage_read, 0, 600}});
  expect_internal("A dispatch of 1 x 9 x 2 workgroups is over the limit of 8 a dimension.", [&] {
    made.graph.add_compute({.bind_set = set, .record = 0, .size = Workgroups{.x = 1, .y = 9, .z = 2}});
  });
  expect_internal("A node names a bind set that there is not.",
                  [&] { made.graph.add_compute({.bind_set = {9}, .record = 0, .size = Workgroups{}}); });
  for (const std::uint64_t offset : {std::uint64_t{592}, std::uint64_t{600}, ~std::uint64_t{3}}) {
    EXPECT_THROW(
        made.graph.add_compute(
            {.bind_set = set, .record = 0, .size = IndirectWorkgroups{.buffer = made.imported, .byte_offset = offset}}),
        InternalError);
  }
  expect_internal("An indirect dispatch reads its record at byte 2, outside of its buffer.", [&] {
    made.graph.add_compute(
        {.bind_set = set, .record = 0, .size = IndirectWorkgroups{.buffer = made.imported, .byte_offset = 2}});
  });
}

}  // namespace
}  // namespace millrace::command
