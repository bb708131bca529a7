// Forward passes of an encoder of MiniLM-L6's shape (6 layers, hidden size 384, 12 heads,
// intermediate size 1536) with random weights, for batches of texts x tokens. The counter is
// GFLOP/s of linear layers and attention.
#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

#include "infer/encoder/encoder.h"
#include "infer/encoder/encoder_builder.h"
#include "model/encoder/encoder_tensors.h"

namespace ambry::infer {
namespace {

model::EncoderConfig mini_lm() {
  model::EncoderConfig config;
  config.vocab_size = 1000;  // the table is only read from
  config.hidden_size = 384;
  config.num_layers = 6;
  config.num_heads = 12;
  config.intermediate_size = 1536;
  config.max_positions = 512;
  return config;
}

AlignedBuffer random_weights(const model::TensorEntry& entry, uint32_t& state) {
  AlignedBuffer bytes = AlignedBuffer::allocate(entry.bytes).value();
  for (float& weight : bytes.as<float>()) {
    state = state * 1664525U + 1013904223U;
    weight = (static_cast<float>(state >> 8) / 8388608.0F - 1.0F) * 0.08F;
  }
  return bytes;
}

Encoder make_encoder(WeightStorage storage) {
  const model::EncoderConfig config = mini_lm();
  model::Model model;
  for (const model::EncoderTensor& tensor : model::encoder_tensors(config)) {
    const model::TensorSpec& spec = tensor.spec;
    model.tensors.push_back(
        {spec.name, tensor::DType::F32, spec.shape, 0, *spec.shape.count() * 4});
  }
  EncoderBuilder builder = EncoderBuilder::plan(model, config, storage).value();
  uint32_t state = 1;
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    if (!builder.wants(i)) continue;
    builder.accept(i, random_weights(model.tensors[i], state)).value();
  }
  return std::move(builder).finish().value();
}

double flops(const model::EncoderConfig& config, double n_texts, double n_tokens) {
  const double hidden = config.hidden_size;
  const double linear = 4 * hidden * hidden + 2 * hidden * config.intermediate_size;
  const double attention = 2 * n_tokens * hidden;
  return 2 * n_texts * n_tokens * config.num_layers * (linear + attention);
}

void encoder(benchmark::State& state, WeightStorage storage) {
  const auto n_texts = static_cast<size_t>(state.range(0));
  const auto n_tokens = static_cast<size_t>(state.range(1));
  Encoder encoder = make_encoder(storage);
  std::vector<uint32_t> ids(n_tokens);
  for (size_t i = 0; i < n_tokens; ++i) ids[i] = static_cast<uint32_t>(i * 7 % 1000);
  const std::vector<Sequence> batch(n_texts, Sequence{ids, {}});
  std::vector<float> hidden(n_texts * n_tokens * encoder.hidden_size());
  for (auto _ : state) {
    encoder.run(batch, hidden).value();
    benchmark::DoNotOptimize(hidden.data());
  }
  const double work =
      flops(mini_lm(), static_cast<double>(n_texts), static_cast<double>(n_tokens)) / 1e9;
  state.counters["GFLOP/s"] =
      benchmark::Counter(work, benchmark::Counter::kIsIterationInvariantRate);
}

void shapes(benchmark::internal::Benchmark* bench) {
  bench->Unit(benchmark::kMillisecond)->ArgNames({"texts", "tokens"});
  for (const auto& [texts, tokens] : {std::pair{1, 8}, {1, 128}, {8, 32}, {32, 32}}) {
    bench->Args({texts, tokens});
  }
}

BENCHMARK_CAPTURE(encoder, f32, WeightStorage::F32)->Apply(shapes);
BENCHMARK_CAPTURE(encoder, int8, WeightStorage::Int8)->Apply(shapes);

}  // namespace
}  // namespace ambry::infer
