// How an execution fills Results.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <millrace/results.hpp>

namespace millrace {

struct NamedResult {
  std::string name;
  Vector vector;
  bool is_taken = false;
};

struct Results::Outputs {
  std::vector<NamedResult> results;
};

struct ResultsAccess {
  [[nodiscard]] static Results make(std::vector<NamedResult> results) {
    return Results(std::make_unique<Results::Outputs>(Results::Outputs{std::move(results)}));
  }
};

}  // namespace millrace
