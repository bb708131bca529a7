// One sequence: the keys and values of its tokens so far. Memory grows with the tokens, not with
// the context. With a sliding window only the rows that later tokens attend to are kept, in a ring.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "infer/decoder/kv_cache.h"

namespace ambry::infer {

class Decoder;

class DecoderState {
 public:
  explicit DecoderState(const Decoder& decoder);

  // Tokens that passes have put in.
  [[nodiscard]] size_t position() const { return ids_.size(); }
  [[nodiscard]] std::span<const uint32_t> ids() const { return ids_; }
  // Tokens that fit.
  [[nodiscard]] uint64_t capacity() const { return capacity_; }
  // Heap bytes of keys and values: now, and for a sequence of `n_tokens`.
  [[nodiscard]] uint64_t bytes() const;
  [[nodiscard]] uint64_t bytes_of(uint64_t n_tokens) const;
  // Removes all tokens and keeps the memory.
  void reset();

 private:
  friend class ForwardPass;

  uint64_t capacity_;
  std::vector<uint32_t> ids_;
  std::vector<KvCache> layers_;
  // A pass has begun and not ended, so what the caches hold past `ids_` is incomplete.
  bool unfinished_ = false;
};

}  // namespace ambry::infer
