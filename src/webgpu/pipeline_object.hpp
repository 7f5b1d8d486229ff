// The WebGPU objects behind a ComputePipeline, with what binding and dispatch check against. For the sources of this
// folder only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/webgpu/core_internals.hpp"

namespace millrace::webgpu {

struct ComputePipeline::Object {
  std::shared_ptr<DeviceCore> core;
  std::string key;    // in CoreInternals::pipelines
  std::string label;  // of its first user
  std::vector<std::vector<LayoutEntry>> groups;
  WGPUComputePipeline handle = nullptr;
  std::vector<WGPUBindGroupLayout> layouts;

  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  ~Object();
};

}  // namespace millrace::webgpu
