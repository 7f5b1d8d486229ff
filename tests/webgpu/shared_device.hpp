// One device for the tests of a program, so that each does not open its own.
#pragma once

#include <millrace/device.hpp>

namespace millrace {

inline Device& shared_device() {
  static Device device = Device::open();
  return device;
}

}  // namespace millrace
