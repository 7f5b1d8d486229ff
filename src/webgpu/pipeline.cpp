// Compute pipelines and bind groups: checks of our own, then the provider's.
#include <fmt/format.h>
#include <algorithm>
#include <utility>

#include <millrace/error.hpp>

#include "src/webgpu/error_scope.hpp"
#include "src/webgpu/pipeline_object.hpp"
#include "src/webgpu/pipeline_request.hpp"
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
    throw KernelError(
        ErrorCode::wgsl_error, description.label,
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
          ? fmt::format(
                "Kernel \"{label}\" is not valid WGSL at line {line}, column {column}. {provider} says: {reason}",
                fmt::arg("label", description.label), fmt::arg("line", fault.line), fmt::arg("column", fault.column),
                fmt::arg("provider", provider), fmt::arg("reason", fault.reason))
          : fmt::format("Kernel \"{label}\" is refused by the device. {provider} says: {reason}",
                        fmt::arg("label", description.label), fmt::arg("provider", provider),
                        fmt::arg("reason", fault.reason));
  if (fault.line != 0) message += fmt::format("\n{:>4} | {}", fault.line, fault.line_text);
  throw KernelError(ErrorCode::wgsl_error, description.label, message, {}, fault.line, fault.column);
}

// Releases a counted handle of the provider at the end of a block.
template <class Handle>
class Temporary {
 public:
  Temporary(CoreInternals& core, Handle handle, void (*release)(Handle))
      : core_(&core), handle_(handle), release_(release) {}
  Temporary(Temporary&& other) noexcept
      : core_(other.core_), handle_(std::exchange(other.handle_, nullptr)), release_(other.release_) {}
  Temporary& operator=(Temporary&& other) = delete;
  ~Temporary() {
    if (handle_ == nullptr) return;
    const std::lock_guard lock(core_->mutex);
    release_(handle_);
    --core_->counts.live_objects;
  }
  [[nodiscard]] Handle get() const { return handle_; }

 private:
  CoreInternals* core_;
  Handle handle_;
  void (*release_)(Handle);
};

[[noreturn]] void refuse_pipeline(CoreInternals& core, const PipelineDescription& description,
                                  const CaughtError& error) {
  note_loss(*core.provider->dialect, *core.news, error.words);
  check_alive(core, description.label);
  if (error.type == WGPUErrorType_Validation) throw_wgsl_error(description, core.adapter.provider, error.words);
  throw_caught(core, description.label, fmt::format("create kernel \"{}\"", description.label), error);
}

// Creates what the provider checks as WGSL: its validation errors become `wgsl_error`.
template <class Handle, class Create, class Release>
Handle create_from_wgsl(CoreInternals& core, const PipelineDescription& description, Create create, Release release) {
  return create_or_refuse<Handle>(core, description.label, create, release,
                                  [&](const CaughtError& error) { refuse_pipeline(core, description, error); });
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

// A pipeline between its description and its handle.
struct PipelineInMaking {
  const PipelineDescription* description;
  std::shared_ptr<ComputePipeline::Object> object;
  Temporary<WGPUShaderModule> module;
  Temporary<WGPUPipelineLayout> layout;

  [[nodiscard]] WGPUComputePipelineDescriptor descriptor() const {
    WGPUComputePipelineDescriptor descriptor = {};
    descriptor.label = view_of(description->label);
    descriptor.layout = layout.get();
    descriptor.compute.module = module.get();
    descriptor.compute.entryPoint = view_of(description->entry_point);
    return descriptor;
  }
};

PipelineInMaking begin_pipeline(const std::shared_ptr<DeviceCore>& shared_core, const PipelineDescription& description,
                                std::string key) {
  CoreInternals& core = shared_core->internals();
  check_storage_buffer_count(core, description);
  check_depth(description);
  auto object = std::make_shared<ComputePipeline::Object>();
  object->core = shared_core;
  object->key = std::move(key);
  object->label = description.label;
  object->groups = description.groups;
  const FunctionTable& functions = core.functions();
  Temporary<WGPUShaderModule> module(core, create_module(core, description), functions.ShaderModuleRelease);
  for (const std::vector<LayoutEntry>& group : description.groups) {
    object->layouts.push_back(create_layout(core, description.label, group));
  }
  Temporary<WGPUPipelineLayout> layout(core, create_pipeline_layout(core, *object), functions.PipelineLayoutRelease);
  return {&description, std::move(object), std::move(module), std::move(layout)};
}

void make_one_after_the_other(CoreInternals& core, std::vector<PipelineInMaking>& in_making) {
  const FunctionTable& functions = core.functions();
  for (PipelineInMaking& each : in_making) {
    const WGPUComputePipelineDescriptor descriptor = each.descriptor();
    each.object->handle = create_from_wgsl<WGPUComputePipeline>(
        core, *each.description, [&] { return functions.DeviceCreateComputePipeline(core.device, &descriptor); },
        [&](WGPUComputePipeline pipeline) { functions.ComputePipelineRelease(pipeline); });
  }
}

void make_side_by_side(CoreInternals& core, std::vector<PipelineInMaking>& in_making) {
  std::vector<PipelineRequest> requests;
  for (const PipelineInMaking& each : in_making) {
    if (take_injected_failure(core)) refuse_pipeline(core, *each.description, kInjectedFailure);
    requests.emplace_back(core, each.descriptor());
  }
  for (std::size_t i = 0; i < in_making.size(); ++i) {
    const PipelineRequest::Outcome outcome = requests[i].take(core);
    if (outcome.error) refuse_pipeline(core, *in_making[i].description, *outcome.error);
    in_making[i].object->handle = outcome.handle;
    ++core.counts.live_objects;
  }
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
  return std::move(create_pipelines({&description, 1}).front());
}

std::vector<ComputePipeline> DeviceCore::create_pipelines(std::span<const PipelineDescription> descriptions) {
  CoreInternals& core = *internals_;
  const std::lock_guard lock(core.mutex);
  check_alive(core, descriptions.empty() ? std::string_view() : std::string_view(descriptions.front().label));
  std::vector<ComputePipeline> pipelines;
  std::vector<PipelineInMaking> in_making;
  std::unordered_map<std::string, std::shared_ptr<ComputePipeline::Object>> begun;
  for (const PipelineDescription& description : descriptions) {
    std::string key = cache_key(description);
    std::shared_ptr<ComputePipeline::Object> object;
    if (const auto found = core.pipelines.find(key); found != core.pipelines.end()) object = found->second.lock();
    if (object == nullptr) object = begun[key];
    if (object == nullptr) {
      in_making.push_back(begin_pipeline(shared_from_this(), description, key));
      object = begun[key] = in_making.back().object;
    }
    pipelines.push_back(ComputePipeline(std::move(object)));
  }
  const bool side_by_side = core.provider->dialect->asynchronous_pipelines && in_making.size() > 1 &&
                            core.functions().DeviceCreateComputePipelineAsync != nullptr;
  if (side_by_side) {
    make_side_by_side(core, in_making);
  } else {
    make_one_after_the_other(core, in_making);
  }
  for (const PipelineInMaking& each : in_making) core.pipelines[each.object->key] = each.object;
  return pipelines;
}

}  // namespace millrace::webgpu
