// Measures functions over all f32 patterns, or every Nth of them, on the device at hand.
//
//   millrace_math_sweep [--function NAME|all] [--stride N] [--offset K] [--pairs N] [--seed S] [--native] [--json]
//     --function  one function, or all that take one operand and then those that take two; all
//     --stride    every Nth pattern, from the Kth on, for functions of one operand; 1 is all 2^32
//     --pairs     how many pairs for functions of two operands; 100 million
//     --native    the provider's own functions instead of millrace's
//     --json      one object a line instead of a table
//   The provider is found as for every program with millrace in it: the environment variable MILLRACE_WEBGPU, or
//   libwgpu_native.so beside the program. Exit status 1 where a result is outside of the contract.
#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <millrace/millrace.hpp>

#include "tests/math/accuracy.hpp"
#include "tests/math/arguments.hpp"
#include "tests/math/evaluator.hpp"

namespace millrace::accuracy {
namespace {

constexpr std::uint64_t kPatterns = std::uint64_t{1} << 32;
constexpr std::size_t kBatch = std::size_t{1} << 22;

struct Options {
  std::string function = "all";
  std::uint64_t stride = 1;
  std::uint64_t offset = 0;
  std::uint64_t pairs = 100'000'000;
  std::uint64_t seed = 1;
  Mathematics math = Mathematics::own;
  bool json = false;
};

std::uint64_t number(std::string_view option, std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::invalid_argument(fmt::format("{} takes a whole number, not \"{}\".", option, text));
  return value;
}

Options parse(const std::vector<std::string_view>& words) {
  Options options;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string_view option = words[at];
    const auto value = [&] {
      if (at + 1 == words.size()) throw std::invalid_argument(fmt::format("{} takes a value.", option));
      return words[++at];
    };
    if (option == "--function") {
      options.function = value();
    } else if (option == "--stride") {
      options.stride = std::max<std::uint64_t>(number(option, value()), 1);
    } else if (option == "--offset") {
      options.offset = number(option, value());
    } else if (option == "--pairs") {
      options.pairs = number(option, value());
    } else if (option == "--seed") {
      options.seed = number(option, value());
    } else if (option == "--native") {
      options.math = Mathematics::native;
    } else if (option == "--json") {
      options.json = true;
    } else {
      throw std::invalid_argument(fmt::format("There is no option {}.", option));
    }
  }
  if (options.function != "all" && find_function(options.function) == nullptr)
    throw std::invalid_argument(fmt::format("There is no function {}.", options.function));
  return options;
}

// Measures batches, each while the device computes the next one.
class Sweep {
 public:
  Sweep(Device& device, const Function& function, Mathematics math)
      : function_(function), evaluator_(device, function, math) {}

  void add(Pairs operands) {
    PendingRead<float> results = evaluator_.start(operands.a, operands.b);
    finish();
    batch_.emplace(Batch{std::move(operands), std::move(results)});
  }
  Measured finish() {
    if (!batch_) return measured_;
    const std::vector<float> results = batch_->results.wait(Evaluator::kDeadline);
    measured_.add(measure_all(function_, batch_->operands.a, batch_->operands.b, results, threads_));
    batch_.reset();
    return measured_;
  }

 private:
  struct Batch {
    Pairs operands;
    PendingRead<float> results;
  };
  const Function& function_;
  Evaluator evaluator_;
  unsigned threads_ = std::max(std::thread::hardware_concurrency(), 1u);
  Measured measured_;
  std::optional<Batch> batch_;
};

Measured measure_function(Device& device, const Function& function, const Options& options) {
  Sweep sweep(device, function, options.math);
  if (function.takes_two()) {
    for (std::uint64_t done = 0; done < options.pairs; done += kBatch) {
      const std::size_t count = std::min<std::uint64_t>(kBatch, options.pairs - done);
      sweep.add(random_pairs(function.name, options.seed + done, count));
    }
  } else {
    for (std::uint64_t first = options.offset; first < kPatterns; first += options.stride * kBatch) {
      const std::uint64_t left = (kPatterns - first + options.stride - 1) / options.stride;
      sweep.add({patterns(first, options.stride, std::min<std::uint64_t>(kBatch, left)), {}});
    }
  }
  return sweep.finish();
}

std::string argument_text(const Function& function, const Result& at) {
  const auto one = [](std::uint32_t bits) {
    return fmt::format("{:.9g} ({:#010x})", std::bit_cast<float>(bits), bits);
  };
  return function.takes_two() ? one(at.a) + ", " + one(at.b) : one(at.a);
}

void print(const Function& function, const Measured& measured, double seconds, bool json) {
  const auto result = [&](const std::optional<Result>& at) {
    return at ? fmt::format(", first at {} -> {:#010x}", argument_text(function, *at), at->bits) : std::string();
  };
  if (json) {
    std::cout << fmt::format(
        R"({{"function": "{}", "results": {}, "worst_ulp": {:.4f}, "worst_a": {}, "worst_b": {}, "worst_result": {}, )"
        R"("over_one": {}, "over_bound": {}, "wrong_class": {}, "wrong_sign": {}, "seconds": {:.1f}}})",
        function.name, measured.results, measured.worst, measured.worst_at.a, measured.worst_at.b,
        measured.worst_at.bits, measured.over_one, measured.over_bound, measured.wrong_class, measured.wrong_sign,
        seconds);
  } else {
    std::cout << fmt::format(
        "{:<12} worst {:.4f} ULP at {} -> {:#010x}; over 1: {:.4f} %; over bound: {}; wrong class: {}{}; wrong sign: "
        "{}{}; {} results, {:.1f} s",
        function.name, measured.worst, argument_text(function, measured.worst_at), measured.worst_at.bits,
        100.0 * static_cast<double>(measured.over_one) / static_cast<double>(measured.results), measured.over_bound,
        measured.wrong_class, result(measured.first_wrong_class), measured.wrong_sign,
        result(measured.first_wrong_sign), measured.results, seconds);
  }
  std::cout << std::endl;
}

bool run(const Options& options) {
  Device device = Device::open();
  std::cerr << fmt::format("{}, {}, {}\n", device.adapter().name, device.adapter().driver, device.adapter().provider);
  bool all_hold = true;
  for (const bool takes_two : {false, true}) {
    for (const Function& function : functions()) {
      const bool is_asked = options.function == "all" || options.function == function.name;
      if (!is_asked || function.takes_two() != takes_two) continue;
      const auto start = std::chrono::steady_clock::now();
      const Measured measured = measure_function(device, function, options);
      const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
      print(function, measured, time.count(), options.json);
      all_hold = all_hold && measured.holds();
    }
  }
  return all_hold;
}

}  // namespace
}  // namespace millrace::accuracy

int main(int count, char** words) {
  try {
    return millrace::accuracy::run(millrace::accuracy::parse({words + 1, words + count})) ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "millrace_math_sweep: " << error.what() << '\n';
    return 2;
  }
}
