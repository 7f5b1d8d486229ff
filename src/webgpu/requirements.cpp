// The list of requirements. Capabilities come with caps applied; limits are the device's own.
#include "src/webgpu/requirements.hpp"

#include <algorithm>
#include <array>

#include "src/webgpu/device_core.hpp"

namespace millrace::webgpu {

std::optional<Requirement> find_unmet_requirement(const DeviceCapabilities& has, const WGPULimits& limits) {
  const std::array requirements = {
      Requirement{"storage buffers in a kernel", has.storage_buffers_per_stage, kLeastStorageBuffers},
      Requirement{"bytes in a storage binding", has.storage_binding_byte_size, 256},
      Requirement{"bytes in a uniform binding", has.uniform_binding_byte_size, 256},
      Requirement{"bytes in a buffer", has.buffer_byte_size, 256},
      Requirement{"workgroups in a dimension", has.workgroups_per_dimension, 1},
      Requirement{"invocations in a workgroup", has.invocations_per_workgroup, kLeastInvocations},
      Requirement{"rows in a dispatch", has.rows_per_dispatch, 1},
      Requirement{"bind groups", limits.maxBindGroups, 2},
      Requirement{"dynamic uniform buffers", limits.maxDynamicUniformBuffersPerPipelineLayout, 1},
  };
  const auto unmet = std::find_if(requirements.begin(), requirements.end(),
                                  [](const Requirement& requirement) { return requirement.has < requirement.least; });
  if (unmet == requirements.end()) return std::nullopt;
  return *unmet;
}

}  // namespace millrace::webgpu
