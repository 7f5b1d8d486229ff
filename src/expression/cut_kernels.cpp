// Puts roots, and the nodes that must be stored between them, into as few kernels as fit.
//
// What is to be stored is taken in order; each joins the kernel where it adds the fewest bindings, or begins a new one. A
// node that only its own kernel reads is not stored after all.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <millrace/error.hpp>

#include "src/expression/kernel_text.hpp"
#include "src/expression/stored_nodes.hpp"

namespace millrace::expression {
namespace {

// An output of some kernel: a root, or a node that other kernels read.
struct Item {
  NodeIndex node;
  Format format;
  bool is_root;
};
using ItemIndex = std::size_t;

struct Kernel {
  std::vector<ItemIndex> items;
  Reads reads;
};
using KernelIndex = std::size_t;

// The nodes of a kernel, found depth first from its outputs.
struct Contents {
  std::vector<Leaf> leaves;
  std::vector<Replacement> replacements;
  std::uint32_t computed_count = 0;
};

class KernelCutter {
 public:
  KernelCutter(const Dag& dag, const StoredNodes& nodes, const std::vector<KernelOutput>& roots,
               std::uint32_t storage_buffers, std::uint32_t node_limit)
      : dag_(dag), nodes_(nodes), storage_buffers_(storage_buffers), node_limit_(node_limit) {
    for (const KernelOutput& root : roots) items_.push_back({root.node, root.format, true});
    for (const NodeIndex node : nodes.stored()) {
      const auto same = [&](const Item& item) { return item.node == node && item.format == nodes.format(node); };
      if (std::none_of(items_.begin(), items_.end(), same)) items_.push_back({node, nodes.format(node), false});
    }
    std::stable_sort(items_.begin(), items_.end(),
                     [&](const Item& a, const Item& b) { return nodes.order(a.node) < nodes.order(b.node); });
    for (const Item& item : items_) {
      for (const NodeIndex read : nodes.reads(item.node)) ++waiting_readers_[read];
    }
  }

  [[nodiscard]] std::vector<KernelCut> cut() {
    for (ItemIndex item = 0; item < items_.size(); ++item) place(item);
    // From the last to the first, so that it is known what is read.
    std::vector<KernelCut> cuts;
    std::set<NodeIndex> read;
    const std::vector<KernelIndex> order = in_order();
    for (auto kernel = order.rbegin(); kernel != order.rend(); ++kernel) {
      KernelCut cut = finished(kernels_[*kernel], read);
      if (cut.outputs.empty()) continue;
      for (const Leaf& leaf : cut.leaves) read.insert(leaf.node);
      cuts.push_back(std::move(cut));
    }
    std::reverse(cuts.begin(), cuts.end());
    return cuts;
  }

 private:
  void place(ItemIndex item) {
    for (const NodeIndex read : nodes_.reads(items_[item].node)) --waiting_readers_[read];
    std::optional<KernelIndex> best;
    std::size_t best_added = 0;
    for (KernelIndex index = 0; index < kernels_.size(); ++index) {
      const std::optional<std::size_t> added = added_bindings(index, item);
      if (added && (!best || *added < best_added)) {
        best = index;
        best_added = *added;
      }
    }
    if (!best) {
      best = kernels_.size();
      kernels_.emplace_back();
    }
    for (const NodeIndex read : kernels_[*best].reads) readers_[read].erase(*best);
    kernels_[*best] = with_item(kernels_[*best], item);
    for (const NodeIndex read : kernels_[*best].reads) readers_[read].insert(*best);
    const Item& placed = items_[item];
    if (nodes_.is_stored(placed.node) && placed.format == nodes_.format(placed.node)) {
      producers_.try_emplace(placed.node, *best);
    }
  }

  [[nodiscard]] Kernel with_item(const Kernel& kernel, ItemIndex item) const {
    Kernel joined{kernel.items, {}};
    joined.items.push_back(item);
    std::set<NodeIndex> computed;
    for (const ItemIndex member : joined.items) {
      const NodeIndex node = items_[member].node;
      joined.reads.insert(nodes_.reads(node).begin(), nodes_.reads(node).end());
      if (nodes_.find_leaf(node) == nullptr) computed.insert(node);
    }
    std::erase_if(joined.reads, [&](NodeIndex read) { return computed.contains(read); });
    joined.reads = nodes_.reduced(std::move(joined.reads), computed);
    return joined;
  }

  // How many bindings the kernel would have more; nothing where the item cannot join it.
  [[nodiscard]] std::optional<std::size_t> added_bindings(KernelIndex index, ItemIndex item) const {
    const Kernel& kernel = kernels_[index];
    if (dag_.node(items_[kernel.items.front()].node).per_row != dag_.node(items_[item].node).per_row) return {};
    const Kernel joined = with_item(kernel, item);
    const std::vector<ItemIndex> outputs = stored_items(joined, index);
    const std::size_t bindings = joined.reads.size() + outputs.size();
    if (bindings > storage_buffers_ || waits_for(joined.reads, index)) return {};
    if (contents(joined, outputs).computed_count > node_limit_) return {};
    const std::size_t before = kernel.reads.size() + stored_items(kernel, index).size();
    return bindings > before ? bindings - before : 0;
  }

