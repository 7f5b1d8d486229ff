// Fusion groups against a naive validator, on small graphs by hand and on random ones.
#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/expression/fusion_groups.hpp"

namespace millrace::expression {
namespace {

using Groups = std::vector<std::vector<std::uint32_t>>;
using Operations = std::vector<FusionOperation>;

FusionOperation operation(std::vector<std::uint32_t> operands, std::vector<std::uint32_t> inputs = {}) {
  return {
      .row_class = 0, .fusable = true, .node_count = 1, .operands = std::move(operands), .inputs = std::move(inputs)};
}
FusionOperation of_class(std::uint32_t row_class, std::vector<std::uint32_t> operands) {
  return {.row_class = row_class, .fusable = true, .node_count = 1, .operands = std::move(operands), .inputs = {}};
}
FusionOperation opaque(std::vector<std::uint32_t> operands) {
  return {.row_class = 0, .fusable = false, .node_count = 1, .operands = std::move(operands), .inputs = {}};
}

// depends[a][b]: a reads b, or what reads b. By repeated passes over the matrix, unlike the code under test.
std::vector<std::vector<bool>> dependencies(const Operations& operations) {
  const std::size_t count = operations.size();
  std::vector<std::vector<bool>> depends(count, std::vector<bool>(count));
  for (std::size_t a = 0; a < count; ++a) {
    for (const std::uint32_t b : operations[a].operands) depends[a][b] = true;
  }
  for (std::size_t via = 0; via < count; ++via) {
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) {
        if (depends[a][via] && depends[via][b]) depends[a][b] = true;
      }
    }
  }
  return depends;
}

// What is wrong with the groups; empty when nothing is.
std::string fault(const Operations& operations, const Groups& groups, std::uint32_t node_limit) {
  std::vector<int> group_of(operations.size(), -1);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    std::uint64_t nodes = 0;
    if (!std::is_sorted(groups[group].begin(), groups[group].end())) return "a group is not in declaration order";
    for (const std::uint32_t member : groups[group]) {
      if (group_of.at(member) != -1) return "an operation is in two groups";
      group_of[member] = static_cast<int>(group);
      nodes += operations[member].node_count;
      if (operations[member].row_class != operations[groups[group][0]].row_class) return "a group has two row classes";
      if (!operations[member].fusable && groups[group].size() > 1) return "an opaque operation was fused";
    }
    if (groups[group].size() > 1 && nodes > node_limit) return "a group is over the limit";
  }
  if (std::count(group_of.begin(), group_of.end(), -1) != 0) return "an operation is in no group";
  for (std::size_t a = 0; a < operations.size(); ++a) {
    for (const std::uint32_t b : operations[a].operands) {
      if (group_of[b] > group_of[a]) return "a group runs before what it reads";
    }
  }
  const auto depends = dependencies(operations);
  for (std::size_t last = 0; last < operations.size(); ++last) {
    for (std::size_t between = 0; between < operations.size(); ++between) {
      for (std::size_t first = 0; first < operations.size(); ++first) {
        if (group_of[first] == group_of[last] && group_of[between] != group_of[first] && depends[last][between] &&
            depends[between][first]) {
          return "a path leaves a group and comes back";
        }
      }
    }
  }
  return {};
}

bool share_rows(const Operations& operations, std::uint32_t a, std::uint32_t b) {
  const FusionOperation& first = operations[a];
  const FusionOperation& second = operations[b];
  for (const std::uint32_t operand : second.operands) {
    if (operand == a) return true;
    const bool both = std::count(first.operands.begin(), first.operands.end(), operand) != 0;
    if (both && operations[operand].row_class == first.row_class) return true;
  }
  for (const std::uint32_t input : second.inputs) {
    if (std::count(first.inputs.begin(), first.inputs.end(), input) != 0) return true;
  }
  return false;
}

