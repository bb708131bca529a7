#include "infer/decoder/kv_cache.h"

#include <cassert>
#include <span>
#include <utility>

#include "kernels/quantize/f16_rows.h"
#include "simd/isa.h"

namespace ambry::infer {

Result<void> KvCache::reserve(uint64_t end) {
  while (pages_.size() < pages_for(end)) {
    AMBRY_TRY(AlignedBuffer page, AlignedBuffer::allocate(page_bytes()));
    page_starts_.push_back(page.data());
    pages_.push_back(std::move(page));
  }
  return {};
}

void KvCache::put_row(size_t row, size_t head, bool value, const float* from) {
  AlignedBuffer& page = pages_[row / page_rows_];
  const size_t at =
      ((value ? n_heads_ : 0) + head) * page_rows_ * head_dim_ + row % page_rows_ * head_dim_;
  const std::span<const float> values(from, head_dim_);
  if (type_ == KvType::F32) {
    std::ranges::copy(values, page.as<float>().data() + at);
  } else {
    kernels::narrow_to_f16<simd::Best>(values, page.as<uint16_t>().data() + at);
  }
}

void KvCache::put(uint64_t position, size_t count, const float* keys, const float* values) {
  for (size_t i = 0; i < count; ++i) {
    const auto row = static_cast<size_t>((position + i) % max_rows_);
    assert(row < pages_.size() * page_rows_);
    for (size_t head = 0; head < n_heads_; ++head) {
      const size_t from = (i * n_heads_ + head) * head_dim_;
      put_row(row, head, false, keys + from);
      put_row(row, head, true, values + from);
    }
  }
}

}  // namespace ambry::infer
