// The KV cache of one layer, in f32 or f16. The rows form a ring: with a sliding window, later
// tokens overwrite those that are no longer attended to. Memory grows by a page at a time with the
// tokens until the ring is full. Nothing moves then, so the heap grows by the pages and no more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/decoder/decoder_options.h"
#include "kernels/attention/decoder_attention.h"

namespace ambry::infer {

class KvCache {
 public:
  // Rows of `head_dim` values for each head, at most `max_rows` tokens.
  KvCache(KvType type, size_t n_heads, size_t head_dim, uint64_t max_rows)
      : type_(type),
        n_heads_(n_heads),
        head_dim_(head_dim),
        max_rows_(max_rows),
        page_rows_(static_cast<size_t>(std::min<uint64_t>(kMaxPageRows, max_rows))) {}

  // Makes room for tokens up to, but not including, position `end`. LimitExceeded when the heap is
  // full.
  [[nodiscard]] Result<void> reserve(uint64_t end);

  // Stores keys and values of `count` tokens from `position` on, all heads of a token one after
  // another. reserve() must have made room.
  void put(uint64_t position, size_t count, const float* keys, const float* values);

  [[nodiscard]] KvType type() const { return type_; }
  // T is float, or uint16_t for F16.
  template <class T>
  [[nodiscard]] kernels::KvCacheView<T> view() const {
    return {reinterpret_cast<const T* const*>(page_starts_.data()), page_rows_,
            static_cast<size_t>(max_rows_), n_heads_, head_dim_};
  }
  [[nodiscard]] uint64_t bytes() const { return pages_.size() * page_bytes(); }
  // For a sequence of this many tokens.
  [[nodiscard]] uint64_t bytes_of(uint64_t n_tokens) const {
    return pages_for(n_tokens) * page_bytes();
  }

 private:
  static constexpr size_t kMaxPageRows = 64;

  [[nodiscard]] size_t element_bytes() const {
    return type_ == KvType::F16 ? sizeof(uint16_t) : sizeof(float);
  }
  [[nodiscard]] uint64_t page_bytes() const {
    return uint64_t{2} * n_heads_ * page_rows_ * head_dim_ * element_bytes();
  }
  [[nodiscard]] uint64_t pages_for(uint64_t n_tokens) const {
    return (std::min(n_tokens, max_rows_) + page_rows_ - 1) / page_rows_;
  }
  void put_row(size_t row, size_t head, bool value, const float* from);

  KvType type_;
  size_t n_heads_;
  size_t head_dim_;
  uint64_t max_rows_;
  size_t page_rows_;
  std::vector<AlignedBuffer> pages_;
  std::vector<const uint8_t*> page_starts_;
};

}  // namespace ambry::infer
