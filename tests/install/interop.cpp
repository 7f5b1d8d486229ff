// The half of program.cpp that brings a webgpu.h: the interop header compiles, and gives the library's own device.
#include <millrace/webgpu_interop.hpp>

bool interop_is_usable(const millrace::Device& device) { return millrace::webgpu::native(device) != nullptr; }
