// What millrace needs of any device, whatever the graph.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <millrace/device.hpp>

#include "src/webgpu/function_table.hpp"

namespace millrace::webgpu {

struct Requirement {
  std::string_view what;  // "storage buffers in a kernel"
  std::uint64_t has;
  std::uint64_t least;
};

// The first requirement that a device of these capabilities and limits does not meet.
[[nodiscard]] std::optional<Requirement> find_unmet_requirement(const DeviceCapabilities& capabilities,
                                                                const WGPULimits& limits);

}  // namespace millrace::webgpu
