// The KV cache of one layer, in f32 or f16. Each head has one row of keys and one of values per
// token, one after another, as attention reads them. The rows form a ring: with a sliding window,
// later tokens overwrite those that are no longer attended to. Memory grows with the tokens until
// the ring is full.
#pragma once

#include <cstdint>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/decoder/decoder_options.h"
#include "kernels/attention/decoder_attention.h"

namespace ambry::infer {

class KvCache {
 public:
  // Rows of `head_dim` values, at most `max_slots` of them per head.
  KvCache(KvType type, size_t n_heads, size_t head_dim, uint64_t max_slots)
      : type_(type), n_heads_(n_heads), head_dim_(head_dim), max_slots_(max_slots) {}

  // Makes room for tokens up to, but not including, position `end`. Keeps the contents.
  // LimitExceeded when the heap is full.
  [[nodiscard]] Result<void> reserve(uint64_t end);

  // Stores keys and values of `count` tokens from `position` on, all heads of a token one after
  // another. reserve() must have made room.
  void put(uint64_t position, size_t count, const float* keys, const float* values);

  [[nodiscard]] KvType type() const { return type_; }
  // T is float, or uint16_t for F16.
  template <class T>
  [[nodiscard]] kernels::KvCacheView<T> rows() const {
    return {keys_.as<T>().data(), values_.as<T>().data(), head_dim_, head_stride(),
            static_cast<size_t>(max_slots_)};
  }
  [[nodiscard]] uint64_t bytes() const { return uint64_t{keys_.size()} + values_.size(); }
  // For a sequence of this many tokens.
  [[nodiscard]] uint64_t bytes_of(uint64_t n_tokens) const;

 private:
  // All heads of one token.
  [[nodiscard]] uint64_t row_bytes() const {
    const size_t element = type_ == KvType::F16 ? sizeof(uint16_t) : sizeof(float);
    return uint64_t{n_heads_} * head_dim_ * element;
  }
  [[nodiscard]] size_t head_stride() const { return static_cast<size_t>(slots_) * head_dim_; }
  [[nodiscard]] Result<AlignedBuffer> lengthened(const AlignedBuffer& rows, uint64_t slots) const;
  void put_row(AlignedBuffer& rows, size_t slot, const float* values) const;

  KvType type_;
  size_t n_heads_;
  size_t head_dim_;
  uint64_t max_slots_;
  uint64_t slots_ = 0;
  AlignedBuffer keys_;
  AlignedBuffer values_;
};

}  // namespace ambry::infer
