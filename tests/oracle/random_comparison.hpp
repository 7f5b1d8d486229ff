// Random graphs on a device against the oracle.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <millrace/millrace.hpp>

namespace millrace::oracle {

// A lane of a result that the contract does not allow, in the smallest formula that shows it; or formulas that inference
// takes and the device does not.
struct Mismatch {
  std::string text;  // the formulas, the row's inputs, what is allowed, what came; or what was thrown
  bool is_refusal;
};

struct ComparisonCounts {
  std::uint64_t formulas = 0;
  std::uint64_t refused = 0;  // drawn, and refused for a fault that a type cannot show, such as a division by literal 0
  std::uint64_t lanes = 0;
  std::uint64_t open_lanes = 0;    // whose value the contract leaves open
  std::uint64_t single_lanes = 0;  // to which it leaves one value
};

struct ComparisonOptions {
  std::size_t formulas = 6;
  std::size_t rows = 40;
  bool unfused = true;  // compile and run once more with every formula a kernel of its own
  bool shrinks = true;
};

// One graph of formulas drawn by the seed: every lane of every row, fused and unfused, is among what the oracle allows;
// where that is one value, both runs are equal by that.
[[nodiscard]] std::optional<Mismatch> find_mismatch(Device& device, std::uint64_t seed, ComparisonCounts& counts,
                                                    const ComparisonOptions& options = {});

}  // namespace millrace::oracle
