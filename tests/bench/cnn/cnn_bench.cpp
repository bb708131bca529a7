// The thin ResNets of tinyRuntime's reference cases on one image of 224 × 224: the kernels of the
// package compared with a plain scalar implementation (tests/core/infer/cnn/reference_network.h),
// compiled with -O3. AMBRY_DATA names the folder of the real files.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "infer/cnn/read_network.h"
#include "infer/cnn/reference_network.h"

namespace ambry::infer {
namespace {

using testing::File;

File model_file(const std::string& name) {
  const char* data = std::getenv("AMBRY_DATA");
  const std::string folder = data == nullptr ? "" : data;
  std::ifstream stream(folder + "/tinyruntime/models/" + name + ".bin", std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<float> random_image() {
  std::vector<float> values(size_t{3} * 224 * 224);
  uint32_t state = 1;
  for (float& number : values) {
    state = state * 1664525U + 1013904223U;
    number = static_cast<float>(state >> 8) / 4194304.0F - 2.0F;
  }
  return values;
}

template <class Run>
void measure(benchmark::State& state, const std::string& name, const Run& run) {
  const File file = model_file(name);
  if (file.empty()) {
    state.SkipWithError("no real files; set AMBRY_DATA to their folder");
    return;
  }
  run(file, random_image());
}

void bench_reference(benchmark::State& state, const std::string& name) {
  measure(state, name, [&](const File& file, const std::vector<float>& input) {
    const auto table = *model::cnn_table(testing::parse(file).config);
    testing::ReferenceNetwork reference(file, *model::residual_graph(table, 224));
    for (auto _ : state) benchmark::DoNotOptimize(reference.run(input));
  });
}

void bench_kernels(benchmark::State& state, const std::string& name) {
  measure(state, name, [&](const File& file, const std::vector<float>& input) {
    const auto weights = testing::read_weights(file);
    const auto network = *CnnNetwork::create(weights, *model::residual_graph(weights->table, 224));
    for (auto _ : state) benchmark::DoNotOptimize(testing::run_network(network, input));
  });
}

const bool kRegistered = [] {
  for (const std::string name : {"r18w8_vanilla", "r18w8_dq8a64", "r18w8_dq8s64", "r18w8_sq8",
                                 "r50w4_vanilla", "r50w4_dq8a64", "r50w4_sq8"}) {
    const std::string reference = "reference/" + name;
    const std::string kernels = "kernels/" + name;
    benchmark::RegisterBenchmark(reference.c_str(), bench_reference, name)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(kernels.c_str(), bench_kernels, name)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace ambry::infer