// Two groups that share rows and could be one without a fault; "" where there are none. Tries every pair.
std::string missed_merge(const Operations& operations, const Groups& groups, std::uint32_t node_limit) {
  for (std::size_t first = 0; first < groups.size(); ++first) {
    for (std::size_t second = first + 1; second < groups.size(); ++second) {
      bool shares = false;
      for (const std::uint32_t a : groups[first]) {
        for (const std::uint32_t b : groups[second]) {
          shares = shares || share_rows(operations, std::min(a, b), std::max(a, b));
        }
      }
      if (!shares) continue;
      // The merged group stands where it can: behind what it needs, before what needs it.
      std::vector<std::uint32_t> merged = groups[first];
      merged.insert(merged.end(), groups[second].begin(), groups[second].end());
      std::sort(merged.begin(), merged.end());
      const auto depends = dependencies(operations);
      Groups before, after;
      for (std::size_t other = first + 1; other < second; ++other) {
        const bool follows = std::any_of(groups[other].begin(), groups[other].end(), [&](std::uint32_t reader) {
          return std::any_of(merged.begin(), merged.end(), [&](std::uint32_t read) { return depends[reader][read]; });
        });
        (follows ? after : before).push_back(groups[other]);
      }
      Groups candidate(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(first));
      candidate.insert(candidate.end(), before.begin(), before.end());
      candidate.push_back(merged);
      candidate.insert(candidate.end(), after.begin(), after.end());
      candidate.insert(candidate.end(), groups.begin() + static_cast<std::ptrdiff_t>(second) + 1, groups.end());
      if (fault(operations, candidate, node_limit).empty()) {
        return "groups " + std::to_string(first) + " and " + std::to_string(second);
      }
    }
  }
  return {};
}

// The design's first example would run as two kernels and store what nobody asked for.
TEST(FusionGroups, FusesAChain) {
  EXPECT_EQ(find_fusion_groups({operation({}), operation({0}), operation({1})}, true), (Groups{{0, 1, 2}}));
}

// `fusion = off` would not show whether fusion is at fault.
TEST(FusionGroups, KeepsEachOperationApartWithoutFusion) {
  EXPECT_EQ(find_fusion_groups({operation({}), operation({0}), operation({1})}, false), (Groups{{0}, {1}, {2}}));
}

// Vectors of different rows in one kernel would read past the end of the shorter.
TEST(FusionGroups, KeepsRowClassesApart) {
  EXPECT_EQ(find_fusion_groups({of_class(0, {}), of_class(1, {}), of_class(0, {0}), of_class(1, {1})}, true),
            (Groups{{0, 2}, {1, 3}}));
}

//   0 -> 1 (opaque) -> 2 and 0 -> 2: {0, 2} in one kernel would need the result of 1 before it has run.
TEST(FusionGroups, KeepsGroupsConvex) {
  EXPECT_EQ(find_fusion_groups({operation({}), opaque({0}), operation({0, 1})}, true), (Groups{{0}, {1}, {2}}));
}

// 0 -> 3 and 2 -> 1' would be two convex groups that wait for each other, in no order that can run.
//   class 0: 0, 3      class 1: 1, 2      3 reads 0 and 1; 2 reads 1 and 0.
TEST(FusionGroups, KeepsGroupsFromWaitingForEachOther) {
  const Operations operations = {of_class(0, {}), of_class(1, {}), of_class(1, {1, 0}), of_class(0, {0, 1})};
  const Groups groups = find_fusion_groups(operations, true);
  EXPECT_EQ(fault(operations, groups, 256), "");
  EXPECT_EQ(groups, (Groups{{0}, {1, 2}, {3}}));
}

// Two results of one input would read it twice.
TEST(FusionGroups, FusesReadersOfOneInput) {
  EXPECT_EQ(find_fusion_groups({operation({}, {7}), operation({}, {8}), operation({}, {7})}, true),
            (Groups{{0, 2}, {1}}));
}

// Two results that share a scalar alone would be tied together for nothing.
TEST(FusionGroups, DoesNotFuseReadersOfOneScalar) {
  EXPECT_EQ(find_fusion_groups({of_class(1, {}), of_class(0, {0}), of_class(0, {0})}, true), (Groups{{0}, {1}, {2}}));
}

