// Training of product quantizers and its parts, on 300 dimensions: an iteration over 100,000
// vectors, encoding them, and the decompositions of optimized quantizers.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "base/random.h"
#include "kernels/product_quantization/quantizer_training.h"

namespace ambry::kernels {
namespace {

constexpr size_t kDims = 300;
constexpr size_t kRows = 100000;

AlignedBuffer random_rows(size_t n) {
  AlignedBuffer rows = AlignedBuffer::allocate(n * sizeof(float)).value();
  Random random(1);
  for (float& x : rows.as<float>()) {
    x = static_cast<float>(random.next() >> 40) / 8388608.0F - 1.0F;
  }
  return rows;
}

// All phases, with state.range(0) iterations: the difference of two runs is the time of an
// iteration.
void train(benchmark::State& state, QuantizerKind kind) {
  TrainingOptions options;
  options.kind = kind;
  options.n_slices = kDims / 2;
  options.iterations = static_cast<uint32_t>(state.range(0));
  for (auto _ : state) {
    state.PauseTiming();
    QuantizerTraining training(random_rows(kRows * kDims), kDims, options);
    state.ResumeTiming();
    while (training.step().value()) {
    }
    benchmark::DoNotOptimize(training.take());
  }
}
BENCHMARK_CAPTURE(train, pq, QuantizerKind::Plain)->Arg(1)->Arg(3)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(train, gaussian_opq, QuantizerKind::GaussianOptimized)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(train, opq, QuantizerKind::Optimized)
    ->Arg(1)
    ->Arg(3)
    ->Unit(benchmark::kMillisecond);

void encode(benchmark::State& state) {
  const AlignedBuffer rows = random_rows(kRows * kDims);
  ProductQuantizer quantizer{{kDims, kDims / 2, 256}, {}, {}};
  const AlignedBuffer centroids = random_rows(256 * kDims);
  quantizer.centroids.assign(centroids.as<float>().begin(), centroids.as<float>().end());
  VectorEncoder encoder = VectorEncoder::begin(quantizer).value();
  std::vector<uint8_t> codes(kRows * quantizer.shape.n_slices);
  for (auto _ : state) encoder.encode(rows.as<float>().data(), kRows, codes.data());
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kRows));
}
BENCHMARK(encode)->Unit(benchmark::kMillisecond);

void decompose(benchmark::State& state) {
  const auto n = static_cast<size_t>(state.range(0));
  const AlignedBuffer values = random_rows(n * n);
  for (auto _ : state) {
    Svd svd({values.as<float>().begin(), values.as<float>().end()}, n);
    while (svd.step()) {
    }
    benchmark::DoNotOptimize(svd.polar());
  }
}
BENCHMARK(decompose)->Arg(300)->Arg(1024)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ambry::kernels
