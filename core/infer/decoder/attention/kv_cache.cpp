#include "infer/decoder/attention/kv_cache.h"

#include <cassert>
#include <cstring>
#include <span>
#include <utility>

#include "kernels/quantize/f16_rows.h"
#include "kernels/quantize/int8_rows.h"
#include "simd/isa.h"

namespace ambry::infer {

Result<void> KvCache::reserve(uint64_t begin, uint64_t end) {
  for (uint64_t position = begin; position < std::min(end, begin + max_rows_); ++position) {
    const auto page = static_cast<size_t>(position % max_rows_) / page_rows_;
    if (page < pages_.size()) AMBRY_RETURN_IF_ERROR(unshare(page));
  }
  while (pages_.size() < pages_for(end)) {
    AMBRY_TRY(AlignedBuffer page, AlignedBuffer::allocate(page_bytes()));
    page_starts_.push_back(page.data());
    pages_.push_back(std::make_shared<AlignedBuffer>(std::move(page)));
  }
  return {};
}

Result<void> KvCache::unshare(size_t page) {
  if (pages_[page].use_count() == 1) return {};
  AMBRY_TRY(AlignedBuffer own, AlignedBuffer::allocate(page_bytes()));
  std::ranges::copy(std::as_const(*pages_[page]).bytes(), own.data());
  page_starts_[page] = own.data();
  pages_[page] = std::make_shared<AlignedBuffer>(std::move(own));
  return {};
}

void KvCache::truncate(uint64_t n_tokens) {
  const auto kept = static_cast<size_t>(pages_for(n_tokens));
  if (kept >= pages_.size()) return;
  pages_.resize(kept);
  page_starts_.resize(kept);
}

uint8_t* KvCache::row_in(uint8_t* page, size_t row_of_page, size_t head) const {
  const size_t scales = 2 * n_heads_ * page_rows_ * scale_bytes();
  return page + scales + (head * page_rows_ + row_of_page) * head_dim_ * element_bytes();
}

uint8_t* KvCache::scale_in(uint8_t* page, size_t row_of_page, size_t head) const {
  return page + (head * page_rows_ + row_of_page) * scale_bytes();
}

void KvCache::put_row(size_t row, size_t head, const float* from) {
  uint8_t* page = page_starts_[row / page_rows_];
  uint8_t* to = row_in(page, row % page_rows_, head);
  const std::span<const float> values(from, head_dim_);
  switch (type_) {
    case KvType::F32:
      std::ranges::copy(values, reinterpret_cast<float*>(to));
      return;
    case KvType::F16:
      kernels::narrow_to_f16<simd::Best>(values, reinterpret_cast<uint16_t*>(to));
      return;
    case KvType::Int8:
      store_le(scale_in(page, row % page_rows_, head),
               kernels::narrow_to_int8<simd::Best>(values, reinterpret_cast<int8_t*>(to)));
  }
}

void KvCache::put(uint64_t position, size_t count, const float* keys, const float* values) {
  for (size_t i = 0; i < count; ++i) {
    const auto row = static_cast<size_t>((position + i) % max_rows_);
    assert(row < pages_.size() * page_rows_);
    for (size_t head = 0; head < n_heads_; ++head) {
      const size_t from = (i * n_heads_ + head) * head_dim_;
      put_row(row, head, keys + from);
      put_row(row, n_heads_ + head, values + from);
    }
  }
}

template <class Use>
void KvCache::for_pieces(uint64_t position, const Use& use) const {
  const auto row = static_cast<size_t>(position % max_rows_);
  assert(row < pages_.size() * page_rows_);
  uint8_t* page = page_starts_[row / page_rows_];
  for (size_t head = 0; head < 2 * n_heads_; ++head) {
    use(row_in(page, row % page_rows_, head), head_dim_ * element_bytes());
    if (scale_bytes() > 0) use(scale_in(page, row % page_rows_, head), scale_bytes());
  }
}

void KvCache::copy_token(uint64_t position, uint8_t* to) const {
  for_pieces(position, [&](const uint8_t* piece, size_t n_bytes) {
    std::memcpy(to, piece, n_bytes);
    to += n_bytes;
  });
}

void KvCache::put_token(uint64_t position, const uint8_t* from) {
  for_pieces(position, [&](uint8_t* piece, size_t n_bytes) {
    std::memcpy(piece, from, n_bytes);
    from += n_bytes;
  });
}

}  // namespace ambry::infer
