#include "search/rows/row_index.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "tensor/quantize.h"

namespace ambry::search {
namespace {

// The values must be finite.
void quantize_row(std::span<const float> values, uint8_t* to) {
  float scale = 0;
  const std::span<int8_t> bytes(reinterpret_cast<int8_t*>(to + kScaleSize), values.size());
  [[maybe_unused]] const auto done =
      tensor::quantize_rows_int8(values, 1, values.size(), bytes, {&scale, 1});
  assert(done);
  store_le(to, scale);
}

}  // namespace

size_t find_not_finite(std::span<const float> values) {
  const auto found = std::ranges::find_if(values, [](float x) { return !std::isfinite(x); });
  return static_cast<size_t>(found - values.begin());
}

Result<void> check_bias(std::span<const float> bias, size_t n, const char* what) {
  if (bias.empty() || bias.size() == n) return {};
  return make_error(ErrorCode::Mismatch, "bias",
                    {bias.size(), " values, but the index has ", n, " ", what});
}

Result<RowIndex> RowIndex::create(uint32_t dim, RowKind kind) {
  AMBRY_RETURN_IF_ERROR(check_dim(dim, kNoOffset));
  return RowIndex(dim, kind);
}

Result<void> RowIndex::append(std::span<const float> rows) {
  const size_t n_rows = rows.size() / dim_;
  if (rows.size() % dim_ != 0) {
    return make_error(ErrorCode::BadValue, "rows",
                      {rows.size(), " values are not a multiple of the row length, ", dim_});
  }
  if (n_rows > UINT32_MAX - size()) {
    return make_error(ErrorCode::LimitExceeded, "rows", "an index holds at most 2^32 - 1 rows");
  }
  const uint32_t stride = row_size(kind_, dim_);
  AMBRY_RETURN_IF_ERROR(reserve(n_bytes_ + uint64_t{n_rows} * stride));
  if (const size_t at = find_not_finite(rows); at < rows.size()) {
    return make_error(ErrorCode::BadValue, {"rows[", at / dim_, "]"},
                      "holds a value that is not finite");
  }
  origin_ = {};
  for (size_t i = 0; i < n_rows; ++i, n_bytes_ += stride) {
    const std::span<const float> row = rows.subspan(i * dim_, dim_);
    uint8_t* const to = memory_.data() + begin_ + n_bytes_;
    if (kind_ == RowKind::Int8) {
      quantize_row(row, to);
    } else {
      std::memcpy(to, row.data(), stride);
    }
  }
  return {};
}

Result<void> RowIndex::reserve(uint64_t n_bytes) {
  if (begin_ + n_bytes <= memory_.size()) return {};
  // Doubling keeps appending cheap. If that fails, the exact size may still fit.
  auto larger = AlignedBuffer::allocate(std::max(n_bytes, uint64_t{2} * memory_.size()));
  if (!larger) larger = AlignedBuffer::allocate(n_bytes);
  if (!larger) return larger.take_error();
  std::ranges::copy(rows().bytes, larger->data());
  memory_ = std::move(larger).value();
  begin_ = 0;
  origin_ = {};
  return {};
}

Result<void> RowIndex::retain(Bytes marks) {
  if (marks.size() != size()) {
    return make_error(ErrorCode::Mismatch, "marks",
                      {marks.size(), " marks, but the index has ", size(), " rows"});
  }
  origin_ = {};
  const size_t stride = row_size(kind_, dim_);
  const uint8_t* from = memory_.data() + begin_;
  uint8_t* to = memory_.data() + begin_;
  for (const uint8_t mark : marks) {
    if (mark != 0) {
      std::memmove(to, from, stride);
      to += stride;
    }
    from += stride;
  }
  n_bytes_ -= static_cast<size_t>(from - to);
  return {};
}

Result<std::vector<Hit>> RowIndex::search(std::span<const float> query, std::span<const float> bias,
                                          size_t k) const {
  if (query.size() != dim_) {
    return make_error(ErrorCode::Mismatch, "query",
                      {query.size(), " values, but the index has ", dim_, " a row"});
  }
  if (find_not_finite(query) < query.size()) {
    return make_error(ErrorCode::BadValue, "query", "holds a value that is not finite");
  }
  AMBRY_RETURN_IF_ERROR(check_bias(bias, size(), "rows"));
  return exact_top_k(rows(), query, bias, k);
}

Result<RowIndex> RowIndex::load(AlignedBuffer file) {
  AMBRY_TRY(const IndexLayout layout, read_index(file.bytes(), IndexContent::Rows));
  return adopt(std::move(file), layout);
}

RowIndex RowIndex::adopt(AlignedBuffer file, const IndexLayout& layout) {
  RowIndex index(layout.dim, layout.kind);
  index.memory_ = std::move(file);
  index.begin_ = static_cast<size_t>(layout.data_offset);
  index.n_bytes_ = static_cast<size_t>(layout.data_size);
  const auto offset = static_cast<size_t>(layout.header_offset);
  const Bytes whole = std::as_const(index.memory_).bytes();
  const auto size = static_cast<size_t>(layout.header_size);
  index.origin_ = {layout.version, layout.header_offset, whole.subspan(offset, size)};
  return index;
}

}  // namespace ambry::search
