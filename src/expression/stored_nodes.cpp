// From the operands up, each node that would read too much has something below it stored.
//
// The choice is greedy: the candidate that brings the node within its limit; a root before others, because it is stored
// anyway; then fewest reads, then fewest bytes. After a choice the nodes above it are worked out again. A stored node that
// could be computed from what is read anyway is not read, so that storing one node seldom makes others read more.
#include "src/expression/stored_nodes.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/expression/function_table.hpp"

namespace millrace::expression {

StoredNodes::StoredNodes(Dag& dag, const std::vector<Leaf>& leaves, const std::vector<KernelOutput>& roots,
                         std::uint32_t read_limit)
    : dag_(dag), roots_(roots), read_limit_(read_limit) {
  for (const Leaf& leaf : leaves) leaves_.emplace(leaf.node, leaf);
  find_nodes();
  for (const NodeIndex node : nodes_) {
    leaf_reads_[node] = leaf_reads_of_operands(node);
    reads_[node] = reads_of_operands(node);
    while (reads_.at(node).size() > read_limit_) store_one(node, node);
  }
  while (const std::optional<NodeIndex> node = find_over_limit()) store_one(*node, nodes_.back());
}

// What was stored for a later node may have raised the reads of an earlier one that is to be stored itself.
std::optional<NodeIndex> StoredNodes::find_over_limit() const {
  for (const NodeIndex node : nodes_) {
    const bool is_root =
        std::any_of(roots_.begin(), roots_.end(), [&](const KernelOutput& root) { return root.node == node; });
    if ((is_root || stored_.contains(node)) && reads_.at(node).size() > read_limit_) return node;
  }
  return std::nullopt;
}

void StoredNodes::find_nodes() {
  std::set<NodeIndex> found;
  std::vector<NodeIndex> pending;
  for (const KernelOutput& root : roots_) pending.push_back(root.node);
  while (!pending.empty()) {
    const NodeIndex node = pending.back();
    pending.pop_back();
    if (!found.insert(node).second || leaves_.contains(node)) continue;
    for (const NodeIndex operand : dag_.node(node).operands) pending.push_back(operand);
  }
  nodes_.assign(found.begin(), found.end());
}

const Leaf* StoredNodes::find_leaf(NodeIndex node) const {
  const auto found = leaves_.find(node);
  return found == leaves_.end() ? nullptr : &found->second;
}

const PackedNodes* StoredNodes::find_pack(NodeIndex vector) const {
  const auto found = packs_.find(vector);
  return found == packs_.end() ? nullptr : &found->second;
}

std::uint64_t StoredNodes::order(NodeIndex node) const {
  const PackedNodes* pack = find_pack(node);
  // A packed vector is younger than its user but comes right before it.
  return pack != nullptr ? 2 * std::uint64_t{pack->user.value} : 2 * std::uint64_t{node.value} + 1;
}

std::vector<NodeIndex> StoredNodes::stored() const {
  std::vector<NodeIndex> nodes(stored_.begin(), stored_.end());
  std::stable_sort(nodes.begin(), nodes.end(), [&](NodeIndex a, NodeIndex b) { return order(a) < order(b); });
  return nodes;
}

Format StoredNodes::format(NodeIndex node) const {
  const Node& shape = dag_.node(node);
  return shape.kind == NodeKind::requantize ? static_cast<Format>(shape.payload) : stored_format(shape.type);
}

// What one operand adds to the reads of a kernel that needs it.
Reads StoredNodes::contribution(NodeIndex operand) const {
  if (stored_.contains(operand)) return {operand};
  return reads_.at(operand);
}

Reads StoredNodes::reads_of_operands(NodeIndex node) const {
  if (const Leaf* leaf = find_leaf(node)) return leaf->kind == LeafKind::host_scalar ? Reads{} : Reads{node};
  Reads reads;
  std::set<NodeIndex> packed;
  if (const auto vectors = packs_of_.find(node); vectors != packs_of_.end()) {
    for (const NodeIndex vector : vectors->second) {
      reads.insert(vector);
      for (const Replacement& member : packs_.at(vector).members) packed.insert(member.node);
    }
  }
  for (const NodeIndex operand : dag_.node(node).operands) {
    if (!packed.contains(operand)) reads.merge(contribution(operand));
  }
  reads = reduced(std::move(reads), {});
  const std::optional<Reads>& leaf_reads = leaf_reads_.at(node);
  return leaf_reads && leaf_reads->size() < reads.size() ? *leaf_reads : reads;
}

// The stored leaves below a node; nothing where they are more than a kernel can read.
std::optional<Reads> StoredNodes::leaf_reads_of_operands(NodeIndex node) const {
  if (const Leaf* leaf = find_leaf(node)) return leaf->kind == LeafKind::host_scalar ? Reads{} : Reads{node};
  Reads reads;
  for (const NodeIndex operand : dag_.node(node).operands) {
    const std::optional<Reads>& below = leaf_reads_.at(operand);
    if (!below) return std::nullopt;
    reads.insert(below->begin(), below->end());
  }
  if (reads.size() > read_limit_) return std::nullopt;
  return reads;
}

Reads StoredNodes::reduced(Reads reads, const std::set<NodeIndex>& computed) const {
  std::set<NodeIndex> members;
  for (const NodeIndex read : Reads(reads)) {
    const PackedNodes* pack = find_pack(read);
    if (pack == nullptr) continue;
    for (const Replacement& member : pack->members) {
      members.insert(member.node);
      reads.erase(member.node);
    }
  }
  std::vector<NodeIndex> stored;
  for (const NodeIndex read : reads) {
    if (stored_.contains(read) && find_pack(read) == nullptr) stored.push_back(read);
  }
  std::set<NodeIndex> at_hand = computed;
  at_hand.insert(members.begin(), members.end());
  at_hand.insert(reads.begin(), reads.end());
  // From the top down: a node is computed from lower ones alone, so that two never count on each other.
  for (auto read = stored.rbegin(); read != stored.rend(); ++read) {
    if (can_compute(*read, at_hand)) reads.erase(*read);
  }
  return reads;
}

// Whether a stored node's reads are all at hand, or can be computed in their turn. A long formula has long chains of
// them.
bool StoredNodes::can_compute(NodeIndex node, const std::set<NodeIndex>& at_hand) const {
  std::set<NodeIndex> reached{node};
  std::vector<NodeIndex> pending{node};
  while (!pending.empty()) {
    const Reads& needed = reads_.at(pending.back());
    pending.pop_back();
    for (const NodeIndex read : needed) {
      if (at_hand.contains(read)) continue;
      if (!stored_.contains(read) || find_pack(read) != nullptr) return false;
      if (reached.insert(read).second) pending.push_back(read);
    }
  }
  return true;
}

// Works out again the nodes above `after`, up to `last`.
void StoredNodes::update(NodeIndex after, NodeIndex last) {
  for (auto node = std::upper_bound(nodes_.begin(), nodes_.end(), after); node != nodes_.end() && *node <= last;
       ++node) {
    reads_[*node] = reads_of_operands(*node);
  }
}

bool StoredNodes::is_exact_root(NodeIndex node) const {
  return std::any_of(roots_.begin(), roots_.end(),
                     [&](const KernelOutput& root) { return root.node == node && root.format == format(node); });
}

// Nodes below this one whose storing could save reads. One that reads a single node saves nothing.
std::vector<NodeIndex> StoredNodes::candidates(NodeIndex node) const {
  std::set<NodeIndex> found;
  const auto is_candidate = [&](NodeIndex candidate) {
    return !leaves_.contains(candidate) && !stored_.contains(candidate) && reads_.at(candidate).size() >= 2;
  };
  for (const NodeIndex operand : dag_.node(node).operands) {
    if (is_candidate(operand)) found.insert(operand);
  }
  for (const KernelOutput& root : roots_) {
    if (root.node < node && is_exact_root(root.node) && is_candidate(root.node)) found.insert(root.node);
  }
  return {found.begin(), found.end()};
}

std::size_t StoredNodes::read_count_if_stored(NodeIndex candidate, NodeIndex node) {
  const std::map<NodeIndex, Reads> before(reads_.upper_bound(candidate), reads_.upper_bound(node));
  stored_.insert(candidate);
  update(candidate, node);
  const std::size_t count = reads_.at(node).size();
  stored_.erase(candidate);
  for (const auto& [changed, reads] : before) reads_[changed] = reads;
  return count;
}

void StoredNodes::store_one(NodeIndex node, NodeIndex last) {
  const std::size_t now = reads_.at(node).size();
  const std::vector<NodeIndex>& operands = dag_.node(node).operands;
  std::optional<NodeIndex> best;
  auto best_cost = std::tuple(now, true, now, std::uint32_t{0});
  for (const NodeIndex candidate : candidates(node)) {
    const std::size_t count = read_count_if_stored(candidate, node);
    const bool is_root = is_exact_root(candidate);
    const bool is_operand = std::find(operands.begin(), operands.end(), candidate) != operands.end();
    if (!is_operand && count >= now) continue;
    const std::size_t excess = count > read_limit_ ? count - read_limit_ : 0;
    const auto cost = std::tuple(excess, !is_root, count, is_root ? 0 : bytes_per_row(format(candidate)));
    if (!best || cost < best_cost) {
      best = candidate;
      best_cost = cost;
    }
  }
  if (!best) return pack_two(node);
  stored_.insert(*best);
  update(*best, last);
}

// All operands read one node each, and there are too many of them: two lie side by side in one vector.
void StoredNodes::pack_two(NodeIndex user) {
  std::set<NodeIndex> operands;
  for (const NodeIndex operand : dag_.node(user).operands) {
    if (!contribution(operand).empty()) operands.insert(operand);
  }
  std::optional<std::pair<NodeIndex, NodeIndex>> best;
  auto best_cost = std::tuple(true, std::uint32_t{4});
  for (const NodeIndex first : operands) {
    for (const NodeIndex second : operands) {
      const Node& a = dag_.node(first);
      const Node& b = dag_.node(second);
      const auto cost = std::tuple(a.per_row || b.per_row, std::uint32_t{a.type.width} + b.type.width);
      if (second <= first || std::get<1>(cost) > 4 || (best && cost >= best_cost)) continue;
      best = std::pair(first, second);
      best_cost = cost;
    }
  }
  if (!best) {
    throw InternalError(
        fmt::format("A function of {count} operands of four lanes each does not fit in a kernel that "
                    "binds {limit} storage buffers.",
                    fmt::arg("count", operands.size()), fmt::arg("limit", read_limit_ + 1)));
  }
  const auto [first, second] = *best;
  const NodeIndex vector = join(first, second);
  Reads reads = contribution(first);
  reads.merge(contribution(second));
  reads_[vector] = std::move(reads);
  stored_.insert(vector);
  packs_[vector] = {vector, user, {member(vector, first, 0), member(vector, second, dag_.node(first).type.width)}};
  packs_of_[user].push_back(vector);
  reads_[user] = reads_of_operands(user);
}

// Both operands' lanes in one vector; as bits where they differ in type.
NodeIndex StoredNodes::join(NodeIndex first, NodeIndex second) {
  Lane lane = dag_.node(first).type.lane;
  if (lane != dag_.node(second).type.lane) {
    lane = Lane::u32;
    for (NodeIndex* operand : {&first, &second}) {
      const Type type = dag_.node(*operand).type;
      if (type.lane != lane) *operand = dag_.add(NodeKind::reinterpret, {lane, type.width}, 0, {*operand});
    }
  }
  const std::uint32_t width = std::uint32_t{dag_.node(first).type.width} + dag_.node(second).type.width;
  static constexpr std::string_view kConstructors[] = {"vec2", "vec3", "vec4"};
  const FunctionIndex constructor = find_function(kConstructors[width - 2]).value();
  return dag_.add(NodeKind::call, {lane, static_cast<std::uint8_t>(width)}, constructor.value, {first, second});
}

Replacement StoredNodes::member(NodeIndex vector, NodeIndex node, std::uint32_t first_lane) {
  const Type type = dag_.node(node).type;
  const Lane stored_lane = dag_.node(vector).type.lane;
  std::uint32_t lanes = 0;
  for (std::uint32_t lane = 0; lane < type.width; ++lane) lanes |= (first_lane + lane) << (2 * lane);
  NodeIndex value = dag_.add(NodeKind::swizzle, {stored_lane, type.width}, lanes, {vector});
  if (stored_lane != type.lane) value = dag_.add(NodeKind::reinterpret, type, 0, {value});
  return {node, value};
}

}  // namespace millrace::expression