// A kernel of thousands of nodes would take seconds to compile; one operation that is longer still compiles alone.
TEST(FusionGroups, KeepsTheNodeLimit) {
  Operations operations = {operation({}), operation({0}), operation({1})};
  operations[0].node_count = 200;
  operations[1].node_count = 56;
  EXPECT_EQ(find_fusion_groups(operations, true), (Groups{{0, 1}, {2}}));
  operations[1].node_count = 5000;
  EXPECT_EQ(find_fusion_groups(operations, true), (Groups{{0}, {1}, {2}}));
}

Operations random_operations(std::mt19937& random) {
  const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); };
  Operations operations;
  const std::uint32_t count = 1 + below(14);
  const std::uint32_t classes = 1 + below(3);
  for (std::uint32_t index = 0; index < count; ++index) {
    FusionOperation operation{below(classes), below(6) != 0, 1 + below(4), {}, {}};
    for (std::uint32_t edge = below(4); edge > 0 && index > 0; --edge) operation.operands.push_back(below(index));
    // Inputs belong to one class: rows of another cannot be read beside them.
    for (std::uint32_t edge = below(3); edge > 0; --edge) {
      operation.inputs.push_back(operation.row_class * 10 + below(3));
    }
    operations.push_back(operation);
  }
  return operations;
}

// Drops operations from the end while the fault stays, and prints what is left.
std::string describe_smallest(Operations operations, std::uint32_t node_limit) {
  while (operations.size() > 1) {
    Operations shorter(operations.begin(), operations.end() - 1);
    const Groups groups = find_fusion_groups(shorter, true, node_limit);
    if (fault(shorter, groups, node_limit).empty() && missed_merge(shorter, groups, node_limit).empty()) break;
    operations = std::move(shorter);
  }
  std::string text;
  for (const FusionOperation& operation : operations) {
    text += "class " + std::to_string(operation.row_class) + (operation.fusable ? "" : " opaque") + " nodes " +
            std::to_string(operation.node_count) + " reads";
    for (const std::uint32_t operand : operation.operands) text += " " + std::to_string(operand);
    text += " inputs";
    for (const std::uint32_t input : operation.inputs) text += " " + std::to_string(input);
    text += "\n";
  }
  return text;
}

// Some graph would deadlock, compute with wrong rows, or be split for no reason.
TEST(FusionGroups, HoldOnRandomGraphs) {
  for (std::uint32_t seed = 1; seed <= 2000; ++seed) {
    std::mt19937 random(seed);
    const Operations operations = random_operations(random);
    const std::uint32_t node_limit = seed % 2 == 0 ? 6 : 256;
    const Groups groups = find_fusion_groups(operations, true, node_limit);
    ASSERT_EQ(fault(operations, groups, node_limit), "") << "seed " << seed << "\n"
                                                         << describe_smallest(operations, node_limit);
    ASSERT_EQ(missed_merge(operations, groups, node_limit), "") << "seed " << seed << "\n"
                                                                << describe_smallest(operations, node_limit);
  }
}

// The property test would pass on anything: groups that are wrong on purpose must fail it.
TEST(FusionGroups, ValidatorFindsWrongGroups) {
  const Operations operations = {operation({}), opaque({0}), operation({0, 1}), of_class(1, {})};
  EXPECT_EQ(fault(operations, {{0, 2}, {1}, {3}}, 256), "a group runs before what it reads");
  EXPECT_EQ(fault(operations, {{0}, {1, 2}, {3}}, 256), "an opaque operation was fused");
  EXPECT_EQ(fault(operations, {{0}, {1}, {2, 3}}, 256), "a group has two row classes");
  EXPECT_EQ(fault(operations, {{0}, {1}, {2}}, 256), "an operation is in no group");
  EXPECT_EQ(fault(operations, {{0}, {0}, {1}, {2}, {3}}, 256), "an operation is in two groups");
  EXPECT_EQ(fault({operation({}), operation({0})}, {{0, 1}}, 1), "a group is over the limit");
  EXPECT_EQ(missed_merge({operation({}), operation({0})}, {{0}, {1}}, 256), "groups 0 and 1");
}

}  // namespace
}  // namespace millrace::expression
