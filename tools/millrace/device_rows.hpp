// Rows between columns in host memory and vectors on the device.
#pragma once

#include <string>
#include <vector>

#include <millrace/device.hpp>
#include <millrace/vector.hpp>

#include "src/data/column.hpp"

namespace millrace::tool {

// One lane of a result. "name.x" where the result has several.
struct LaneRows {
  std::string name;
  data::ElementType type;  // never boolean: the device stores those as uint32
  data::Values values;
};

// One vector of one chunk for each column. DeviceError.
[[nodiscard]] std::vector<Vector> upload(Device& device, const data::Batch& batch);

// Reads the rows, each lane by itself. UsageError for a packed format, which is no column of numbers; DeviceError.
[[nodiscard]] std::vector<LaneRows> read_lanes(const VectorView& rows, const std::string& name);

}  // namespace millrace::tool
