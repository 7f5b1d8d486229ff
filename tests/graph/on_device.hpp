// Graph tests on whatever adapter is there, each once as the device is and once with limits so tight that small vectors
// are cut, folded and split.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <millrace/millrace.hpp>

namespace millrace {

enum class Caps : std::uint8_t { none, tight };

inline Device& device_with(Caps caps) {
  if (caps == Caps::none) {
    static Device device = Device::open();
    return device;
  }
  static Device device = Device::open({.limits = {.storage_binding_byte_size = 1000,
                                                  .storage_buffers_per_stage = 4,
                                                  .workgroups_per_dimension = 2,
                                                  .storage_offset_alignment = 256}});
  return device;
}

class GraphOnDevice : public testing::TestWithParam<Caps> {
 protected:
  Device& device = device_with(GetParam());
};

inline std::string caps_name(const testing::TestParamInfo<Caps>& info) {
  return info.param == Caps::none ? "AsItIs" : "TightLimits";
}
#define MILLRACE_ON_DEVICES(suite) \
  INSTANTIATE_TEST_SUITE_P(Device, suite, testing::Values(Caps::none, Caps::tight), caps_name)

struct InputOf {
  const char* name;
  ValueType type;
};

inline Graph graph_of(std::initializer_list<InputOf> inputs, std::initializer_list<const char*> formulas) {
  Graph graph;
  for (const InputOf& input : inputs) graph.add_input(input.name, input.type);
  for (const char* formula : formulas) graph.add(Expression{formula});
  return graph;
}

// The difference in units of the last place of the float nearest to `right`.
inline double ulps_between(float value, double right) {
  const auto nearest = static_cast<float>(std::abs(right));
  const double ulp = static_cast<double>(std::nextafter(nearest, std::numeric_limits<float>::infinity())) -
                     static_cast<double>(nearest);
  return std::abs(static_cast<double>(value) - right) / ulp;
}

// first, first + step, ...
inline std::vector<float> ramp(std::size_t count, float first = 0, float step = 1) {
  std::vector<float> rows(count);
  for (std::size_t row = 0; row < count; ++row) rows[row] = first + step * static_cast<float>(row);
  return rows;
}

}  // namespace millrace
