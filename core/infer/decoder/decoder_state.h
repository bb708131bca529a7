// One sequence: the keys and values of its tokens so far, and the states of layers that have a
// state in place of them. Memory grows with the tokens, not with the context. With a sliding window
// only the rows that later tokens attend to are kept, in a ring.
//
// A sequence can be cut back and go on in another way, and forks share the memory of the tokens
// that they have in common.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "infer/decoder/attention/kv_cache.h"
#include "infer/decoder/recurrent/recurrent_state.h"

namespace ambry::infer {

class Decoder;

class DecoderState {
 public:
  explicit DecoderState(const Decoder& decoder);
  DecoderState(DecoderState&&) noexcept = default;
  DecoderState& operator=(const DecoderState&) = delete;
  DecoderState& operator=(DecoderState&&) noexcept = default;
  ~DecoderState() = default;

  // Tokens that passes have put in.
  [[nodiscard]] size_t position() const { return ids_.size(); }
  [[nodiscard]] std::span<const uint32_t> ids() const { return ids_; }
  // Tokens that fit.
  [[nodiscard]] uint64_t capacity() const { return capacity_; }
  // Heap bytes of keys, values and states: now, and at most for a sequence of `n_tokens`.
  [[nodiscard]] uint64_t bytes() const;
  [[nodiscard]] uint64_t bytes_of(uint64_t n_tokens) const;
  // Removes all tokens and keeps the memory.
  void reset();

  // Cuts back to the first reachable(n) tokens, n <= position(), and frees the memory of the
  // others. Returns how many tokens are left. Also makes a state usable that an abandoned pass left
  // incomplete.
  size_t truncate(size_t n);
  // The largest number of first tokens, at most n, from where the sequence can go on. It is n until
  // the ring of some layer has wrapped around. From then on, at most kPassRows tokens can be taken
  // back, because later ones have overwritten what they attended to; else it is 0. With states in
  // place of keys and values it is n within the last pass, and else where a state was kept.
  [[nodiscard]] size_t reachable(size_t n) const;
  [[nodiscard]] bool can_truncate(size_t n) const { return reachable(n) == n; }

  // A copy of the sequence. The pages are shared until one of the two writes to them. An incomplete
  // pass is left out, as truncate() does.
  [[nodiscard]] DecoderState fork() const;

  // How many of the first tokens of `ids` may stay when the sequence becomes `ids`, so that a pass
  // over the others gives the same bits as one pass over all of them. Less than ids.size(), because
  // logits need a pass over at least one token. Call truncate() with it.
  [[nodiscard]] size_t reusable(const Decoder& decoder, std::span<const uint32_t> ids) const;

 private:
  friend class ForwardPass;
  friend class SavedState;
  DecoderState(const DecoderState&) = default;  // for fork()

  [[nodiscard]] static uint64_t next_number();

  uint64_t capacity_;
  std::vector<uint32_t> ids_;
  std::vector<KvCache> layers_;         // without rows where a layer does not attend
  std::vector<RecurrentState> states_;  // of each layer; empty if none keeps one
  // A pass has begun and not ended, so what the caches hold past `ids_` is incomplete.
  bool unfinished_ = false;
  // Passes have written rows up to this position. A ring of n rows has lost those before
  // `written_` - n, also when the sequence was cut back since.
  uint64_t written_ = 0;
  // The length of the longest sequence that keys were rotated for.
  uint64_t rotated_for_ = 0;
  // Keys and values of some tokens are not here but on a device.
  bool lacks_keys_ = false;
  uint64_t number_ = next_number();  // of this sequence alone
};

}  // namespace ambry::infer
