// One compiled graph in several threads.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/graph/on_device.hpp"

namespace millrace {
namespace {

class Threads : public GraphOnDevice {};
MILLRACE_ON_DEVICES(Threads);

// Threads that share a compiled graph would get each other's rows, scalars or shapes.
TEST_P(Threads, RunOneCompiledGraph) {
  const CompiledGraph compiled =
      graph_of({{"x", vector_of(Format::float32)}, {"k", scalar_of(Format::float32)}}, {"y = x * k"}).compile(device);
  std::atomic<int> wrong = 0;
  std::vector<std::string> errors(4);
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < errors.size(); ++thread) {
    threads.emplace_back([&, thread] {
      try {
        for (std::size_t round = 0; round < 25; ++round) {
          const std::size_t rows = 1 + (thread * 7 + round) % 40;
          const auto k = static_cast<float>(thread * 100 + round);
          const Vector x = device.upload(Format::float32, ramp(rows, 1));
          const Results results = compiled.run({.inputs = {{"x", x}, {"k", k}}});
          if (results["y"].read<float>() != ramp(rows, k, k)) ++wrong;
        }
      } catch (const std::exception& error) {
        errors[thread] = error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(errors, std::vector<std::string>(4));
}

// A graph destroyed by one thread while others run it would take their pipelines away.
TEST_P(Threads, SurviveTheDestructionOfTheirGraph) {
  CompiledGraph compiled = graph_of({{"x", vector_of(Format::float32)}}, {"y = x + 1"}).compile(device);
  const Vector x = device.upload(Format::float32, ramp(10));
  std::atomic<bool> has_run = false;
  std::string last_error;
  std::thread runner([&] {
    try {
      for (;;) {
        (void)compiled.run({.inputs = {{"x", x}}});
        has_run = true;
      }
    } catch (const BindingError& error) {
      last_error = to_string(error.code());
    } catch (const std::exception& error) {
      last_error = error.what();
    }
  });
  while (!has_run && last_error.empty()) std::this_thread::yield();
  compiled.destroy();
  runner.join();
  EXPECT_EQ(last_error, "destroyed");
}

}  // namespace
}  // namespace millrace
