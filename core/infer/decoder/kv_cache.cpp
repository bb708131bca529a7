#include "infer/decoder/kv_cache.h"

#include <algorithm>
#include <cassert>

#include "kernels/half_rows.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

// Slots are added in steps that double, from this many on.
constexpr uint64_t kFirstSlots = 64;

Result<void> lengthen(AlignedBuffer& rows, uint64_t size) {
  AMBRY_TRY(AlignedBuffer grown, AlignedBuffer::allocate(size));
  std::ranges::copy(rows.bytes(), grown.data());
  rows = std::move(grown);
  return {};
}

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
  AMBRY_CHECK(lengthen(keys_, slots * row_bytes()));
  AMBRY_CHECK(lengthen(values_, slots * row_bytes()));
  slots_ = slots;
  return {};
}

void KvCache::put_row(AlignedBuffer& rows, size_t slot, const float* numbers) const {
  if (type_ == KvType::F32) {
    std::copy_n(numbers, width_, rows.as<float>().subspan(slot * width_).begin());
    return;
  }
  uint16_t* to = rows.as<uint16_t>().data() + slot * width_;
  kernels::narrow_to_halves<simd::Best>({numbers, width_}, to);
}

void KvCache::put(uint64_t position, size_t count, const float* keys, const float* values) {
  for (size_t i = 0; i < count; ++i) {
    const auto at = static_cast<size_t>((position + i) % max_slots_);
    assert(at < slots_);
    put_row(keys_, at, keys + i * width_);
    put_row(values_, at, values + i * width_);
  }
}

}  // namespace ambry::infer
