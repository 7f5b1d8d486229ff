// The selected outputs of one run.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <millrace/vector.hpp>

namespace [[gnu::visibility("default")]] millrace {

// Owns the produced vectors until they are taken. Move-only. Unknown names throw GraphError `no_such_result`; all calls on
// results that were moved from, BindingError `destroyed`.
class Results {
 public:
  Results(Results&&) noexcept;
  Results& operator=(Results&&) noexcept;
  ~Results();

  // The rows of an output; a scalar is a vector of one row. The view is good as long as the vector is, also when taken.
  [[nodiscard]] VectorView operator[](std::string_view output) const&;
  [[nodiscard]] VectorView operator[](std::string_view output) const&& = delete;
  // The vector itself. GraphError `not_owned` for one that was taken.
  [[nodiscard]] Vector take(std::string_view output);
  // The outputs' names, in the order selected.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  friend struct ResultsAccess;
  struct Outputs;
  explicit Results(std::unique_ptr<Outputs> outputs);
  std::unique_ptr<Outputs> outputs_;
};

}  // namespace millrace
