// The recorder inside a CommandEncoder.
#pragma once

#include <millrace/device.hpp>

#include "src/webgpu/device_core.hpp"

namespace millrace {

struct EncoderAccess {
  // BindingError `destroyed` where the encoder was finished or moved from.
  [[nodiscard]] static webgpu::Recorder& recorder(CommandEncoder& encoder);
};

}  // namespace millrace
