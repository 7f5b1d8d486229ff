// What a run is given, by role and by name.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <variant>

#include <millrace/host_rows.hpp>
#include <millrace/name.hpp>
#include <millrace/vector.hpp>

namespace [[gnu::visibility("default")]] millrace {

// Any integer or floating-point number; bool and characters are none.
template <class T>
concept HostNumber =
    std::is_arithmetic_v<T> && !std::same_as<T, bool> && !std::same_as<T, char> && !std::same_as<T, char8_t> &&
    !std::same_as<T, char16_t> && !std::same_as<T, char32_t> && !std::same_as<T, wchar_t>;

// A number for a scalar of any format. An integer goes where it is exact, a floating-point number only to float32
// (rounded; a float arrives with all its bits, also where it is NaN); anything else is BindingError `number_out_of_range`.
class Number {
 public:
  Number(float value) : value_(widened(value)) {}
  template <std::floating_point T>
  Number(T value) : value_(static_cast<double>(value)) {}
  // clang-format off
  template <std::integral T>
    requires HostNumber<T> && std::is_signed_v<T>
  Number(T value) : value_(static_cast<std::int64_t>(value)) {}
  template <std::integral T>
    requires HostNumber<T> && std::is_unsigned_v<T>
  Number(T value) : value_(static_cast<std::uint64_t>(value)) {}
  // clang-format on

  [[nodiscard]] const std::variant<double, std::int64_t, std::uint64_t>& value() const { return value_; }

 private:
  // A conversion would make a quiet NaN of a signalling one.
  static double widened(float value) {
    const std::uint64_t bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffff) <= 0x7f800000) return static_cast<double>(value);
    return std::bit_cast<double>((bits & 0x80000000) << 32 | 0x7ff0000000000000 | (bits & 0x7fffff) << 29);
  }

  std::variant<double, std::int64_t, std::uint64_t> value_;
};

// Two to four lanes of a scalar, each a Number of the array's type.
class NumberLanes {
 public:
  template <LaneRow T>
  explicit NumberLanes(const T& lanes);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] const Number& lane(std::size_t index) const { return lanes_[index]; }

 private:
  static constexpr std::size_t kMostLanes = 4;
  std::array<Number, kMostLanes> lanes_ = {Number(0), Number(0), Number(0), Number(0)};
  std::size_t count_ = 0;
};

// An input, borrowed until its run was submitted: a vector; or a scalar: a number, or lanes such as
// std::array{1.0f, 0.0f, 0.0f}. A temporary Vector does not compile.
class InputValue {
 public:
  template <HostNumber T>
  InputValue(T number) : value_(Number(number)) {}
  template <LaneRow T>
  InputValue(const T& lanes) : value_(NumberLanes(lanes)) {}
  InputValue(Number number) : value_(number) {}
  InputValue(const VectorView& vector) : value_(vector) {}
  InputValue(const Vector& vector) : value_(VectorView(vector)) {}
  InputValue(Vector&&) = delete;
  InputValue(const Vector&&) = delete;

  [[nodiscard]] const std::variant<Number, NumberLanes, VectorView>& value() const { return value_; }

 private:
  std::variant<Number, NumberLanes, VectorView> value_;
};

// All that a run borrows, by role.
struct Bindings {
  NamedList<InputValue> inputs = {};  // read
};

template <LaneRow T>
NumberLanes::NumberLanes(const T& lanes) {
  using Lane = detail::LaneOf<std::remove_cv_t<T>>;
  static_assert(sizeof(T) % sizeof(Lane) == 0 && sizeof(T) / sizeof(Lane) <= kMostLanes,
                "a scalar has at most four lanes");
  count_ = sizeof(T) / sizeof(Lane);
  for (std::size_t index = 0; index < count_; ++index) {
    Lane lane;
    std::memcpy(&lane, reinterpret_cast<const std::byte*>(&lanes) + index * sizeof(Lane), sizeof(Lane));
    lanes_[index] = Number(lane);
  }
}

}  // namespace millrace
