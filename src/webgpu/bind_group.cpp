// Bind groups. wgpu-native aborts on an empty range, and the providers' words know none of our names: all ranges are
// checked here first.
#include <utility>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/webgpu/error_scope.hpp"
#include "src/webgpu/pipeline_object.hpp"

namespace millrace::webgpu {
namespace {

struct BindingRules {
  Usage usage;
  std::uint64_t offset_alignment;
  std::uint64_t byte_size_limit;
};

BindingRules rules_for(const CoreInternals& core, BindingKind kind) {
  if (kind == BindingKind::uniform || kind == BindingKind::uniform_dynamic) {
    return {Usage::uniform, core.capabilities.uniform_offset_alignment, core.capabilities.uniform_binding_byte_size};
  }
  return {Usage::storage, core.capabilities.storage_offset_alignment, core.capabilities.storage_binding_byte_size};
}

void check_range(const CoreInternals& core, const std::string& label, const LayoutEntry& entry,
                 const BoundRange& range) {
  const BindingRules rules = rules_for(core, entry.kind);
  const auto name = [&] { return fmt::format("Binding {} of kernel \"{}\"", range.binding, label); };
  if (&range.buffer->core()->internals() != &core) {
    throw BindingError(ErrorCode::foreign_device, label, fmt::format("{} is a buffer of another device.", name()));
  }
  if (!contains(range.buffer->usage(), rules.usage)) {
    throw BindingError(ErrorCode::missing_usage, label,
                       fmt::format("{} is a buffer without the usage {}.", name(),
                                   rules.usage == Usage::storage ? "storage" : "uniform"));
  }
  if (range.byte_size > rules.byte_size_limit) {
    throw DeviceError(ErrorCode::over_device_limit, label,
                      fmt::format("{name} needs {bytes} bytes, but a binding of the device \"{device}\" has at most "
                                  "{limit} bytes.",
                                  fmt::arg("name", name()), fmt::arg("bytes", range.byte_size),
                                  fmt::arg("device", core.adapter.name), fmt::arg("limit", rules.byte_size_limit)));
  }
  const std::uint64_t size = range.buffer->byte_size();
  const bool inside = range.byte_offset <= size && range.byte_size <= size - range.byte_offset;
  if (range.byte_size == 0 || range.byte_size < entry.least_byte_size || !inside ||
      range.byte_offset % rules.offset_alignment != 0 || range.byte_size % 4 != 0) {
    throw InternalError(
        fmt::format("{name} is a range of {bytes} bytes at byte {offset} of a buffer of {size} bytes; "
                    "it must have at least {least} bytes, a multiple of 4, at a multiple of "
                    "{alignment}.",
                    fmt::arg("name", name()), fmt::arg("bytes", range.byte_size), fmt::arg("offset", range.byte_offset),
                    fmt::arg("size", size), fmt::arg("least", std::max<std::uint64_t>(entry.least_byte_size, 4)),
                    fmt::arg("alignment", rules.offset_alignment)));
  }
}

const LayoutEntry* find_entry(const std::vector<LayoutEntry>& entries, std::uint32_t binding) {
  for (const LayoutEntry& entry : entries) {
    if (entry.binding == binding) return &entry;
  }
  return nullptr;
}

}  // namespace

BindGroup::BindGroup(std::shared_ptr<DeviceCore> core, WGPUBindGroup handle)
    : core_(std::move(core)), handle_(handle) {}
BindGroup::BindGroup(BindGroup&& other) noexcept
    : core_(std::move(other.core_)), handle_(std::exchange(other.handle_, nullptr)) {}
BindGroup& BindGroup::operator=(BindGroup&& other) noexcept {
  std::swap(core_, other.core_);
  std::swap(handle_, other.handle_);
  return *this;
}
BindGroup::~BindGroup() {
  if (handle_ == nullptr) return;
  CoreInternals& core = core_->internals();
  const std::lock_guard lock(core.mutex);
  core.functions().BindGroupRelease(handle_);
  --core.counts.live_objects;
}

BindGroup DeviceCore::create_bind_group(const ComputePipeline& pipeline, std::uint32_t group,
                                        std::span<const BoundRange> ranges) {
  CoreInternals& core = *internals_;
  const ComputePipeline::Object& object = *pipeline.object_;
  if (object.core.get() != this) {
    throw BindingError(ErrorCode::foreign_device, object.label,
                       fmt::format("Kernel \"{}\" belongs to another device.", object.label));
  }
  if (group >= object.groups.size() || ranges.size() != object.groups[group].size()) {
    throw InternalError(
        fmt::format("Group {} of kernel \"{}\" is given {} bindings.", group, object.label, ranges.size()));
  }
  std::vector<WGPUBindGroupEntry> entries(ranges.size());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const LayoutEntry* const entry = find_entry(object.groups[group], ranges[i].binding);
    if (entry == nullptr || ranges[i].buffer == nullptr) {
      throw InternalError(
          fmt::format("Group {} of kernel \"{}\" has no binding {}.", group, object.label, ranges[i].binding));
    }
    check_range(core, object.label, *entry, ranges[i]);
    entries[i] = WGPU_BIND_GROUP_ENTRY_INIT;
    entries[i].binding = ranges[i].binding;
    entries[i].buffer = ranges[i].buffer->handle();
    entries[i].offset = ranges[i].byte_offset;
    entries[i].size = ranges[i].byte_size;
  }
  const FunctionTable& functions = core.functions();
  const WGPUBindGroupDescriptor descriptor = {nullptr, view_of(object.label), object.layouts[group], entries.size(),
                                              entries.data()};
  const WGPUBindGroup handle = create_counted<WGPUBindGroup>(
      core, object.label, fmt::format("bind the buffers of kernel \"{}\"", object.label),
      [&] { return functions.DeviceCreateBindGroup(core.device, &descriptor); },
      [&](WGPUBindGroup made) { functions.BindGroupRelease(made); });
  return BindGroup(shared_from_this(), handle);
}

}  // namespace millrace::webgpu
