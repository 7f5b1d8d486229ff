// Compute pipelines and bind groups: checks of our own, then the provider's.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <millrace/error.hpp>

#include "src/webgpu/error_scope.hpp"
#include "src/webgpu/pipeline_object.hpp"
#include "src/webgpu/provider_words.hpp"
#include "src/webgpu/wgsl_depth.hpp"

namespace millrace::webgpu {
namespace {

// Text, entry point and layouts, exactly.
std::string cache_key(const PipelineDescription& description) {
  std::string key = description.entry_point;
  for (const std::vector<LayoutEntry>& group : description.groups) {
    key += "\ngroup";
    for (const LayoutEntry& entry : group) {
      key += fmt::format(" {}:{}:{}", entry.binding, static_cast<int>(entry.kind), entry.least_byte_size);
    }
  }
  return key + '\n' + description.wgsl;
}

bool is_storage(BindingKind kind) {
  return kind == BindingKind::storage_read || kind == BindingKind::storage_read_write;
}

void check_storage_buffer_count(const CoreInternals& core, const PipelineDescription& description) {
  std::size_t count = 0;
  for (const std::vector<LayoutEntry>& group : description.groups) {
    count += static_cast<std::size_t>(
        std::ranges::count_if(group, [](const LayoutEntry& entry) { return is_storage(entry.kind); }));
  }
  if (count <= core.capabilities.storage_buffers_per_stage) return;
  throw DeviceError(
      ErrorCode::over_device_limit, description.label,
      fmt::format("Kernel \"{label}\" binds {count} storage buffers, but the device \"{device}\" allows "
                  "{limit}.",
                  fmt::arg("label", description.label), fmt::arg("count", count), fmt::arg("device", core.adapter.name),
                  fmt::arg("limit", core.capabilities.storage_buffers_per_stage)));
}

void check_depth(const PipelineDescription& description) {
  const WgslDepth depth = measure_wgsl_depth(description.wgsl);
  if (depth.nesting_line != 0) {
    throw KernelError(ErrorCode::wgsl_error, description.label,
                      fmt::format("Kernel \"{label}\" nests {depth} brackets at line {line}; at most {most} are allowed.",
                                  fmt::arg("label", description.label), fmt::arg("depth", depth.nesting),
                                  fmt::arg("line", depth.nesting_line), fmt::arg("most", kMostNesting)),
                      {}, depth.nesting_line, 0);
  }
  if (depth.operators_line != 0) {
    throw KernelError(ErrorCode::wgsl_error, description.label,
                      fmt::format("Kernel \"{label}\" has an expression of {count} operators at line {line}; at most "
                                  "{most} are allowed.",
                                  fmt::arg("label", description.label), fmt::arg("count", depth.operators),
                                  fmt::arg("line", depth.operators_line), fmt::arg("most", kMostOperators)),
                      {}, depth.operators_line, 0);
  }
}

WGPUBufferBindingType binding_type(BindingKind kind) {
  switch (kind) {
    case BindingKind::storage_read:
      return WGPUBufferBindingType_ReadOnlyStorage;
    case BindingKind::storage_read_write:
      return WGPUBufferBindingType_Storage;
    case BindingKind::uniform:
    case BindingKind::uniform_dynamic:
      return WGPUBufferBindingType_Uniform;
  }
  return WGPUBufferBindingType_BindingNotUsed;
}

WGPUBindGroupLayout create_layout(CoreInternals& core, const std::string& label,
                                  const std::vector<LayoutEntry>& entries) {
  const FunctionTable& functions = core.functions();
  std::vector<WGPUBindGroupLayoutEntry> native(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    native[i] = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    native[i].binding = entries[i].binding;
    native[i].visibility = WGPUShaderStage_Compute;
    native[i].buffer.type = binding_type(entries[i].kind);
    native[i].buffer.hasDynamicOffset = entries[i].kind == BindingKind::uniform_dynamic ? WGPU_TRUE : WGPU_FALSE;
    native[i].buffer.minBindingSize = entries[i].least_byte_size;
  }
  const WGPUBindGroupLayoutDescriptor descriptor = {nullptr, view_of(label), native.size(), native.data()};
  return create_counted<WGPUBindGroupLayout>(
      core, label, fmt::format("create the bindings of kernel \"{}\"", label),
      [&] { return functions.DeviceCreateBindGroupLayout(core.device, &descriptor); },
      [&](WGPUBindGroupLayout layout) { functions.BindGroupLayoutRelease(layout); });
}

[[noreturn]] void throw_wgsl_error(const PipelineDescription& description, std::string_view provider,
                                   std::string_view words) {
  const WgslFault fault = find_wgsl_fault(words, description.wgsl);
  std::string message =
      fault.line != 0
          ? fmt::format("Kernel \"{label}\" is not valid WGSL at line {line}, column {column}. {provider} says: {reason}",
                        fmt::arg("label", description.label), fmt::arg("line", fault.line),
                        fmt::arg("column", fault.column), fmt::arg("provider", provider),
                        fmt::arg("reason", fault.reason))
          : fmt::format("Kernel \"{label}\" is refused by the device. {provider} says: {reason}",
                        fmt::arg("label", description.label), fmt::arg("provider", provider),
                        fmt::arg("reason", fault.reason));
  if (fault.line != 0) message += fmt::format("\n{:>4} | {}", fault.line, fault.line_text);
  throw KernelError(ErrorCode::wgsl_error, description.label, message, {}, fault.line, fault.column);
}

// Releases a handle of the provider at the end of a block, and uncounts it.
template <class Handle>
class Temporary {
 public:
  Temporary(CoreInternals& core, Handle handle, void (*release)(Handle))
      : core_(core), handle_(handle), release_(release) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    const std::lock_guard lock(core_.mutex);
    release_(handle_);
    --core_.counts.live_objects;
  }
  [[nodiscard]] Handle get() const { return handle_; }

