// The KV cache of one layer, in f32, f16 or int8. The rows form a ring: with a sliding window,
// later tokens overwrite those that are no longer attended to. Memory grows by a page at a time
// with the tokens until the ring is full. Nothing moves then, so the heap grows by the pages and no
// more.
//
// A copy of a cache shares its pages. reserve() copies those that will be written to, so neither
// cache sees what the other one adds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/decoder/weights/decoder_options.h"
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

  // Makes room for the tokens of positions [begin, end), in pages that no other cache shares.
  // LimitExceeded when the heap is full.
  [[nodiscard]] Result<void> reserve(uint64_t begin, uint64_t end);

  // Stores keys and values of `count` tokens from `position` on, all heads of a token one after
  // another. reserve() must have made room.
  void put(uint64_t position, size_t count, const float* keys, const float* values);

  // Gives up the pages past the first `n_tokens` tokens. The ring must not have wrapped around.
  void truncate(uint64_t n_tokens);

  // Copies the keys and values of one token as they are kept, token_bytes() of them, from the cache
  // or into it. reserve() must have made room.
  void copy_token(uint64_t position, uint8_t* to) const;
  void put_token(uint64_t position, const uint8_t* from);
  [[nodiscard]] uint64_t token_bytes() const {
    return uint64_t{2} * n_heads_ * (head_dim_ * element_bytes() + scale_bytes());
  }

  [[nodiscard]] KvType type() const { return type_; }
  [[nodiscard]] uint64_t max_rows() const { return max_rows_; }
  // T is float, uint16_t for F16, or int8_t for Int8.
  template <class T>
  [[nodiscard]] kernels::KvCacheView<T> view() const {
    return {reinterpret_cast<const T* const*>(page_starts_.data()), page_rows_,
            static_cast<size_t>(max_rows_), n_heads_, head_dim_};
  }
  // Shared pages count for each cache that holds them.
  [[nodiscard]] uint64_t bytes() const { return pages_.size() * page_bytes(); }
  // For a sequence of this many tokens.
  [[nodiscard]] uint64_t bytes_of(uint64_t n_tokens) const {
    return pages_for(n_tokens) * page_bytes();
  }

 private:
  static constexpr size_t kMaxPageRows = 64;

  [[nodiscard]] size_t element_bytes() const { return kv_element_bytes(type_); }
  [[nodiscard]] size_t scale_bytes() const { return kv_scale_bytes(type_); }
  [[nodiscard]] uint64_t page_bytes() const { return page_rows_ * token_bytes(); }
  [[nodiscard]] uint64_t pages_for(uint64_t n_tokens) const {
    return (std::min(n_tokens, max_rows_) + page_rows_ - 1) / page_rows_;
  }
  [[nodiscard]] Result<void> unshare(size_t page);
  // Keys are the rows of the heads 0 … n_heads - 1, values those of the heads from n_heads on.
  [[nodiscard]] uint8_t* row_in(uint8_t* page, size_t row_of_page, size_t head) const;
  [[nodiscard]] uint8_t* scale_in(uint8_t* page, size_t row_of_page, size_t head) const;
  void put_row(size_t row, size_t head, const float* from);
  // Calls use(row or scale in the page, its bytes) for all that is kept of one token.
  template <class Use>
  void for_pieces(uint64_t position, const Use& use) const;

  KvType type_;
  size_t n_heads_;
  size_t head_dim_;
  uint64_t max_rows_;
  size_t page_rows_;
  std::vector<std::shared_ptr<AlignedBuffer>> pages_;
  std::vector<uint8_t*> page_starts_;
};

}  // namespace ambry::infer
