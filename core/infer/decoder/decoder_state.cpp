#include "infer/decoder/decoder_state.h"

#include <algorithm>

#include "infer/decoder/decoder.h"
#include "infer/decoder/pass_scratch.h"

namespace ambry::infer {
namespace {

// The ring must hold all that the first row of a block attends to once the last row is in it.
uint64_t ring_slots(const Decoder& decoder, uint32_t layer) {
  const uint64_t window = decoder.config().window_of(layer);
  if (window == 0) return decoder.context();
  return std::min(decoder.context(), window + kPassRows - 1);
}

}  // namespace

DecoderState::DecoderState(const Decoder& decoder) : capacity_(decoder.context()) {
  const model::DecoderConfig& config = decoder.config();
  for (uint32_t i = 0; i < config.n_layers; ++i) {
    layers_.emplace_back(decoder.kv(), config.n_kv_heads, config.head_dim, ring_slots(decoder, i));
  }
}

uint64_t DecoderState::bytes() const {
  uint64_t total = ids_.capacity() * sizeof(uint32_t);
  for (const KvCache& layer : layers_) total += layer.bytes();
  return total;
}

uint64_t DecoderState::bytes_of(uint64_t n_tokens) const {
  uint64_t total = 0;
  for (const KvCache& layer : layers_) total += layer.bytes_of(n_tokens);
  return total;
}

void DecoderState::reset() {
  ids_.clear();
  unfinished_ = false;
}

}  // namespace ambry::infer
