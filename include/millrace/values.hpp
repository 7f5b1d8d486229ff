// What a graph knows of a value before compilation: its kind and format, and constraints that bindings are checked
// against. None of these creates a GPU object.
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include <millrace/format.hpp>
#include <millrace/shape.hpp>

namespace [[gnu::visibility("default")]] millrace {

// A number of one to four lanes: float32, sint32 or uint32 formats. Supplied as a host number for each run.
struct ScalarType {
  Format format;
};
// Rows of a format. Shape and like are constraints that a binding is checked against; they never repack it.
struct VectorType {
  Format format;
  VectorShape shape = {};
  std::optional<Like> like = {};  // the rows and chunks of another value instead of a shape
};

[[nodiscard]] inline ScalarType scalar_of(Format format) { return {.format = format}; }
[[nodiscard]] inline VectorType vector_of(Format format, VectorShape shape = {}) {
  return {.format = format, .shape = std::move(shape), .like = {}};
}
[[nodiscard]] inline VectorType vector_of(Format format, Like like) {
  return {.format = format, .shape = {}, .like = std::move(like)};
}

// Either of them.
class ValueType {
 public:
  ValueType(ScalarType type) : type_(type) {}
  ValueType(VectorType type) : type_(std::move(type)) {}

  [[nodiscard]] Format format() const {
    const VectorType* vector = find_vector();
    return vector != nullptr ? vector->format : std::get<ScalarType>(type_).format;
  }
  [[nodiscard]] bool is_scalar() const { return std::holds_alternative<ScalarType>(type_); }
  // Null for a scalar.
  [[nodiscard]] const VectorType* find_vector() const { return std::get_if<VectorType>(&type_); }

 private:
  std::variant<ScalarType, VectorType> type_;
};

}  // namespace millrace
