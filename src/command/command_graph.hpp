// Commands over bytes: virtual buffers, and nodes that state their uses of them.
//
// A command graph is a value without GPU objects: it can be built once for a shape, kept in a recipe, and bound to
// physical buffers again and again (encode.hpp). Declaration order is the meaning. Every use names a byte range; what is
// encoded reaches declared ranges only.
//
//   virtual buffer   imported (bound at each execution) or transient (planned, unspecified until written)
//   bind set         the storage bindings of one kernel over some byte ranges; shared by the nodes that need the same
//   node             a kernel, a bind set, a parameter record, a dispatch size
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "src/base/index.hpp"

namespace millrace::command {

using BufferIndex = Index<struct VirtualBufferTag>;
using BindSetIndex = Index<struct BindSetTag>;
using KernelIndex = Index<struct KernelTag>;

enum class Residence : std::uint8_t { imported, transient };

struct VirtualBuffer {
  std::string name;  // of the value, for errors
  std::uint64_t byte_size;
  Residence residence;
};

enum class UseKind : std::uint8_t { storage_read, storage_write, storage_read_write };
[[nodiscard]] constexpr bool writes(UseKind kind) {
  return kind == UseKind::storage_write || kind == UseKind::storage_read_write;
}

// Bytes [byte_offset, byte_offset + byte_size) of a virtual buffer.
struct BufferUse {
  BufferIndex buffer;
  UseKind kind;
  std::uint64_t byte_offset;
  std::uint64_t byte_size;
};

struct BindSet {
  KernelIndex kernel;
  std::vector<BufferUse> uses;  // @group(0) @binding(i) for the i-th
};

struct Workgroups {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
};
struct IndirectWorkgroups {
  BufferIndex buffer;
  std::uint64_t byte_offset = 0;
};

struct ComputeNode {
  BindSetIndex bind_set;
  std::uint32_t record;  // index of its record in the parameter buffer
  std::variant<Workgroups, IndirectWorkgroups> size;
};

// What bounds a use, as the device has it.
struct UseLimits {
  std::uint64_t storage_binding_byte_size;
  std::uint64_t storage_offset_alignment;
  std::uint32_t workgroups_per_dimension;
};

// Built by one thread; read by any number.
class CommandGraph {
 public:
  explicit CommandGraph(UseLimits limits) : limits_(limits) {}

  BufferIndex add_buffer(VirtualBuffer buffer);
  // InternalError where a use leaves its buffer, is empty, is not aligned, is over the binding limit, or overlaps a
  // written range of the same set: the stages above find what a user did wrong by name before they come here.
  BindSetIndex add_bind_set(BindSet bind_set);
  // The same for a dispatch over the limit, an indirect record outside of its buffer, and a read of a transient that no
  // node before has written.
  void add_compute(ComputeNode node);

  [[nodiscard]] const std::vector<VirtualBuffer>& buffers() const { return buffers_; }
  [[nodiscard]] const std::vector<BindSet>& bind_sets() const { return bind_sets_; }
  [[nodiscard]] const std::vector<ComputeNode>& nodes() const { return nodes_; }

 private:
  void check_use(const BufferUse& use) const;
  void check_written(BufferIndex buffer) const;

  UseLimits limits_;
  std::vector<VirtualBuffer> buffers_;
  std::vector<bool> written_;  // for each buffer, whether a node has written to it
  std::vector<BindSet> bind_sets_;
  std::vector<ComputeNode> nodes_;
};

}  // namespace millrace::command
