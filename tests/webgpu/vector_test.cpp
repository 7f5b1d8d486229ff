// Vectors and views: what they say of themselves, how they are cut and joined, and when they are refused.
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <millrace/device.hpp>
#include <millrace/error.hpp>

#include "src/webgpu/row_storage.hpp"
#include "tests/expect_error.hpp"
#include "tests/webgpu/shared_device.hpp"

namespace millrace {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kDestroyedView =
    "The view looks at a vector that was destroyed; keep a vector for as long as its views are used.";
constexpr const char* kDestroyedVector = "The vector was destroyed or moved from; it has no rows to use.";

Vector six() { return shared_device().upload(Format::uint32, {0u, 1u, 2u, 3u, 4u, 5u}); }

// K-02: a single row of 12 bytes is uploaded and read as 12 bytes, with nothing past its end.
TEST(Vector, OneRowOfThreeLanes) {
  const Vector vector = shared_device().upload(Format::float32x3, {2.0f, 2.0f, 2.0f});
  EXPECT_EQ(vector.row_count(), 1u);
  EXPECT_THAT(vector.read<float>(), ElementsAre(2, 2, 2));
  EXPECT_EQ((vector.read_scalar<std::array<float, 3>>()), (std::array<float, 3>{2, 2, 2}));
}

// K-32: narrow lanes that fill whole words go up and come back exactly.
TEST(Vector, NarrowLanesThatFillWords) {
  const std::vector<std::array<std::uint16_t, 2>> rows = {{0, 1}, {2, 3}, {4, 5}};
  const Vector vector = shared_device().upload(Format::uint16x2, rows);
  EXPECT_EQ(vector.row_count(), 3u);
  EXPECT_EQ((vector.read<std::array<std::uint16_t, 2>>()), rows);
  EXPECT_THAT(vector.read<std::uint16_t>(), ElementsAre(0, 1, 2, 3, 4, 5));
}

// C-05: chunks that lie in one buffer are each read from their own offset.
TEST(Vector, ChunksOfOneBuffer) {
  const Vector vector = six();
  const VectorView halves =
      VectorView::join({vector.rows({.first = 0, .count = 3}), vector.rows({.first = 3, .count = 3})});
  EXPECT_THAT(halves.chunk_lengths(), ElementsAre(3, 3));
  EXPECT_THAT(halves.read<std::uint32_t>(), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(halves.rows({.first = 2, .count = 2}).read<std::uint32_t>(), ElementsAre(2, 3));
}

// C-07: the offset of a part is applied once, also by a part of that part.
TEST(Vector, PartsOfParts) {
  const Vector vector = shared_device().upload(Format::float32x2, {0.0f, 0.0f, 1.0f, 2.0f, 3.0f, 4.0f});
  const VectorView part = vector.rows({.first = 1, .count = 2});
  EXPECT_THAT(part.read<float>(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(part.rows({.first = 1, .count = 1}).read<float>(), ElementsAre(3, 4));
}

// C-09: chunks without rows, first, last and between, are kept and cross no index.
TEST(Vector, EmptyChunksStay) {
  const std::vector<float> none, seven{7};
  const Vector vector = shared_device().upload_chunks(Format::float32, {none, seven, none, none});
  EXPECT_THAT(vector.chunk_lengths(), ElementsAre(0, 1, 0, 0));
  EXPECT_EQ(vector.read_scalar<float>(), 7);
  EXPECT_THAT(vector.rows({.first = 0, .count = 1}).chunk_lengths(), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(vector.rows({.first = 1, .count = 0}).chunk_lengths(), ElementsAre(0, 0));
  EXPECT_THAT(vector.rows({.first = 0, .count = 0}).chunk_lengths(), ElementsAre(0));
}

// A vector without rows, or without chunks, can be read, written, cut and joined like any other.
TEST(Vector, NoRowsAndNoChunks) {
  const std::vector<float> none;
  Vector no_rows = shared_device().upload(Format::float32, none);
  EXPECT_THAT(no_rows.chunk_lengths(), ElementsAre(0));
  Vector no_chunks = shared_device().upload_chunks(Format::float32, std::span<const HostRows>());
  EXPECT_THAT(no_chunks.chunk_lengths(), IsEmpty());
  for (Vector* vector : {&no_rows, &no_chunks}) {
    EXPECT_EQ(vector->row_count(), 0u);
    EXPECT_THAT(vector->read<float>(), IsEmpty());
    vector->write(none);
    EXPECT_EQ(vector->rows({.first = 0, .count = 0}).row_count(), 0u);
  }
  EXPECT_THAT(VectorView::join({no_rows, no_chunks, no_rows}).chunk_lengths(), ElementsAre(0, 0));
}

// A user allocates a target by length, by chunks, or by both, and finds zeros in it.
TEST(Vector, CreatedOfZeros) {
  Device& device = shared_device();
  const Vector by_length = device.create_vector(Format::uint32x2, {.length = 2});
  EXPECT_THAT(by_length.chunk_lengths(), ElementsAre(2));
  EXPECT_THAT(by_length.read<std::uint32_t>(), ElementsAre(0, 0, 0, 0));
  const Vector by_chunks = device.create_vector(Format::float32, {.chunk_lengths = {{2, 0, 1}}});
  EXPECT_THAT(by_chunks.chunk_lengths(), ElementsAre(2, 0, 1));
  EXPECT_THAT(by_chunks.read<float>(), ElementsAre(0, 0, 0));
  EXPECT_EQ(device.create_vector(Format::float32, {.length = 3, .chunk_lengths = {{1, 2}}}).row_count(), 3u);
  EXPECT_EQ(device.create_vector(Format::float32, by_chunks.shape()).chunk_lengths(), by_chunks.chunk_lengths());
  EXPECT_THAT(device.create_vector(Format::float32, {.length = 0}).chunk_lengths(), ElementsAre(0));
}

// A shape that says nothing, or two things, is refused before anything is allocated.
TEST(Vector, ShapesThatContradictThemselves) {
  expect_error<GraphError>([] { (void)shared_device().create_vector(Format::float32, {}); }, ErrorCode::invalid_shape,
                           "A vector's shape says neither its length nor its chunk lengths; give one of them.");
  expect_error<GraphError>(
      [] {
        (void)shared_device().create_vector(Format::float32, {.length = 5, .chunk_lengths = {{2, 4}}});
      },
      ErrorCode::invalid_shape,
      "A vector's shape has the length 5, but its chunks have 6 rows together; make them equal or give one of them.");
}

// More rows than a row index can name are refused everywhere that rows come together.
TEST(Vector, RowLimit) {
  Device& device = shared_device();
  const char* const message =
      "A vector of 4294967296 rows is over the limit of 4294967295 rows; split it into several.";
  expect_error<BindingError>([&] { (void)device.create_vector(Format::float32, {.length = 0x1'0000'0000}); },
                             ErrorCode::row_count_limit, message);
  expect_error<BindingError>(
      [&] {
        (void)device.create_vector(Format::float32, {.chunk_lengths = {{0xffff'ffff, 1}}});
      },
      ErrorCode::row_count_limit, message);
  expect_error<BindingError>(
      [&] {
        (void)device.create_vector(Format::float32, {.chunk_lengths = {{~0ull, 2}}});
      },
      ErrorCode::row_count_limit,
      "A vector of 18446744073709551615 rows is over the limit of 4294967295 rows; split it into several.");

  const Vector million = device.create_vector(Format::float32, {.length = 1 << 20});
  const std::vector<VectorView> parts(4096, million);
  expect_error<BindingError>([&] { (void)VectorView::join(parts); }, ErrorCode::row_count_limit, message);

  Vector one = device.upload(Format::float32, {1.0f});
  // Geometry without storage: no device has the memory for the real thing.
  Vector most =
      VectorAccess::adopt(webgpu::DeviceAccess::core(device), Format::float32, {{nullptr, 0, 4, 0xffff'ffff}});
  expect_error<BindingError>([&] { one.append(std::move(most)); }, ErrorCode::row_count_limit, message);
  EXPECT_EQ(one.row_count(), 1u);
  EXPECT_EQ(most.row_count(), 0xffff'ffffu);
}

// A chunk larger than any buffer of the device is refused with both sizes; the device goes on.
TEST(Vector, BufferLimit) {
  Device& device = shared_device();
  const std::uint64_t rows = 0xffff'ffff;
  expect_error<DeviceError>(
      [&] { (void)device.create_vector(Format::float32x4, {.length = rows}); }, ErrorCode::over_device_limit,
      "The buffer of \"float32x4 vector\" needs 68719476720 bytes, but a buffer of the device \"" +
          device.adapter().name + "\" holds at most " + std::to_string(device.capabilities().buffer_byte_size) +
          " bytes.");
  EXPECT_EQ(six().row_count(), 6u);
}

// Ranges outside of the rows are refused, also those whose end overflows 64 bits.
TEST(Vector, RowsOutside) {
  Vector vector = six();
  const auto expect_refused = [&](RowRange range, const char* message) {
    expect_error<BindingError>([&] { (void)vector.rows(range); }, ErrorCode::row_range, message);
    expect_error<BindingError>([&] { (void)std::as_const(vector).rows(range); }, ErrorCode::row_range, message);
  };
  expect_refused({.first = 4, .count = 3}, "3 rows from row 4 on reach outside of the 6 rows that there are.");
  expect_refused({.first = 7, .count = 0}, "0 rows from row 7 on reach outside of the 6 rows that there are.");
  expect_refused({.first = 6, .count = 1}, "1 row from row 6 on lies outside of the 6 rows that there are.");
  expect_refused({.first = 1, .count = ~0ull},
                 "18446744073709551615 rows from row 1 on reach outside of the 6 rows that there are.");
  expect_error<BindingError>([&] { (void)vector.rows({.first = 2, .count = 2}).rows({.first = 1, .count = 2}); },
                             ErrorCode::row_range, "2 rows from row 1 on reach outside of the 2 rows that there are.");
}

// Rows of several vectors become one view without a copy: later writes show through it.
TEST(Vector, JoinLooksThrough) {
  Vector low = six();
  Vector high = shared_device().upload(Format::uint32, {10u, 11u});
  const MutableVectorView joined = MutableVectorView::join({high, low.rows({.first = 4, .count = 2})});
  EXPECT_THAT(joined.chunk_lengths(), ElementsAre(2, 2));
  low.write({9u, 9u, 9u, 9u, 7u, 8u});
  EXPECT_THAT(joined.read<std::uint32_t>(), ElementsAre(10, 11, 7, 8));
  joined.write({20u, 21u, 22u, 23u});
  EXPECT_THAT(high.read<std::uint32_t>(), ElementsAre(20, 21));
  EXPECT_THAT(low.read<std::uint32_t>(), ElementsAre(9, 9, 9, 9, 22, 23));
}

// Joins of what does not belong together are refused with the number of the part at fault.
TEST(Vector, JoinErrors) {
  expect_error<BindingError>([] { (void)VectorView::join(std::span<const VectorView>()); }, ErrorCode::nothing_to_join,
                             "A join of no views has no format; give it one view at least, which may be one without "
                             "rows.");
  const Vector integers = six();
  const Vector floats = shared_device().upload(Format::float32, {1.0f});
  expect_error<BindingError>(
      [&] {
        (void)VectorView::join({integers, integers, floats});
      },
      ErrorCode::binding_format_mismatch,
      "Part 2 of the join has format float32 but the rows before it have format uint32; one vector "
      "has one format.");
  Device other = Device::open();
  const Vector elsewhere = other.upload(Format::uint32, {1u});
  expect_error<BindingError>(
      [&] {
        (void)VectorView::join({integers, elsewhere});
      },
      ErrorCode::foreign_device,
      "Part 1 of the join lies on another device than the rows before it; one vector lies on one "
      "device.");
  std::optional<Vector> gone = six();
  const VectorView view = *gone;
  gone.reset();
  expect_error<BindingError>(
      [&] {
        (void)VectorView::join({integers, view});
      },
      ErrorCode::destroyed,
      "Part 1 of the join looks at a vector that was destroyed; keep a vector for as long as "
      "its views are used.");
  expect_error<BindingError>(
      [&] {
        (void)VectorView::join({view, integers});
      },
      ErrorCode::destroyed,
      "Part 0 of the join looks at a vector that was destroyed; keep a vector for as long as "
      "its views are used.");
}

// A view used after its vector says so, in every use, and never reads what lies there now.
TEST(Vector, ViewsOfDestroyedVectors) {
  const std::vector<std::uint32_t> none;
  std::vector<Vector> vectors;
  vectors.push_back(six());
  vectors.push_back(shared_device().upload(Format::uint32, none));
  vectors.push_back(shared_device().upload_chunks(Format::uint32, std::span<const HostRows>()));
  std::vector<MutableVectorView> views(vectors.begin(), vectors.end());
  views.push_back(MutableVectorView(vectors[0]).rows({.first = 2, .count = 0}));
  views.push_back(MutableVectorView::join({vectors[2], vectors[0]}));
  vectors.clear();
  const Vector reuses_the_memory = six();
  for (const MutableVectorView& view : views) {
    const auto expect_refused = [](auto action) {
      expect_error<BindingError>(action, ErrorCode::destroyed, kDestroyedView);
    };
    expect_refused([&] { (void)view.format(); });
    expect_refused([&] { (void)view.row_count(); });
    expect_refused([&] { (void)view.chunk_lengths(); });
    expect_refused([&] { (void)view.shape(); });
    expect_refused([&] { (void)view.rows({.first = 0, .count = 0}); });
    expect_refused([&] { (void)view.read<std::uint32_t>(); });
    expect_refused([&] { (void)view.read_scalar<std::uint32_t>(); });
    expect_refused([&] { (void)view.read_async<std::uint32_t>(); });
    expect_refused([&] { view.read_async<std::uint32_t>([](ReadResult<std::uint32_t>) {}); });
    expect_refused([&] { view.write(none); });
    expect_refused([&] { (void)VectorAccess::chunks(view, "The view"); });
  }
  expect_error<BindingError>([&] { VectorAccess::check_alive(views[1], "Input \"x\""); }, ErrorCode::destroyed,
                             "Input \"x\" looks at a vector that was destroyed; keep a vector for as long as its "
                             "views are used.");
}

// The error's subject is the input's name, which a program can look up.
TEST(Vector, DestroyedNamesItsSubject) {
  Vector vector = six();
  const VectorView view = vector;
  vector.destroy();
  try {
    VectorAccess::check_alive(view, "Input \"x\"");
    FAIL();
  } catch (const BindingError& error) {
    EXPECT_EQ(error.subject(), "x");
  }
}

// A joined view dies with any of its vectors, also one of whose rows it shows none.
TEST(Vector, JoinedViewsNeedAllTheirVectors) {
  const Vector kept = six();
  std::optional<Vector> gone = six();
  const VectorView joined = VectorView::join({kept, gone->rows({.first = 0, .count = 0})});
  EXPECT_EQ(joined.row_count(), 6u);
  gone.reset();
  expect_error<BindingError>([&] { (void)joined.read<std::uint32_t>(); }, ErrorCode::destroyed, kDestroyedView);
}

// Moving a vector, into a container or out of a function, keeps its views; being moved over destroys.
TEST(Vector, MovesKeepViews) {
  Vector vector = six();
  const VectorView view = vector;
  Vector moved = std::move(vector);
  EXPECT_THAT(view.read<std::uint32_t>(), ElementsAre(0, 1, 2, 3, 4, 5));
  expect_error<BindingError>([&] { (void)vector.row_count(); }, ErrorCode::destroyed, kDestroyedVector);
  moved = shared_device().upload(Format::uint32, {1u});
  expect_error<BindingError>([&] { (void)view.row_count(); }, ErrorCode::destroyed, kDestroyedView);
}

// A destroyed vector can be destroyed again, and is refused in every other use.
TEST(Vector, DestroyIsIdempotent) {
  Vector vector = six();
  vector.destroy();
  vector.destroy();
  const auto expect_refused = [](auto action) {
    expect_error<BindingError>(action, ErrorCode::destroyed, kDestroyedVector);
  };
  expect_refused([&] { (void)vector.format(); });
  expect_refused([&] { (void)vector.chunk_lengths(); });
  expect_refused([&] { (void)vector.shape(); });
  expect_refused([&] { (void)VectorView(vector); });
  expect_refused([&] { (void)vector.rows({.first = 0, .count = 0}); });
  expect_refused([&] { (void)vector.read<std::uint32_t>(); });
  expect_refused([&] { vector.write({1u}); });
  expect_refused([&] { vector.append(six()); });
  Vector living = six();
  expect_refused([&] { living.append(std::move(vector)); });
}

// Batches are appended without a copy, and views made before keep their rows.
TEST(Vector, Append) {
  Vector vector = shared_device().upload_chunks(Format::uint32, {{1u, 2u}, {3u}});
  Vector tail = shared_device().upload(Format::uint32, {4u, 5u});
  const VectorView before = vector;
  const VectorView of_tail = tail;
  vector.append(std::move(tail));
  EXPECT_THAT(vector.chunk_lengths(), ElementsAre(2, 1, 2));
  EXPECT_THAT(vector.read<std::uint32_t>(), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(before.read<std::uint32_t>(), ElementsAre(1, 2, 3));
  EXPECT_THAT(of_tail.read<std::uint32_t>(), ElementsAre(4, 5));
  expect_error<BindingError>([&] { (void)tail.row_count(); }, ErrorCode::destroyed, kDestroyedVector);
  vector.destroy();
  expect_error<BindingError>([&] { (void)of_tail.row_count(); }, ErrorCode::destroyed, kDestroyedView);
}

// What cannot be appended is refused, and both vectors stay as they were.
TEST(Vector, AppendErrors) {
  Vector vector = six();
  Vector& itself = vector;
  expect_error<BindingError>([&] { vector.append(std::move(itself)); }, ErrorCode::self_append,
                             "A vector cannot be appended to itself; append a copy of its rows.");
  Vector floats = shared_device().upload(Format::float32, {1.0f});
  expect_error<BindingError>([&] { vector.append(std::move(floats)); }, ErrorCode::binding_format_mismatch,
                             "The appended vector has format float32 but the rows before it have format uint32; one "
                             "vector has one format.");
  Device other = Device::open();
  Vector elsewhere = other.upload(Format::uint32, {1u});
  expect_error<BindingError>(
      [&] { vector.append(std::move(elsewhere)); }, ErrorCode::foreign_device,
      "The appended vector lies on another device than the rows before it; one vector lies on one "
      "device.");
  EXPECT_EQ(vector.row_count(), 6u);
  EXPECT_EQ(floats.row_count(), 1u);
  EXPECT_EQ(elsewhere.row_count(), 1u);
}

// A vector outlives the device object it came from; its rows can still be read.
TEST(Vector, OutlivesItsDevice) {
  std::optional<Device> device = Device::open();
  const Vector vector = device->upload(Format::float32, {1.0f, 2.0f});
  device.reset();
  EXPECT_THAT(vector.read<float>(), ElementsAre(1, 2));
}

// Writes that do not fit their rows are refused whole: no row changes.
TEST(Vector, WriteErrors) {
  Vector vector = six();
  expect_error<BindingError>(
      [&] {
        vector.write({1u, 2u});
      },
      ErrorCode::row_count_mismatch, "The rows to write are 2, but the view has 6; they must be as many.");
  expect_error<BindingError>([&] { vector.write({1.0f}); }, ErrorCode::row_type_mismatch,
                             "Host rows are elements of 4 bytes of float, but a row of format uint32 is 4 bytes, 1 x "
                             "std::uint32_t; give structs or arrays of that size, or std::uint32_t lanes one after the "
                             "other.");
  Vector pairs = shared_device().upload(Format::uint32x2, {1u, 2u});
  expect_error<BindingError>(
      [&] {
        pairs.write({1u, 2u, 3u});
      },
      ErrorCode::partial_row,
      "3 lanes do not fill whole rows of format uint32x2, which have 2 lanes; 1 lane is left over.");
  EXPECT_THAT(vector.read<std::uint32_t>(), ElementsAre(0, 1, 2, 3, 4, 5));
}

// Uploads that do not fit their format are refused; so are ints for floats, which would be read bit for bit.
TEST(Vector, UploadErrors) {
  const std::vector<std::int32_t> ints = {1, 2};
  EXPECT_THROW((void)shared_device().upload(Format::float32, ints), BindingError);
  expect_error<BindingError>(
      [&] {
        (void)shared_device().upload(Format::float32x3, {1.0f, 2.0f});
      },
      ErrorCode::partial_row,
      "2 lanes do not fill whole rows of format float32x3, which have 3 lanes; 2 lanes are left "
      "over.");
}

// A loop that makes, reads and drops vectors ends with the bytes and objects it began with.
TEST(Vector, LoopsLeaveNothing) {
  Device device = Device::open();
  device.trim();
  const DeviceStats before = device.stats();
  for (int i = 0; i < 1000; ++i) {
    Vector vector = device.upload(Format::float32x3, {1.0f, 2.0f, 3.0f});
    vector.append(device.create_vector(Format::float32x3, {.length = 10}));
    ASSERT_EQ(vector.rows({.first = 0, .count = 2}).read<float>().size(), 6u);
  }
  device.wait();
  device.trim();
  const DeviceStats after = device.stats();
  EXPECT_EQ(after.live_bytes, before.live_bytes);
  EXPECT_EQ(after.live_objects, before.live_objects);
  EXPECT_EQ(after.cached_bytes, 0u);
  EXPECT_EQ(after.peak_bytes, before.live_bytes + 16 + 128);
}

static_assert(!std::is_constructible_v<VectorView, Vector>, "a temporary vector gives no view");
static_assert(!std::is_copy_constructible_v<Vector> && std::is_nothrow_move_constructible_v<Vector>);
static_assert(!std::is_constructible_v<MutableVectorView, const Vector&>, "a const vector is not written");

}  // namespace
}  // namespace millrace
