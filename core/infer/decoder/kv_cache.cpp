#include "infer/decoder/kv_cache.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <utility>

#include "kernels/quantize/f16_rows.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

// The number of slots doubles, starting with this.
constexpr uint64_t kFirstSlots = 64;

uint64_t slots_for(uint64_t n_tokens, uint64_t max_slots) {
  uint64_t slots = kFirstSlots;
  while (slots < n_tokens && slots < max_slots) slots *= 2;
  return std::min(slots, max_slots);
}

}  // namespace

uint64_t KvCache::bytes_of(uint64_t n_tokens) const {
  return n_tokens == 0 ? 0 : 2 * slots_for(n_tokens, max_slots_) * row_bytes();
}

Result<void> KvCache::reserve(uint64_t end) {
  const uint64_t slots = slots_for(end, max_slots_);
  if (slots <= slots_) return {};
  AMBRY_TRY(AlignedBuffer keys, lengthened(keys_, slots));
  AMBRY_TRY(values_, lengthened(values_, slots));
  keys_ = std::move(keys);
  slots_ = slots;
  return {};
}

// Copies the rows to a buffer with `slots` slots per head.
Result<AlignedBuffer> KvCache::lengthened(const AlignedBuffer& rows, uint64_t slots) const {
  AMBRY_TRY(AlignedBuffer grown, AlignedBuffer::allocate(slots * row_bytes()));
  const size_t before = rows.size() / n_heads_;
  for (size_t head = 0; head < n_heads_; ++head) {
    std::ranges::copy(rows.bytes().subspan(head * before, before),
                      grown.data() + head * (grown.size() / n_heads_));
  }
  return grown;
}

void KvCache::put_row(AlignedBuffer& rows, size_t slot, const float* values) const {
  for (size_t at = slot * head_dim_, head = 0; head < n_heads_; ++head, at += head_stride()) {
    const std::span<const float> row(values + head * head_dim_, head_dim_);
    if (type_ == KvType::F32) {
      std::ranges::copy(row, rows.as<float>().data() + at);
    } else {
      kernels::narrow_to_f16<simd::Best>(row, rows.as<uint16_t>().data() + at);
    }
  }
}

void KvCache::put(uint64_t position, size_t count, const float* keys, const float* values) {
  for (size_t i = 0; i < count; ++i) {
    const auto at = static_cast<size_t>((position + i) % max_slots_);
    assert(at < slots_);
    put_row(keys_, at, keys + i * n_heads_ * head_dim_);
    put_row(values_, at, values + i * n_heads_ * head_dim_);
  }
}

}  // namespace ambry::infer
