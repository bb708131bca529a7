#include "infer/decoder/decoder_state.h"

#include <algorithm>
#include <cassert>

#include "infer/decoder/attention/rope_table.h"
#include "infer/decoder/steps/pass_scratch.h"
#include "infer/decoder/weights/decoder.h"

namespace ambry::infer {
namespace {

// The ring must hold all that the first row of a block attends to once the last row is in it. So
// the last kPassRows tokens can be taken back (can_truncate()).
uint64_t ring_slots(const Decoder& decoder, uint32_t layer) {
  const uint64_t window = decoder.config().window_of(layer);
  // Tokens that see later ones are computed when all keys are there.
  if (window == 0 || decoder.config().bidirectional) return decoder.context();
  // A whole prompt goes through a layer at once where weights are read for every pass. The layers
  // that share these rows attend later, when a ring has lost the first ones.
  if (decoder.is_streamed() && decoder.config().lends_keys(layer)) return decoder.context();
  return std::min(decoder.context(), window + kPassRows - 1);
}

}  // namespace

DecoderState::DecoderState(const Decoder& decoder) : capacity_(decoder.context()) {
  const model::DecoderConfig& config = decoder.config();
  for (uint32_t i = 0; i < config.n_layers; ++i) {
    // A layer that attends to the keys of another keeps none.
    const uint32_t kv_heads = config.keeps_keys(i) ? config.n_kv_heads_of(i) : 0;
    layers_.emplace_back(decoder.kv(), kv_heads, config.head_dim_of(i), ring_slots(decoder, i));
  }
  for (uint32_t i = 0; i < config.layer_kinds.size(); ++i) {
    states_.emplace_back(state_shape(config, i));
  }
}

uint64_t DecoderState::next_number() {
  static uint64_t last = 0;
  return ++last;
}

uint64_t DecoderState::bytes() const {
  uint64_t total = ids_.capacity() * sizeof(uint32_t);
  for (const KvCache& layer : layers_) total += layer.bytes();
  for (const RecurrentState& layer : states_) total += layer.bytes();
  return total;
}

uint64_t DecoderState::bytes_of(uint64_t n_tokens) const {
  uint64_t total = 0;
  for (const KvCache& layer : layers_) total += layer.bytes_of(n_tokens);
  for (const RecurrentState& layer : states_) total += n_tokens == 0 ? 0 : layer.most_bytes();
  return total;
}

void DecoderState::reset() {
  ids_.clear();
  for (RecurrentState& layer : states_) layer.truncate(0);
  unfinished_ = false;
  written_ = 0;
  rotated_for_ = 0;
  lacks_keys_ = false;
}

size_t DecoderState::reachable(size_t n) const {
  // An abandoned pass may have changed some layers only.
  for (size_t wanted = SIZE_MAX; wanted != n;) {
    wanted = n;
    for (const RecurrentState& layer : states_) n = static_cast<size_t>(layer.reachable(n));
  }
  const bool near = written_ - std::min<uint64_t>(n, written_) <= kPassRows;
  const bool whole = std::ranges::all_of(
      layers_, [&](const KvCache& layer) { return written_ <= layer.max_rows(); });
  return near || whole ? n : 0;
}

size_t DecoderState::truncate(size_t n) {
  assert(n <= ids_.size());
  n = reachable(n);
  for (RecurrentState& layer : states_) layer.truncate(n);
  bool whole = true;
  for (KvCache& layer : layers_) {
    const bool wrapped = n > 0 && written_ > layer.max_rows();
    whole = whole && !wrapped;
    if (!wrapped) layer.truncate(n);
  }
  ids_.resize(n);
  unfinished_ = false;
  if (whole) written_ = n;
  if (n == 0) {
    rotated_for_ = 0;
    lacks_keys_ = false;
  }
  return n;
}

DecoderState DecoderState::fork() const {
  DecoderState other(*this);
  other.number_ = next_number();
  if (unfinished_) {
    for (RecurrentState& layer : other.states_) layer.leave_pass();
  }
  other.truncate(position());
  return other;
}

size_t DecoderState::reusable(const Decoder& decoder, std::span<const uint32_t> ids) const {
  if (ids.empty() || !keeps_rotation(decoder.config(), rotated_for_, ids.size())) return 0;
  const auto differ = std::ranges::mismatch(ids_, ids).in1;
  const auto n = std::min(static_cast<size_t>(differ - ids_.begin()), ids.size() - 1);
  return reachable(n);
}

}  // namespace ambry::infer
