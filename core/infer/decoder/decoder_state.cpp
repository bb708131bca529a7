#include "infer/decoder/decoder_state.h"

#include <algorithm>

#include "infer/decoder/decoder.h"
#include "infer/decoder/pass_scratch.h"

namespace ambry::infer {
namespace {

// The ring must hold all that the first row of a block attends to once the last row is in it.
uint64_t ring_slots(const Decoder& decoder) {
  const auto& window = decoder.config().sliding_window;
  if (!window) return decoder.context();
  return std::min(decoder.context(), uint64_t{*window} + kPassRows - 1);
}

}  // namespace

DecoderState::DecoderState(const Decoder& decoder) : capacity_(decoder.context()) {
  const model::DecoderConfig& config = decoder.config();
  for (uint32_t i = 0; i < config.n_layers; ++i) {
    layers_.emplace_back(decoder.kv(), config.n_kv_heads, config.head_dim, ring_slots(decoder));
  }
}

uint64_t DecoderState::bytes() const {
  uint64_t total = ids_.capacity() * sizeof(uint32_t);
  for (const KvCache& layer : layers_) total += layer.bytes();
  return total;
}

uint64_t DecoderState::bytes_of(uint64_t n_tokens) const {
  return layers_.size() * layers_.front().bytes_of(n_tokens);
}

void DecoderState::reset() {
  ids_.clear();
  unfinished_ = false;
}

}  // namespace ambry::infer