 private:
  CoreInternals& core_;
  Handle handle_;
  void (*release_)(Handle);
};

// Creates what the provider checks as WGSL: its validation errors become `wgsl_error`.
template <class Handle, class Create, class Release>
Handle create_from_wgsl(CoreInternals& core, const PipelineDescription& description, Create create, Release release) {
  return create_or_refuse<Handle>(core, description.label, create, release, [&](const CaughtError& error) {
    if (error.type == WGPUErrorType_Validation) throw_wgsl_error(description, core.adapter.provider, error.words);
    throw_caught(core, description.label, fmt::format("create kernel \"{}\"", description.label), error);
  });
}

WGPUShaderModule create_module(CoreInternals& core, const PipelineDescription& description) {
  const FunctionTable& functions = core.functions();
  WGPUShaderSourceWGSL source = {{nullptr, WGPUSType_ShaderSourceWGSL}, view_of(description.wgsl)};
  const WGPUShaderModuleDescriptor descriptor = {&source.chain, view_of(description.label)};
  return create_from_wgsl<WGPUShaderModule>(
      core, description, [&] { return functions.DeviceCreateShaderModule(core.device, &descriptor); },
      [&](WGPUShaderModule module) { functions.ShaderModuleRelease(module); });
}

WGPUPipelineLayout create_pipeline_layout(CoreInternals& core, const ComputePipeline::Object& object) {
  const FunctionTable& functions = core.functions();
  WGPUPipelineLayoutDescriptor descriptor = {};
  descriptor.label = view_of(object.label);
  descriptor.bindGroupLayoutCount = object.layouts.size();
  descriptor.bindGroupLayouts = object.layouts.data();
  return create_counted<WGPUPipelineLayout>(
      core, object.label, fmt::format("create the bindings of kernel \"{}\"", object.label),
      [&] { return functions.DeviceCreatePipelineLayout(core.device, &descriptor); },
      [&](WGPUPipelineLayout layout) { functions.PipelineLayoutRelease(layout); });
}

WGPUComputePipeline create_native_pipeline(CoreInternals& core, const PipelineDescription& description,
                                           WGPUPipelineLayout layout, WGPUShaderModule module) {
  const FunctionTable& functions = core.functions();
  WGPUComputePipelineDescriptor descriptor = {};
  descriptor.label = view_of(description.label);
  descriptor.layout = layout;
  descriptor.compute.module = module;
  descriptor.compute.entryPoint = view_of(description.entry_point);
  return create_from_wgsl<WGPUComputePipeline>(
      core, description, [&] { return functions.DeviceCreateComputePipeline(core.device, &descriptor); },
      [&](WGPUComputePipeline pipeline) { functions.ComputePipelineRelease(pipeline); });
}

}  // namespace

ComputePipeline::Object::~Object() {
  CoreInternals& internals = core->internals();
  const FunctionTable& functions = internals.functions();
  const std::lock_guard lock(internals.mutex);
  if (handle != nullptr) {
    functions.ComputePipelineRelease(handle);
    --internals.counts.live_objects;
  }
  for (const WGPUBindGroupLayout layout : layouts) functions.BindGroupLayoutRelease(layout);
  internals.counts.live_objects -= layouts.size();
  // Another object of the same key may be there already: then it lives.
  const auto cached = internals.pipelines.find(key);
  if (cached != internals.pipelines.end() && cached->second.expired()) internals.pipelines.erase(cached);
}

ComputePipeline::ComputePipeline(std::shared_ptr<const Object> object) : object_(std::move(object)) {}
ComputePipeline::ComputePipeline(ComputePipeline&&) noexcept = default;
ComputePipeline& ComputePipeline::operator=(ComputePipeline&&) noexcept = default;
ComputePipeline::~ComputePipeline() = default;
WGPUComputePipeline ComputePipeline::handle() const { return object_->handle; }
WGPUBindGroupLayout ComputePipeline::layout(std::size_t group) const { return object_->layouts[group]; }

ComputePipeline DeviceCore::create_pipeline(const PipelineDescription& description) {
  CoreInternals& core = *internals_;
  const std::lock_guard lock(core.mutex);
  check_alive(core, description.label);
  const std::string key = cache_key(description);
  if (const auto found = core.pipelines.find(key); found != core.pipelines.end()) {
    if (auto object = found->second.lock()) return ComputePipeline(std::move(object));
  }
  check_storage_buffer_count(core, description);
  check_depth(description);

  const FunctionTable& functions = core.functions();
  auto object = std::make_shared<ComputePipeline::Object>();
  object->core = shared_from_this();
  object->key = key;
  object->label = description.label;
  object->groups = description.groups;
  const Temporary module(core, create_module(core, description), functions.ShaderModuleRelease);
  for (const std::vector<LayoutEntry>& group : description.groups) {
    object->layouts.push_back(create_layout(core, description.label, group));
  }
  const Temporary layout(core, create_pipeline_layout(core, *object), functions.PipelineLayoutRelease);
  object->handle = create_native_pipeline(core, description, layout.get(), module.get());
  core.pipelines[key] = object;
  return ComputePipeline(std::move(object));
}

}  // namespace millrace::webgpu
