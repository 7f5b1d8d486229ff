// In which order pipelines are requested and awaited, watched through a function table that writes down two calls.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <millrace/device.hpp>

#include "tests/webgpu/raw_provider.hpp"

namespace millrace::webgpu {
namespace {

// The calls of the device under test: the real functions, and what was called.
struct WatchedCalls {
  FunctionTable real;
  std::string calls;  // r: requested, p: events processed, c: created at once
};
WatchedCalls watched;

WGPUFuture request_watched(WGPUDevice device, const WGPUComputePipelineDescriptor* descriptor,
                           WGPUCreateComputePipelineAsyncCallbackInfo callback) {
  watched.calls += 'r';
  return watched.real.DeviceCreateComputePipelineAsync(device, descriptor, callback);
}
WGPUComputePipeline create_watched(WGPUDevice device, const WGPUComputePipelineDescriptor* descriptor) {
  watched.calls += 'c';
  return watched.real.DeviceCreateComputePipeline(device, descriptor);
}
void process_watched(WGPUInstance instance) {
  if (watched.calls.empty() || watched.calls.back() != 'p') watched.calls += 'p';
  watched.real.InstanceProcessEvents(instance);
}

// Ten kernels of a graph are compiled side by side on Dawn: all are requested before the first is awaited. wgpu-native,
// whose asynchronous creation aborts, makes them one after the other. (D-14)
TEST(PipelineBatch, IsRequestedBeforeItIsAwaited) {
  const RawProvider raw{};
  Provider provider = *raw.internals.provider;
  watched = {provider.functions, {}};
  provider.functions.DeviceCreateComputePipelineAsync = request_watched;
  provider.functions.DeviceCreateComputePipeline = create_watched;
  provider.functions.InstanceProcessEvents = process_watched;
  std::vector<PipelineDescription> descriptions;
  for (std::uint32_t i = 0; i < 10; ++i) descriptions.push_back(adding_kernel(i));
  const Provider* const own = raw.internals.provider;
  raw.internals.provider = &provider;
  const std::vector<ComputePipeline> pipelines = raw.core->create_pipelines(descriptions);
  raw.internals.provider = own;
  EXPECT_EQ(pipelines.size(), 10u);
  if (raw.is_native()) {
    EXPECT_EQ(watched.calls.find('r'), std::string::npos);
    EXPECT_EQ(std::count(watched.calls.begin(), watched.calls.end(), 'c'), 10);
  } else {
    // Scopes of the modules may process events before; from the first request on nothing is awaited until the last.
    EXPECT_EQ(watched.calls.substr(watched.calls.find('r')), "rrrrrrrrrrp");
  }
}

}  // namespace
}  // namespace millrace::webgpu
