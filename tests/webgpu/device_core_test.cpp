// Buffers, kernels, bindings and recordings on the core: what runs, and what is refused before a provider sees it.
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <millrace/device.hpp>

#include "tests/webgpu/expect_error.hpp"
#include "tests/webgpu/words.hpp"

namespace millrace::webgpu {
namespace {

class Core : public ::testing::Test {
 protected:
  const Device device_ = Device::open();
  const std::shared_ptr<DeviceCore>& core_ = DeviceAccess::core(device_);
  const std::string name_ = device_.adapter().name;

  [[nodiscard]] bool is_native() const { return device_.adapter().provider == "wgpu-native"; }
  // After a refused call the device works as before.
  void TearDown() override {
    const auto buffer = upload_words(*core_, {1, 2, 3});
    run_kernel(*core_, core_->create_pipeline(adding_kernel(5)), *buffer, 1);
    EXPECT_EQ(read_words(*core_, *buffer, 3), (std::vector<std::uint32_t>{6, 7, 8}));
  }
};

// Words go up, through a kernel, and come back.
TEST_F(Core, RunsAKernel) {
  const auto buffer = upload_words(*core_, {10, 20, 30, 40, 50});
  run_kernel(*core_, core_->create_pipeline(adding_kernel(1)), *buffer, 1);
  run_kernel(*core_, core_->create_pipeline(adding_kernel(100)), *buffer, 1);
  EXPECT_EQ(read_words(*core_, *buffer, 5), (std::vector<std::uint32_t>{111, 121, 131, 141, 151}));
}

// A new buffer holds zeros, and its size is rounded up to 16 bytes, so that wide code may read its end.
TEST_F(Core, NewBuffersAreZero) {
  const auto buffer = core_->create_buffer("zeros", 20, kVectorUsage);
  EXPECT_EQ(buffer->byte_size(), 32u);
  EXPECT_EQ(read_words(*core_, *buffer, 8), std::vector<std::uint32_t>(8, 0));
}

// Bytes that fill no whole word are padded with zeros, whatever was there.
TEST_F(Core, WritesOfOddSizesArePadded) {
  const auto buffer = upload_words(*core_, {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff});
  const std::vector<std::byte> bytes(6, std::byte{0x11});
  core_->write_buffer(*buffer, 4, bytes);
  EXPECT_EQ(read_words(*core_, *buffer, 4),
            (std::vector<std::uint32_t>{0xffffffff, 0x11111111, 0x00001111, 0xffffffff}));
}

// Live bytes follow the buffers, and the peak stays.
TEST_F(Core, CountsBytesAndObjects) {
  const DeviceStats before = device_.stats();
  {
    const auto a = core_->create_buffer("a", 1024, kVectorUsage);
    const auto b = core_->create_buffer("b", 4096, kVectorUsage);
    EXPECT_EQ(device_.stats().live_bytes, before.live_bytes + 5120);
    EXPECT_EQ(device_.stats().live_objects, before.live_objects + 2);
  }
  EXPECT_EQ(device_.stats().live_bytes, before.live_bytes);
  EXPECT_EQ(device_.stats().live_objects, before.live_objects);
  EXPECT_EQ(device_.stats().peak_bytes, before.live_bytes + 5120);
}

// A buffer that no buffer of the device can be is refused with both sizes.
TEST_F(Core, BufferOverTheLimit) {
  const std::uint64_t limit = device_.capabilities().buffer_byte_size;
  expect_error<DeviceError>([&] { (void)core_->create_buffer("positions", limit + 16, kVectorUsage); },
                            ErrorCode::over_device_limit,
                            fmt::format("The buffer of \"positions\" needs {} bytes, but a buffer of the device \"{}\" "
                                        "holds at most {} bytes.",
                                        (limit + 31) / 16 * 16, name_, limit));
  expect_error<DeviceError>(
      [&] { (void)core_->create_buffer("positions", std::numeric_limits<std::uint64_t>::max(), kVectorUsage); },
      ErrorCode::over_device_limit,
      fmt::format(
          "The buffer of \"positions\" needs 18446744073709551600 bytes, but a buffer of the device \"{}\" holds "
          "at most {} bytes.",
          name_, limit));
}

// Sizes and offsets that a caller of ours should have known are bugs of ours, and never reach a provider. (D-06)
TEST_F(Core, ImpossibleSizesAreInternalErrors) {
  expect_error<InternalError>([&] { (void)core_->create_buffer("empty", 0, kVectorUsage); }, ErrorCode::internal,
                              "The buffer of \"empty\" has no bytes.");
  const auto buffer = core_->create_buffer("b", 16, kVectorUsage);
  const std::vector<std::byte> bytes(8);
  expect_error<InternalError>([&] { core_->write_buffer(*buffer, 12, bytes); }, ErrorCode::internal,
                              "A write of 8 bytes at byte 12 does not fit a buffer of 16 bytes.");
  expect_error<InternalError>([&] { core_->write_buffer(*buffer, 2, bytes); }, ErrorCode::internal,
                              "A write of 8 bytes at byte 2 does not fit a buffer of 16 bytes.");
}

// WGSL that does not parse gives the line and its text, and the provider's reason, in either provider's words.
TEST_F(Core, WgslErrorTellsLineAndText) {
  PipelineDescription description = adding_kernel(1);
  description.label = "scaled";
  description.wgsl = "@compute @workgroup_size(1)\nfn main() {\n  let x = foo(1);\n}\n";
  description.groups = {};
  try {
    (void)core_->create_pipeline(description);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const KernelError& error) {
    EXPECT_EQ(error.code(), ErrorCode::wgsl_error);
    EXPECT_EQ(error.subject(), "scaled");
    EXPECT_EQ(error.line(), 3u);
    EXPECT_EQ(error.column(), 11u);
    EXPECT_EQ(std::string(error.what()),
              is_native()
                  ? "Kernel \"scaled\" is not valid WGSL at line 3, column 11. wgpu-native says: no definition in "
                    "scope for identifier: `foo`\n   3 |   let x = foo(1);"
                  : "Kernel \"scaled\" is not valid WGSL at line 3, column 11. Dawn says: unresolved call target "
                    "'foo'\n   3 |   let x = foo(1);");
  }
  EXPECT_EQ(device_.stats().live_objects, 0u);
}

// A kernel that parses and still makes no pipeline is told with the provider's reason.
TEST_F(Core, MissingEntryPointIsAKernelError) {
  PipelineDescription description = adding_kernel(1);
  description.label = "scaled";
  description.entry_point = "other";
  expect_error<KernelError>(
      [&] { (void)core_->create_pipeline(description); }, ErrorCode::wgsl_error,
      is_native() ? "Kernel \"scaled\" is refused by the device. wgpu-native says: Error matching shader requirements "
                    "against the pipeline: Unable to find entry point 'other'"
                  : "Kernel \"scaled\" is refused by the device. Dawn says: Entry point \"\"other\"\" doesn't exist in "
                    "the shader module [ShaderModule \"scaled\"].");
  EXPECT_EQ(device_.stats().live_objects, 0u);
}

// Deep text would overflow wgpu-native's stack; it is refused by line instead.
TEST_F(Core, DeepWgslIsRefused) {
  PipelineDescription description = adding_kernel(1);
  description.label = "deep";
  description.wgsl = "\nconst x = " + std::string(100000, '(') + "1" + std::string(100000, ')') + ";";
  expect_error<KernelError>([&] { (void)core_->create_pipeline(description); }, ErrorCode::wgsl_error,
                            "Kernel \"deep\" nests 100000 brackets at line 2; at most 120 are allowed.");
  description.wgsl = "const x = 1";
  for (int i = 0; i < 600; ++i) description.wgsl += " + 1";
  expect_error<KernelError>([&] { (void)core_->create_pipeline(description); }, ErrorCode::wgsl_error,
                            "Kernel \"deep\" has an expression of 601 operators at line 1; at most 500 are allowed.");
}

// Ten equal kernels are one pipeline, which goes with its last user. (D-14)
TEST_F(Core, EqualKernelsShareAPipeline) {
  std::vector<ComputePipeline> pipelines;
  for (int i = 0; i < 10; ++i) {
    PipelineDescription description = adding_kernel(7);
    description.label = "kernel " + std::to_string(i);
    pipelines.push_back(core_->create_pipeline(description));
    EXPECT_EQ(pipelines.back().handle(), pipelines.front().handle());
  }
  EXPECT_EQ(device_.stats().live_objects, 2u);  // pipeline and layout
  pipelines.push_back(core_->create_pipeline(adding_kernel(8)));
  EXPECT_NE(pipelines.back().handle(), pipelines.front().handle());
  EXPECT_EQ(device_.stats().live_objects, 4u);
  pipelines.clear();
  EXPECT_EQ(device_.stats().live_objects, 0u);
}

// A batch of kernels gives each its own, in order, equal ones once; a broken one among them is told by its name.
TEST_F(Core, KernelsAreMadeInBatches) {
  std::vector<PipelineDescription> descriptions;
  for (std::uint32_t i = 0; i < 10; ++i) descriptions.push_back(adding_kernel(i % 5 + 1));
  {
    const std::vector<ComputePipeline> pipelines = core_->create_pipelines(descriptions);
    ASSERT_EQ(pipelines.size(), 10u);
    EXPECT_EQ(device_.stats().live_objects, 10u);  // 5 pipelines and their layouts
    const auto buffer = upload_words(*core_, {0});
    for (std::size_t i = 0; i < 10; ++i) {
      EXPECT_EQ(pipelines[i].handle(), pipelines[i % 5].handle());
      run_kernel(*core_, pipelines[i], *buffer, 1);
    }
    EXPECT_EQ(read_words(*core_, *buffer, 1), std::vector<std::uint32_t>{30});
  }
  EXPECT_EQ(device_.stats().live_objects, 0u);
  descriptions[3].label = "broken";
  descriptions[3].entry_point = "other";
  try {
    (void)core_->create_pipelines(descriptions);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const KernelError& error) {
    EXPECT_EQ(error.subject(), "broken");
  }
  EXPECT_EQ(device_.stats().live_objects, 0u);
  EXPECT_TRUE(core_->create_pipelines({}).empty());
}

// The same text with other bindings is another pipeline.
TEST_F(Core, OtherLayoutsAreOtherPipelines) {
  PipelineDescription description = adding_kernel(7);
  const ComputePipeline one = core_->create_pipeline(description);
  description.groups[0][0].least_byte_size = 64;
  const ComputePipeline two = core_->create_pipeline(description);
  EXPECT_NE(one.handle(), two.handle());
}

// More storage buffers than the device allows are refused with both numbers.
TEST_F(Core, TooManyStorageBuffers) {
  const Device capped = Device::open({.limits = {.storage_buffers_per_stage = 4}});
  PipelineDescription description = adding_kernel(1);
  description.label = "wide";
  for (std::uint32_t binding = 1; binding < 5; ++binding) {
    description.groups[0].push_back({.binding = binding, .kind = BindingKind::storage_read, .least_byte_size = 0});
  }
  expect_error<DeviceError>(
      [&] { (void)DeviceAccess::core(capped)->create_pipeline(description); }, ErrorCode::over_device_limit,
      fmt::format("Kernel \"wide\" binds 5 storage buffers, but the device \"{}\" allows 4.", name_));
}

// A binding over the limit is refused with both sizes; injected limits count.
TEST_F(Core, BindingOverTheLimit) {
  const Device capped = Device::open({.limits = {.storage_binding_byte_size = 1000}});
  const auto& core = DeviceAccess::core(capped);
  const auto buffer = core->create_buffer("b", 2048, kVectorUsage);
  const ComputePipeline pipeline = core->create_pipeline(adding_kernel(1));
  const BoundRange range = {0, buffer.get(), 0, 1004};
  expect_error<DeviceError>(
      [&] {
        (void)core->create_bind_group(pipeline, 0, {&range, 1});
      },
      ErrorCode::over_device_limit,
      fmt::format("Binding 0 of kernel \"add 1\" needs 1004 bytes, but a binding of the device "
                  "\"{}\" has at most 1000 bytes.",
                  name_));
}

// Ranges that wgpu-native would abort on, and others that no provider takes, end here. (D-06)
TEST_F(Core, ImpossibleBindingsAreInternalErrors) {
  const std::uint32_t alignment = device_.capabilities().storage_offset_alignment;
  const auto buffer = core_->create_buffer("b", 1024, kVectorUsage);
  const ComputePipeline pipeline = core_->create_pipeline(adding_kernel(1));
  const auto refused = [&](std::uint64_t offset, std::uint64_t bytes) {
    const BoundRange range = {0, buffer.get(), offset, bytes};
    expect_error<InternalError>(
        [&] {
          (void)core_->create_bind_group(pipeline, 0, {&range, 1});
        },
        ErrorCode::internal,
        fmt::format("Binding 0 of kernel \"add 1\" is a range of {} bytes at byte {} of a buffer "
                    "of 1024 bytes; it must have at least 4 bytes, a multiple of 4, at a "
                    "multiple of {}.",
                    bytes, offset, alignment));
  };
  refused(0, 0);
  refused(4, 16);
  refused(0, 1028);
  refused(1024, 4);
  refused(2048, 16);
  refused(0, 6);
  expect_error<InternalError>([&] { (void)core_->create_bind_group(pipeline, 0, {}); }, ErrorCode::internal,
                              "Group 0 of kernel \"add 1\" is given 0 bindings.");
  expect_error<InternalError>([&] { (void)core_->create_bind_group(pipeline, 3, {}); }, ErrorCode::internal,
                              "Group 3 of kernel \"add 1\" is given 0 bindings.");
  const BoundRange unknown = {5, buffer.get(), 0, 16};
  expect_error<InternalError>(
      [&] {
        (void)core_->create_bind_group(pipeline, 0, {&unknown, 1});
      },
      ErrorCode::internal, "Group 0 of kernel \"add 1\" has no binding 5.");
}

// Buffers and kernels of another device are told apart before a provider mixes them up. (D-06)
TEST_F(Core, ForeignObjectsAreRefused) {
  const Device other = Device::open();
  const auto& other_core = DeviceAccess::core(other);
  const auto own = core_->create_buffer("b", 16, kVectorUsage);
  const auto foreign = other_core->create_buffer("b", 16, kVectorUsage);
  const ComputePipeline pipeline = core_->create_pipeline(adding_kernel(1));
  const ComputePipeline foreign_pipeline = other_core->create_pipeline(adding_kernel(1));
  const BoundRange range = {0, foreign.get(), 0, 16};
  const std::vector<std::byte> bytes(4);
  expect_error<BindingError>([&] { core_->write_buffer(*foreign, 0, bytes); }, ErrorCode::foreign_device,
                             "A write goes to a buffer of another device.");
  expect_error<BindingError>(
      [&] {
        (void)core_->create_bind_group(pipeline, 0, {&range, 1});
      },
      ErrorCode::foreign_device, "Binding 0 of kernel \"add 1\" is a buffer of another device.");
  expect_error<BindingError>(
      [&] {
        (void)core_->create_bind_group(foreign_pipeline, 0, {&range, 1});
      },
      ErrorCode::foreign_device, "Kernel \"add 1\" belongs to another device.");
  const BindGroup foreign_group = other_core->create_bind_group(foreign_pipeline, 0, {&range, 1});
  Recorder recorder = core_->create_recorder("mixed");
  expect_error<BindingError>([&] { recorder.copy(*own, 0, *foreign, 0, 16); }, ErrorCode::foreign_device,
                             "copy in \"mixed\" uses a buffer of another device.");
  recorder.begin_compute_pass();
  expect_error<BindingError>([&] { recorder.set_pipeline(foreign_pipeline); }, ErrorCode::foreign_device,
                             "Kernel \"add 1\" belongs to another device.");
  expect_error<BindingError>([&] { recorder.set_bind_group(0, foreign_group, {}); }, ErrorCode::foreign_device,
                             "A bind group in \"mixed\" belongs to another device.");
}

// A borrowed buffer may lack a usage; the error says which.
TEST_F(Core, MissingUsagesAreNamed) {
  const auto uniform = core_->create_buffer("u", 256, Usage::uniform);
  const auto storage = core_->create_buffer("s", 256, Usage::storage);
  const ComputePipeline pipeline = core_->create_pipeline(adding_kernel(1));
  const BoundRange range = {0, uniform.get(), 0, 16};
  expect_error<BindingError>(
      [&] {
        (void)core_->create_bind_group(pipeline, 0, {&range, 1});
      },
      ErrorCode::missing_usage, "Binding 0 of kernel \"add 1\" is a buffer without the usage storage.");
  Recorder recorder = core_->create_recorder("r");
  expect_error<BindingError>([&] { recorder.copy(*storage, 0, *uniform, 0, 16); }, ErrorCode::missing_usage,
                             "copy in \"r\" uses a buffer without the usage copy source.");
  expect_error<BindingError>([&] { recorder.clear(*storage, 0, 16); }, ErrorCode::missing_usage,
                             "clear in \"r\" uses a buffer without the usage copy destination.");
  recorder.begin_compute_pass();
  expect_error<BindingError>([&] { recorder.dispatch_indirect(*storage, 0); }, ErrorCode::missing_usage,
                             "dispatch_indirect in \"r\" uses a buffer without the usage indirect.");
}

// A dispatch over the limit, which would be an invalid command buffer, is refused where it is recorded.
TEST_F(Core, DispatchOverTheLimit) {
  const Device capped = Device::open({.limits = {.workgroups_per_dimension = 2}});
  Recorder recorder = DeviceAccess::core(capped)->create_recorder("wide");
  recorder.begin_compute_pass();
  expect_error<DeviceError>(
      [&] { recorder.dispatch(1, 3, 1); }, ErrorCode::over_device_limit,
      fmt::format("A dispatch in \"wide\" has 1 x 3 x 1 workgroups, but the device \"{}\" allows 2 "
                  "in each dimension.",
                  name_));
}

// Calls in the wrong order, and ranges that do not fit, are bugs of ours.
TEST_F(Core, ImpossibleRecordingsAreInternalErrors) {
  const auto a = core_->create_buffer("a", 64, kVectorUsage);
  const auto b = core_->create_buffer("b", 64, kVectorUsage);
  Recorder recorder = core_->create_recorder("r");
  expect_error<InternalError>([&] { recorder.dispatch(1, 1, 1); }, ErrorCode::internal,
                              "dispatch is called on a recording that is finished, or outside a compute pass.");
  expect_error<InternalError>([&] { recorder.copy(*a, 0, *a, 32, 16); }, ErrorCode::internal,
                              "A copy goes from a buffer to itself.");
  expect_error<InternalError>([&] { recorder.copy(*a, 52, *b, 0, 16); }, ErrorCode::internal,
                              "copy uses 16 bytes at byte 52 of a buffer of 64 bytes; both must be multiples of 4, and "
                              "inside.");
  expect_error<InternalError>([&] { recorder.clear(*a, 2, 16); }, ErrorCode::internal,
                              "clear uses 16 bytes at byte 2 of a buffer of 64 bytes; both must be multiples of 4, and "
                              "inside.");
  recorder.begin_compute_pass();
  expect_error<InternalError>(
      [&] { recorder.begin_compute_pass(); }, ErrorCode::internal,
      "begin_compute_pass is called on a recording that is finished, or inside a compute pass.");
  expect_error<InternalError>([&] { recorder.dispatch_indirect(*a, 56); }, ErrorCode::internal,
                              "dispatch_indirect uses 12 bytes at byte 56 of a buffer of 64 bytes; both must be "
                              "multiples of 4, and inside.");
  expect_error<InternalError>([&] { (void)recorder.finish(); }, ErrorCode::internal,
                              "finish is called on a recording that is finished, or inside a compute pass.");
  recorder.end_compute_pass();
  core_->submit(recorder.finish());
  expect_error<InternalError>([&] { (void)recorder.finish(); }, ErrorCode::internal,
                              "finish is called on a recording that is finished, or inside a compute pass.");
}

// An invalid recording, which wgpu-native aborts on at submit, is an error at finish and never gets there.
TEST_F(Core, AnInvalidRecordingEndsAtFinish) {
  Recorder recorder = core_->create_recorder("no kernel");
  recorder.begin_compute_pass();
  recorder.dispatch(1, 1, 1);
  recorder.end_compute_pass();
  expect_error<DeviceError>(
      [&] { (void)recorder.finish(); }, ErrorCode::provider_error,
      fmt::format("The device \"{}\" cannot finish the recording \"no kernel\". {}", name_,
                  is_native() ? "wgpu-native says: In a dispatch command, indirect:false: Compute pipeline must be set"
                              : "Dawn says: No pipeline set."));
  EXPECT_EQ(device_.stats().live_objects, 0u);
}

// A recording that is given up in the middle of a pass leaves nothing behind.
TEST_F(Core, RecordingsAreAbandonedAnywhere) {
  {
    Recorder recorder = core_->create_recorder("r");
    recorder.begin_compute_pass();
    EXPECT_EQ(device_.stats().live_objects, 2u);
  }
  EXPECT_EQ(device_.stats().live_objects, 0u);
}

// Copies and clears of ranges reach those bytes alone, and a dispatch takes its size from a buffer.
TEST_F(Core, CopiesClearsAndIndirectDispatches) {
  const auto from = upload_words(*core_, {1, 2, 3, 4});
  const auto to = upload_words(*core_, {9, 9, 9, 9});
  const auto size = upload_words(*core_, {7, 1, 1, 1});
  const ComputePipeline pipeline = core_->create_pipeline(adding_kernel(10));
  const BoundRange range = {0, to.get(), 0, 16};
  const BindGroup bound = core_->create_bind_group(pipeline, 0, {&range, 1});
  Recorder recorder = core_->create_recorder("r");
  recorder.copy(*from, 4, *to, 8, 8);
  recorder.clear(*to, 4, 4);
  recorder.begin_compute_pass();
  recorder.set_pipeline(pipeline);
  recorder.set_bind_group(0, bound, {});
  recorder.dispatch_indirect(*size, 4);
  recorder.end_compute_pass();
  core_->submit(recorder.finish());
  EXPECT_EQ(read_words(*core_, *to, 4), (std::vector<std::uint32_t>{19, 10, 12, 13}));
}

// A wait that does not end in time says for what and for how long, and does not hang. (D-07)
TEST_F(Core, WaitsHaveADeadline) {
  expect_error<DeviceError>(
      [&] { core_->wait_until([] { return false; }, std::chrono::milliseconds(20), "reading rows"); },
      ErrorCode::deadline_exceeded,
      fmt::format("The device \"{}\" has not finished reading rows within 20 ms; give a later deadline, or wait again.",
                  name_));
}

// A thousand times the same work ends with the objects and bytes it began with. (D-12)
TEST_F(Core, LoopsEndAsTheyBegan) {
  const auto buffer = upload_words(*core_, {0});
  const DeviceStats before = device_.stats();
  for (int i = 0; i < 1000; ++i) {
    const ComputePipeline pipeline = core_->create_pipeline(adding_kernel(1));
    run_kernel(*core_, pipeline, *buffer, 1);
  }
  EXPECT_EQ(read_words(*core_, *buffer, 1), std::vector<std::uint32_t>{1000});
  EXPECT_EQ(device_.stats().live_objects, before.live_objects);
  EXPECT_EQ(device_.stats().live_bytes, before.live_bytes);
}

}  // namespace
}  // namespace millrace::webgpu
