#include "infer/decoder/steps/pass_scratch.h"

#include <algorithm>

#include "infer/decoder/recurrent/state_shape.h"
#include "infer/decoder/weights/decoder.h"
#include "infer/scratch_buffer.h"
#include "kernels/attention/decoder_attention.h"

namespace ambry::infer {
namespace {

constexpr uint64_t kFloatsOfALine = AlignedBuffer::kAlignment / sizeof(float);

uint64_t padded(uint64_t n_floats) {
  return (n_floats + kFloatsOfALine - 1) / kFloatsOfALine * kFloatsOfALine;
}

// The largest of what layers differ in.
struct Widest {
  explicit Widest(const model::DecoderConfig& config)
      : ff(std::max(config.n_ff, config.extras.shared_ff)) {
    for (uint32_t layer = 0; layer < config.n_layers; ++layer) add(config, layer);
    const model::DecoderExtras& extras = config.extras;
    ff = std::max({ff, uint64_t{config.experts.n_ff}, uint64_t{extras.n_embd_per_layer},
                   uint64_t{extras.laurel_rank}, uint64_t{extras.n_streams} * extras.n_streams});
  }

  void add(const model::DecoderConfig& config, uint32_t layer) {
    heads = std::max(heads, uint64_t{config.n_heads} * config.head_dim_of(layer));
    kv_heads =
        std::max(kv_heads, uint64_t{config.n_kv_heads_of(layer)} * config.head_dim_of(layer));
  }

  uint64_t heads = 0;
  uint64_t kv_heads = 0;
  uint64_t ff;
};

}  // namespace

Result<void> PassScratch::reserve(const Decoder& decoder, size_t n_tokens) {
  const model::DecoderConfig& config = decoder.config();
  const uint64_t rows = std::min(n_tokens, kPassRows);
  const uint64_t n_embd = config.n_embd;
  const auto [heads, kv_heads, n_ff] = Widest(config);
  const model::DecoderExtras& extras = config.extras;
  const uint64_t inputs = uint64_t{extras.n_embd_per_layer} * config.n_layers;
  uint64_t fused_floats =
      std::max({heads + 2 * kv_heads, 2 * n_ff, uint64_t{config.experts.count}});
  uint64_t mixed = heads;
  for (uint32_t layer = 0; layer < config.layer_kinds.size(); ++layer) {
    fused_floats = std::max<uint64_t>(fused_floats, mixer_input_width(config, layer));
    mixed = std::max<uint64_t>(mixed, mixed_width(config, layer));
  }
  mixed = std::max<uint64_t>(mixed, config.state_space.width());
  const bool is_parallel =
      config.parallel_residual || config.kind_of(0) == model::LayerKind::AttentionAndStateSpace;
  const uint64_t n_rates = config.delta.n_value_heads;
  const uint64_t gates = std::max(config.attn_gate ? heads : 0, config.delta.values());
  if (config.attn_gate) fused_floats = std::max(fused_floats, 2 * heads);
  struct Piece {
    float** begin;
    uint64_t n_floats;
  };
  const Piece pieces[] = {{&hidden, n_tokens * n_embd},
                          {&attended, is_parallel ? n_tokens * n_embd : 0},
                          {&streams, n_tokens * extras.n_streams * n_embd},
                          {&per_layer, inputs == 0 ? 0 : (n_tokens + 1) * inputs},
                          {&normed, rows * n_embd},
                          {&fused, rows * fused_floats},
                          {&query, rows * heads},
                          {&key, rows * kv_heads},
                          {&value, rows * kv_heads},
                          {&context, rows * mixed},
                          {&wide, rows * n_ff},
                          {&up, rows * n_ff},
                          {&out, rows * n_embd},
                          {&convolved, config.state_space.channels()},
                          {&gate, rows * gates},
                          {&betas, rows * n_rates},
                          {&steps, rows * n_rates},
                          {&replayed, config.delta.channels() + config.delta.values()},
                          {&of_experts, config.experts.count > 0 ? n_tokens * n_embd : 0},
                          {&of_shared, config.experts.norms ? n_tokens * n_embd : 0}};
  uint64_t total = 0;
  for (const Piece& piece : pieces) total += padded(piece.n_floats);
  AMBRY_RETURN_IF_ERROR(reserve_floats(memory_, total));
  float* at = memory_.as<float>().data();
  for (const Piece& piece : pieces) {
    *piece.begin = at;
    at += padded(piece.n_floats);
  }
  return {};
}

Result<void> PassScratch::reserve_kernels(const Decoder& decoder, size_t rows) {
  const model::DecoderConfig& config = decoder.config();
  uint64_t floats = decoder.product_floats();
  for (uint32_t layer = 0; layer < config.n_layers; ++layer) {
    const kernels::AttentionHeads heads{config.n_heads, config.n_kv_heads_of(layer),
                                        config.head_dim_of(layer)};
    floats = std::max<uint64_t>(floats, kernels::decoder_attention_scratch(heads, rows));
  }
  floats = padded(floats);
  const uint64_t threads = decoder.team() == nullptr ? 1 : decoder.team()->size();
  AMBRY_RETURN_IF_ERROR(reserve_floats(kernels_, threads * floats));
  floats_of_thread_ = static_cast<size_t>(floats);
  return {};
}

}  // namespace ambry::infer
