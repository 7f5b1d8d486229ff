// The benchmarks' program: Google benchmark with its flags, and
//   --rows=N[,N...]   the row counts of the throughput and mathematics benchmarks, multiples of 4; 4000000 where not
//                     given
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "context.hpp"

namespace {

using millrace::bench::Context;

std::vector<std::uint64_t> parse_rows(const char* list) {
  std::vector<std::uint64_t> rows;
  while (true) {
    char* end = nullptr;
    const std::uint64_t count = std::strtoull(list, &end, 10);
    if (end == list || count == 0 || count % 4 != 0 || (*end != ',' && *end != '\0')) {
      std::fprintf(stderr, "--rows takes multiples of 4 with commas between, such as --rows=4000000,64000000.\n");
      std::exit(2);
    }
    rows.push_back(count);
    if (*end == '\0') return rows;
    list = end + 1;
  }
}

// Takes --rows out of the arguments; the rest is Google benchmark's.
void take_rows(int& argc, char** argv, Context& context) {
  constexpr std::string_view kFlag = "--rows=";
  int kept = 1;
  for (int index = 1; index < argc; ++index) {
    if (std::string_view(argv[index]).starts_with(kFlag)) {
      context.throughput_rows = parse_rows(argv[index] + kFlag.size());
    } else {
      argv[kept++] = argv[index];
    }
  }
  argc = kept;
}

void run_benchmarks(int argc, char** argv) {
  Context context;
  take_rows(argc, argv, context);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) std::exit(2);
  benchmark::AddCustomContext("adapter", context.raw.adapter_name());
  benchmark::AddCustomContext("provider", millrace::bench::provider_path());
  add_compile_benchmarks(context);
  add_run_benchmarks(context);
  add_throughput_benchmarks(context);
  add_mathematics_benchmarks(context);
  millrace::bench::RatioReporter reporter(context.ratios);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  // They hold objects of the device.
  benchmark::ClearRegisteredBenchmarks();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run_benchmarks(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
