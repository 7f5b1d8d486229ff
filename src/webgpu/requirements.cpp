// The list of requirements. Capabilities come with caps applied; limits are the device's own.
#include "src/webgpu/requirements.hpp"

#include <algorithm>
#include <array>

#include "src/webgpu/device_core.hpp"

namespace millrace::webgpu {

std::optional<Requirement> find_unmet_requirement(const DeviceCapabilities& capabilities, const WGPULimits& limits) {
  const std::array requirements = {
      Requirement{"storage buffers in a kernel", capabilities.storage_buffers_per_stage, kLeastStorageBuffers},
      Requirement{"bytes in a storage binding", capabilities.storage_binding_byte_size, 256},
      Requirement{"bytes in a uniform binding", capabilities.uniform_binding_byte_size, 256},
      Requirement{"bytes in a buffer", capabilities.buffer_byte_size, 256},
      Requirement{"workgroups in a dimension", capabilities.workgroups_per_dimension, 1},
      Requirement{"invocations in a workgroup", capabilities.invocations_per_workgroup, kLeastInvocations},
      Requirement{"rows in a dispatch", capabilities.rows_per_dispatch, 1},
      Requirement{"bind groups", limits.maxBindGroups, 2},
      Requirement{"dynamic uniform buffers", limits.maxDynamicUniformBuffersPerPipelineLayout, 1},
  };
  const auto unmet = std::find_if(requirements.begin(), requirements.end(),
                                  [](const Requirement& requirement) { return requirement.has < requirement.least; });
  if (unmet == requirements.end()) return std::nullopt;
  return *unmet;
}

}  // namespace millrace::webgpu
