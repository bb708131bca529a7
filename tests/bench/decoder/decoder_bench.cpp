// What limits a decoder: one pass over its weights for every token, and a matrix product for the
// prompt. The matrices are those of a llama of 12 layers, hidden size 768, feed-forward size 2048
// and a vocabulary of 32,000, with random weights. For each type it prints how fast the weights are
// read while one row is multiplied, in percent of a plain read of the same memory, and how many
// rows of a prompt of 128 are processed in the time of one. It is a plain program, so that the same
// source runs in wasm (decoder-bench.sh).
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "kernels/gemm/weight_matrix.h"
#include "simd/isa.h"
#include "tensor/codec/encode.h"
#include "tensor/dtype/convert.h"

#if defined(__EMSCRIPTEN__)
#include <emscripten/em_js.h>
#endif

namespace {

using namespace ambry;
using tensor::DType;
using V = simd::Best;

constexpr size_t kLayers = 12;
constexpr size_t kWide = 768;
constexpr size_t kFeedForward = 2048;
constexpr size_t kVocabulary = 32000;
constexpr size_t kPrompt = 128;
constexpr int kRepeats = 7;

float next_float(uint32_t& state) {
  state = state * 1664525U + 1013904223U;
  return (static_cast<float>(state >> 8) / 8388608.0F - 1.0F) * 0.05F;
}

// A K-quant of any bytes, but for halves: they are small.
kernels::WeightMatrix random_blocks(DType dtype, size_t rows, size_t cols) {
  auto state = static_cast<uint32_t>(rows + cols);
  const tensor::Block of = tensor::block_of(dtype);
  AlignedBuffer payload = *AlignedBuffer::allocate(uint64_t{rows} * cols / of.elements * of.bytes);
  for (uint8_t& byte : payload.bytes()) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<uint8_t>(state >> 24 & 0x1FU);
  }
  return *kernels::WeightMatrix::create(dtype, std::nullopt, rows, cols, false, std::move(payload));
}

kernels::WeightMatrix random_matrix(DType dtype, uint16_t block, size_t rows, size_t cols) {
  if (kernels::PackedSuperBlocks::supports(dtype, cols)) return random_blocks(dtype, rows, cols);
  auto state = static_cast<uint32_t>(rows + cols);
  std::vector<float> values(rows * cols);
  for (float& value : values) value = next_float(state);
  tensor::Encoded encoded;
  std::optional<tensor::Quantization> how;
  if (tensor::is_plain(dtype)) {
    encoded.payload.resize(values.size() * tensor::dtype_size(dtype));
    tensor::from_f32(dtype, values, encoded.payload).value();
  } else {
    encoded = *tensor::encode(dtype, {rows, cols}, values, {.block_size = block});
    how = encoded.quantization;
  }
  AlignedBuffer payload = *AlignedBuffer::allocate(encoded.payload.size());
  std::ranges::copy(encoded.payload, payload.data());
  return *kernels::WeightMatrix::create(dtype, how, rows, cols, false, std::move(payload));
}

struct Matrices {
  std::vector<kernels::WeightMatrix> layers;
  kernels::WeightMatrix output;

  Matrices(DType dtype, uint16_t block) {
    const auto add = [&](size_t rows, size_t cols) {
      layers.push_back(random_matrix(dtype, block, rows, cols));
    };
    for (size_t layer = 0; layer < kLayers; ++layer) {
      for (int i = 0; i < 4; ++i) add(kWide, kWide);
      add(kFeedForward, kWide);
      add(kFeedForward, kWide);
      add(kWide, kFeedForward);
    }
    output = random_matrix(dtype, block, kVocabulary, kWide);
  }
  [[nodiscard]] uint64_t bytes() const {
    uint64_t sum = output.bytes();
    for (const auto& matrix : layers) sum += matrix.bytes();
    return sum;
  }
};

#if defined(__EMSCRIPTEN__)
EM_JS(double, cpu_seconds, (), { return process.cpuUsage().user / 1e6; });
#else
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
#endif

// The best of a few runs, in CPU time, because other programs may run on this machine.
template <class Work>
double best_seconds(const Work& work) {
  double best = 1e9;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const double begin = cpu_seconds();
    work();
    best = std::min(best, cpu_seconds() - begin);
  }
  return best;
}

// Seconds for a plain read of this many bytes, with four sums.
double plain_read(uint64_t bytes) {
  const std::vector<float> memory(bytes / sizeof(float), 1.0F);
  float keep = 0;
  const double seconds = best_seconds([&] {
    auto a = V::zero();
    auto b = a;
    auto c = a;
    auto d = a;
    for (size_t i = 0; i + 4 * V::kLanes <= memory.size(); i += 4 * V::kLanes) {
      a = V::add(a, V::load(&memory[i]));
      b = V::add(b, V::load(&memory[i + V::kLanes]));
      c = V::add(c, V::load(&memory[i + 2 * V::kLanes]));
      d = V::add(d, V::load(&memory[i + 3 * V::kLanes]));
    }
    keep += V::reduce_add(V::add(V::add(a, b), V::add(c, d)));
  });
  if (keep == 0) std::puts("");
  return seconds;
}

void measure(const char* name, DType dtype, uint16_t block) {
  const Matrices matrices(dtype, block);
  uint32_t state = 5;
  std::vector<float> x(kPrompt * kFeedForward);
  for (float& value : x) value = next_float(state);
  std::vector<float> y(std::max(kPrompt * kFeedForward, kVocabulary));
  std::vector<float> scratch;
  const auto run = [&](const kernels::WeightMatrix& matrix, size_t n) {
    scratch.resize(std::max(scratch.size(), matrix.scratch_floats(n)));
    matrix.multiply<V>(x.data(), n, y.data(), scratch);
  };
  // Only the last row of the prompt is multiplied by the output matrix.
  const auto pass = [&](size_t n) {
    for (const auto& matrix : matrices.layers) run(matrix, n);
    run(matrices.output, 1);
  };
  const double one = best_seconds([&] { pass(1); });
  const double prompt = best_seconds([&] { pass(kPrompt); });
  const auto bytes = static_cast<double>(matrices.bytes());
  const double plain = plain_read(matrices.bytes());
  std::printf(
      "%-16s %6.1f MB %7.1f tokens/s %6.2f GB/s %4.0f %% of a plain read  prompt %7.1f "
      "tokens/s, %5.2f times\n",
      name, bytes / 1e6, 1 / one, bytes / one / 1e9, 100 * plain / one, double{kPrompt} / prompt,
      double{kPrompt} / prompt * one);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string only = argc > 1 ? argv[1] : "";
  const auto row = [&](const char* name, DType dtype, uint16_t block) {
    if (only.empty() || only == name) measure(name, dtype, block);
  };
  std::printf("%s\n", V::kName);
  row("int8", DType::Int8, kWide);
  row("int8/32", DType::Int8, 32);
  row("int4_block/32", DType::Int4Block, 32);
  row("int4_block/128", DType::Int4Block, 128);
  row("int5_block/32", DType::Int5Block, 32);
  row("q4_k", DType::Q4_K, 0);
  row("q6_k", DType::Q6_K, 0);
  row("q5_k", DType::Q5_K, 0);
  row("q3_k", DType::Q3_K, 0);
  row("q2_k", DType::Q2_K, 0);
  row("iq4_xs", DType::IQ4_XS, 0);
  row("f16", DType::F16, 0);
  row("f32", DType::F32, 0);
}
