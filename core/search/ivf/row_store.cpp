#include "search/ivf/row_store.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <utility>

#include "io/crc32.h"
#include "kernels/similarity/int8_dot.h"
#include "simd/isa.h"
#include "tensor/quantize.h"

namespace ambry::search {
namespace {

// A record may be larger.
constexpr uint32_t kBlockBytes = 4U << 20;
// The largest value in a vector of length 1, with room for rounding.
constexpr float kMostValue = 2;

// Scales to length 1; false when the vector has no direction.
bool normalize(std::span<const float> vector, std::span<float> to) {
  double squares = 0;
  for (const float x : vector) squares += double{x} * x;
  if (!(squares > 0)) return false;
  const double scale = 1.0 / std::sqrt(squares);
  for (size_t i = 0; i < vector.size(); ++i) to[i] = static_cast<float>(vector[i] * scale);
  return true;
}

void seal(uint8_t* record, size_t size) {
  store_le(record + size - 4, io::crc32({record, size - 4}));
}

}  // namespace

void read_row(RowKind kind, const uint8_t* row, std::span<float> to) {
  if (kind == RowKind::F32) {
    std::memcpy(to.data(), row, to.size_bytes());
  } else {
    kernels::dequantize_int8<simd::Best>(reinterpret_cast<const int8_t*>(row + kScaleSize),
                                         load_le<float>(row), 0, to);
  }
}

void write_row(RowKind kind, std::span<const float> values, uint8_t* to) {
  if (kind == RowKind::F32) {
    std::memcpy(to, values.data(), values.size_bytes());
    return;
  }
  float scale = 0;
  const std::span<int8_t> bytes(reinterpret_cast<int8_t*>(to + kScaleSize), values.size());
  [[maybe_unused]] const auto done =
      tensor::quantize_rows_int8(values, 1, values.size(), bytes, {&scale, 1});
  assert(done);
  store_le(to, scale);
}

Result<void> check_record(RowKind kind, Bytes record, uint64_t n_rows, uint64_t byte_offset) {
  const size_t end = record.size() - 4;
  if (load_le<uint32_t>(record.data() + end) != io::crc32(record.first(end))) {
    return error_at(ErrorCode::Mismatch, byte_offset + end, "rows.crc32",
                    "the checksum of a row is wrong");
  }
  if (position_in(record.data()) >= n_rows) {
    return error_at(ErrorCode::BadValue, byte_offset, "rows.position",
                    {position_in(record.data()), ", but there are ", n_rows, " rows"});
  }
  const size_t last = kind == RowKind::Int8 ? size_t{kRecordRow} + kScaleSize : end;
  for (size_t at = kRecordRow; at < last; at += sizeof(float)) {
    const auto value = load_le<float>(record.data() + at);
    const bool is_sound =
        kind == RowKind::Int8 ? value >= 0 && value <= kMostScale : std::abs(value) <= kMostValue;
    if (is_sound) continue;
    return error_at(ErrorCode::BadValue, byte_offset + at, "rows",
                    "no value, or no scale, of a vector of length 1");
  }
  return {};
}

RowStore::RowStore(RowKind kind, uint32_t dim)
    : kind_(kind),
      dim_(dim),
      record_bytes_(record_size(kind, dim)),
      records_of_block_(std::max(1U, kBlockBytes / record_bytes_)) {}

Result<void> RowStore::append(std::span<const float> vectors) {
  const size_t n = vectors.size() / dim_;
  if (vectors.size() % dim_ != 0) {
    return make_error(
        ErrorCode::BadValue, {"vectors[", uint64_t{size_} + n, "]"},
        {vectors.size() % dim_, " values, but the vectors of this index have ", dim_});
  }
  if (n > UINT32_MAX - size_) {
    return make_error(ErrorCode::LimitExceeded, "vectors", "an index holds at most 2^32 - 1 rows");
  }
  std::vector<float> unit(dim_);
  for (size_t i = 0; i < n; ++i) {
    const std::span<const float> vector = vectors.subspan(i * dim_, dim_);
    if (!std::ranges::all_of(vector, [](float x) { return std::isfinite(x); })) {
      return make_error(ErrorCode::BadValue, {"vectors[", size_, "]"},
                        "holds a value that is not finite");
    }
    if (!normalize(vector, unit)) {
      return make_error(ErrorCode::BadValue, {"vectors[", size_, "]"},
                        "has the length 0, so it is similar to nothing");
    }
    if (size_ == blocks_.size() * records_of_block_) {
      AMBRY_TRY(AlignedBuffer block,
                AlignedBuffer::allocate(uint64_t{records_of_block_} * record_bytes_));
      blocks_.push_back(std::move(block));
    }
    uint8_t* const to = record(size_);
    store_le(to, size_);
    write_row(kind_, unit, to + kRecordRow);
    seal(to, record_bytes_);
    ++size_;
  }
  return {};
}

// Follows each cycle of the permutation with one record held aside.
void RowStore::permute(std::span<uint32_t> from) {
  assert(from.size() == size_);
  std::vector<uint8_t> held(record_bytes_);
  for (uint32_t first = 0; first < size_; ++first) {
    if (from[first] == first) continue;
    std::memcpy(held.data(), record(first), record_bytes_);
    uint32_t to = first;
    for (uint32_t next = from[to]; next != first; next = from[to]) {
      std::memcpy(record(to), record(next), record_bytes_);
      from[to] = to;
      to = next;
    }
    std::memcpy(record(to), held.data(), record_bytes_);
    from[to] = to;
  }
}

std::vector<Bytes> RowStore::pieces() const {
  std::vector<Bytes> result;
  uint32_t left = size_;
  for (const AlignedBuffer& block : blocks_) {
    const uint32_t n = std::min(left, records_of_block_);
    result.push_back(block.bytes().first(size_t{n} * record_bytes_));
    left -= n;
  }
  return result;
}

}  // namespace ambry::search
