// Devices through the public API: open, list, capabilities, errors.
#include <gtest/gtest.h>

#include <millrace/device.hpp>
#include <millrace/error.hpp>

namespace millrace {
namespace {

// A user opens a device and asks what it is.
TEST(Device, OpensAndTellsItsAdapter) {
  const Device device = Device::open();
  EXPECT_NE(device.adapter().name, "");
  EXPECT_FALSE(device.is_lost());
  EXPECT_EQ(device.stats().live_objects, 0u);
  EXPECT_EQ(device.stats().live_bytes, 0u);
}

}  // namespace
}  // namespace millrace
