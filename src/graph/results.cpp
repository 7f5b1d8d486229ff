// Results as a short list, searched by name.
#include <millrace/results.hpp>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/base/near_name.hpp"
#include "src/graph/results_access.hpp"

namespace millrace {
namespace {

std::vector<std::string> result_names(const std::vector<NamedResult>& results) {
  std::vector<std::string> names;
  names.reserve(results.size());
  for (const NamedResult& result : results) names.push_back(result.name);
  return names;
}

void check_not_moved(const void* outputs) {
  if (outputs == nullptr) {
    throw BindingError(ErrorCode::destroyed, "",
                       "The results were moved from; use the object that they were moved to.");
  }
}

// `Outputs` is private to Results, so this is given its list.
template <class NamedResults>
auto& find_result(NamedResults& results, std::string_view name) {
  for (auto& result : results) {
    if (result.name != name) continue;
    if (!result.is_taken) return result;
    throw GraphError(ErrorCode::not_owned, std::string(name),
                     fmt::format("The result \"{}\" was taken; what took it owns it now.", name));
  }
  throw GraphError(ErrorCode::no_such_result, std::string(name),
                   fmt::format("The run has no result \"{name}\"{advice}", fmt::arg("name", name),
                               fmt::arg("advice", name_advice(name, result_names(results)))));
}

}  // namespace

Results::Results(std::unique_ptr<Outputs> outputs) : outputs_(std::move(outputs)) {}
Results::Results(Results&&) noexcept = default;
Results& Results::operator=(Results&&) noexcept = default;
Results::~Results() = default;

VectorView Results::operator[](std::string_view output) const& {
  check_not_moved(outputs_.get());
  return VectorView(find_result(std::as_const(outputs_->results), output).vector);
}

Vector Results::take(std::string_view output) {
  check_not_moved(outputs_.get());
  NamedResult& result = find_result(outputs_->results, output);
  result.is_taken = true;
  return std::move(result.vector);
}

std::vector<std::string> Results::names() const {
  check_not_moved(outputs_.get());
  return result_names(outputs_->results);
}

}  // namespace millrace