  // The items that the kernel, which stands at that place, must store: roots, and what is read elsewhere.
  [[nodiscard]] std::vector<ItemIndex> stored_items(const Kernel& kernel, KernelIndex place) const {
    std::vector<ItemIndex> stored;
    for (const ItemIndex item : kernel.items) {
      if (items_[item].is_root || is_read_elsewhere(items_[item].node, place)) stored.push_back(item);
    }
    return stored;
  }

  [[nodiscard]] bool is_read_elsewhere(NodeIndex node, KernelIndex place) const {
    const auto waiting = waiting_readers_.find(node);
    if (waiting != waiting_readers_.end() && waiting->second > 0) return true;
    const auto readers = readers_.find(node);
    return readers != readers_.end() && readers->second.size() > readers->second.count(place);
  }

  // Whether something in `reads` is produced by another kernel that itself needs, maybe through others, this one.
  [[nodiscard]] bool waits_for(const Reads& reads, KernelIndex target) const {
    std::vector<KernelIndex> pending;
    std::set<KernelIndex> reached;
    const auto reach_producers = [&](const Reads& read_nodes) {
      for (const NodeIndex node : read_nodes) {
        const auto producer = producers_.find(node);
        if (producer != producers_.end() && reached.insert(producer->second).second)
          pending.push_back(producer->second);
      }
    };
    reach_producers(reads);
    while (!pending.empty()) {
      const KernelIndex kernel = pending.back();
      pending.pop_back();
      if (kernel == target) return true;
      reach_producers(kernels_[kernel].reads);
    }
    return false;
  }

  [[nodiscard]] Leaf leaf(NodeIndex node) const {
    if (const Leaf* given = nodes_.find_leaf(node)) return *given;
    return {node, dag_.node(node).per_row ? LeafKind::rows : LeafKind::stored_scalar, nodes_.format(node)};
  }

  [[nodiscard]] Contents contents(const Kernel& kernel, const std::vector<ItemIndex>& outputs) const {
    std::map<NodeIndex, NodeIndex> replacements;
    for (const NodeIndex read : kernel.reads) {
      if (const PackedNodes* pack = nodes_.find_pack(read)) {
        for (const Replacement& member : pack->members) replacements.emplace(member.node, member.by);
      }
    }
    Contents found;
    std::set<NodeIndex> visited;
    std::vector<NodeIndex> pending;
    for (auto output = outputs.rbegin(); output != outputs.rend(); ++output) pending.push_back(items_[*output].node);
    while (!pending.empty()) {
      const NodeIndex node = pending.back();
      pending.pop_back();
      if (!visited.insert(node).second) continue;
      if (kernel.reads.contains(node)) {
        found.leaves.push_back(leaf(node));
      } else if (const auto replaced = replacements.find(node); replaced != replacements.end()) {
        found.replacements.push_back({node, replaced->second});
        pending.push_back(replaced->second);
      } else if (nodes_.find_leaf(node) != nullptr) {
        found.leaves.push_back(leaf(node));  // a host scalar
      } else {
        ++found.computed_count;
        const std::vector<NodeIndex>& operands = dag_.node(node).operands;
        pending.insert(pending.end(), operands.rbegin(), operands.rend());
      }
    }
    return found;
  }

  // Each kernel after those that produce what it reads, else in order of making.
  [[nodiscard]] std::vector<KernelIndex> in_order() const {
    std::vector<KernelIndex> order;
    std::set<KernelIndex> done;
    while (order.size() < kernels_.size()) {
      const std::size_t before = order.size();
      for (KernelIndex kernel = 0; kernel < kernels_.size(); ++kernel) {
        const bool is_ready =
            std::all_of(kernels_[kernel].reads.begin(), kernels_[kernel].reads.end(), [&](NodeIndex read) {
              const auto producer = producers_.find(read);
              return producer == producers_.end() || done.contains(producer->second);
            });
        if (is_ready && done.insert(kernel).second) order.push_back(kernel);
      }
      if (order.size() == before) throw InternalError("Kernels of one fusion group wait for each other.");
    }
    return order;
  }

  // read: by the kernels after it.
  [[nodiscard]] KernelCut finished(const Kernel& kernel, const std::set<NodeIndex>& read) const {
    std::vector<ItemIndex> outputs;
    for (const ItemIndex item : kernel.items) {
      if (items_[item].is_root || read.contains(items_[item].node)) outputs.push_back(item);
    }
    Contents found = contents(kernel, outputs);
    KernelCut cut{std::move(found.leaves), {}, std::move(found.replacements)};
    for (const ItemIndex output : outputs) cut.outputs.push_back({items_[output].node, items_[output].format});
    return cut;
  }

  const Dag& dag_;
  const StoredNodes& nodes_;
  const std::uint32_t storage_buffers_;
  const std::uint32_t node_limit_;
  std::vector<Item> items_;  // each after what it reads
  std::vector<Kernel> kernels_;
  std::map<NodeIndex, KernelIndex> producers_;          // of stored nodes
  std::map<NodeIndex, std::set<KernelIndex>> readers_;  // of stored nodes and leaves
  std::map<NodeIndex, std::uint32_t> waiting_readers_;  // items not placed yet that read the node
};

}  // namespace

std::vector<KernelCut> cut_kernels(Dag& dag, const std::vector<Leaf>& leaves, const std::vector<KernelOutput>& roots,
                                   std::uint32_t storage_buffers, std::uint32_t node_limit) {
  const StoredNodes nodes(dag, leaves, roots, storage_buffers - 1);
  return KernelCutter(dag, nodes, roots, storage_buffers, node_limit).cut();
}

}  // namespace millrace::expression
