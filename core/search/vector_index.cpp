#include "search/vector_index.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/checked.h"
#include "base/utf8.h"
#include "io/byte_reader.h"
#include "io/crc32.h"

namespace ambry::search {
namespace {

constexpr std::string_view kMagic = "AMBRYIDX";
constexpr uint32_t kVersion = 1;
constexpr uint64_t kHeaderOffset = 48;
constexpr uint64_t kDataAlignment = 64;
constexpr uint64_t kDimOffset = 12;

// The fields of the file's fixed part.
struct Layout {
  uint32_t dim = 0;
  uint64_t n_rows = 0;
  uint64_t header_size = 0;
  uint64_t data_offset = 0;
  uint64_t file_size = 0;
};

// data_offset and file_size as they follow from the other fields; false when they pass 64 bits.
bool place_data(Layout& layout) {
  const auto header_end = checked_add(kHeaderOffset, layout.header_size);
  const auto data_offset =
      header_end ? checked_align_up(*header_end, kDataAlignment) : std::nullopt;
  const uint64_t factors[] = {layout.n_rows, layout.dim, sizeof(float)};
  const auto data_size = checked_product(factors);
  if (!data_offset || !data_size) return false;
  const auto data_end = checked_add(*data_offset, *data_size);
  const auto file_size = data_end ? checked_add(*data_end, sizeof(uint32_t)) : std::nullopt;
  if (!file_size) return false;
  layout.data_offset = *data_offset;
  layout.file_size = *file_size;
  return true;
}

Result<void> check_dim(uint32_t dim, uint64_t byte_offset) {
  if (dim >= 1 && dim <= VectorIndex::kMaxDim) return {};
  return error_at(ErrorCode::BadValue, byte_offset, "dim",
                  {dim, " is not in 1 … ", VectorIndex::kMaxDim});
}

Result<void> read_start(io::ByteReader& reader) {
  AMBRY_TRY(const Bytes magic, reader.read_bytes(kMagic.size(), "magic"));
  if (as_text(magic) != kMagic) {
    return reader.fail(ErrorCode::BadMagic, 0, "magic", "not an Ambry index (AMBRYIDX)");
  }
  const uint64_t at = reader.position();
  AMBRY_TRY(const uint32_t version, reader.read<uint32_t>("version"));
  if (version == kVersion) return {};
  return reader.fail(ErrorCode::UnsupportedVersion, at, "version",
                     {"version ", version, ", this reader knows 1"});
}

// A u64 that must have the one value that follows from the fields before it.
Result<void> read_derived(io::ByteReader& reader, const char* field, uint64_t expected) {
  const uint64_t at = reader.position();
  AMBRY_TRY(const uint64_t found, reader.read<uint64_t>(field));
  if (found == expected) return {};
  return reader.fail(ErrorCode::Mismatch, at, field,
                     {found, ", but ", expected, " follows from the other fields"});
}

Result<Layout> read_layout(io::ByteReader& reader, uint64_t real_size) {
  AMBRY_CHECK(read_start(reader));
  Layout layout;
  AMBRY_TRY(layout.dim, reader.read<uint32_t>("dim"));
  AMBRY_CHECK(check_dim(layout.dim, kDimOffset));
  const uint64_t rows_at = reader.position();
  AMBRY_TRY(layout.n_rows, reader.read<uint64_t>("rows"));
  AMBRY_TRY(layout.header_size, reader.read<uint64_t>("header_size"));
  if (layout.n_rows > UINT32_MAX || !place_data(layout)) {
    return reader.fail(ErrorCode::LimitExceeded, rows_at, "rows",
                       {layout.n_rows, " rows are too many"});
  }
  AMBRY_CHECK(read_derived(reader, "data_offset", layout.data_offset));
  const uint64_t size_at = reader.position();
  AMBRY_CHECK(read_derived(reader, "file_size", layout.file_size));
  if (layout.file_size > real_size) {
    return reader.fail(ErrorCode::Truncated, size_at, "file_size",
                       {layout.file_size, " bytes, but the file has ", real_size});
  }
  if (layout.file_size < real_size) {
    return reader.fail(ErrorCode::BadValue, layout.file_size, "file_size",
                       "more bytes follow the index");
  }
  return layout;
}

Result<void> check_crc(Bytes file) {
  const uint64_t at = file.size() - sizeof(uint32_t);
  const auto stored = load_le<uint32_t>(file.data() + at);
  if (io::crc32(file.first(static_cast<size_t>(at))) == stored) return {};
  return error_at(ErrorCode::Mismatch, at, "crc32", "the file's checksum is wrong");
}

Result<void> check_padding(Bytes file, const Layout& layout) {
  for (uint64_t at = kHeaderOffset + layout.header_size; at < layout.data_offset; ++at) {
    if (file[static_cast<size_t>(at)] != 0) {
      return error_at(ErrorCode::BadValue, at, "padding", "not zero");
    }
  }
  return {};
}

// The place of the first number that is not finite; size() when all are.
size_t find_not_finite(std::span<const float> numbers) {
  const auto found = std::ranges::find_if(numbers, [](float x) { return !std::isfinite(x); });
  return static_cast<size_t>(found - numbers.begin());
}

}  // namespace

Result<VectorIndex> VectorIndex::create(uint32_t dim) {
  AMBRY_CHECK(check_dim(dim, kNoOffset));
  return VectorIndex(dim);
}

Result<void> VectorIndex::append(std::span<const float> rows) {
  if (rows.size() % dim_ != 0) {
    return make_error(ErrorCode::BadValue, "rows",
                      {rows.size(), " numbers are no whole rows of ", dim_});
  }
  if (rows.size() / dim_ > UINT32_MAX - size()) {
    return make_error(ErrorCode::LimitExceeded, "rows", "an index holds at most 2^32 - 1 rows");
  }
  AMBRY_CHECK(reserve(uint64_t{n_floats_} + rows.size()));
  if (const size_t at = find_not_finite(rows); at < rows.size()) {
    return make_error(ErrorCode::BadValue, {"rows[", at / dim_, "]"},
                      "holds a number that is not finite");
  }
  std::ranges::copy(rows, rows_.as<float>().data() + n_floats_);
  n_floats_ += rows.size();
  return {};
}

Result<void> VectorIndex::reserve(uint64_t n_floats) {
  const uint64_t size = n_floats * sizeof(float);
  if (size <= rows_.size()) return {};
  // Twice the room keeps appending cheap, but is not worth a failure.
  auto larger = AlignedBuffer::allocate(std::max(size, uint64_t{2} * rows_.size()));
  if (!larger) larger = AlignedBuffer::allocate(size);
  if (!larger) return larger.take_error();
  std::ranges::copy(rows(), larger->as<float>().data());
  rows_ = std::move(larger).value();
  return {};
}

Result<std::vector<Hit>> VectorIndex::search(std::span<const float> query, size_t k) const {
  if (query.size() != dim_) {
    return make_error(ErrorCode::Mismatch, "query",
                      {query.size(), " numbers, but the index has ", dim_, " a row"});
  }
  if (find_not_finite(query) < query.size()) {
    return make_error(ErrorCode::BadValue, "query", "holds a number that is not finite");
  }
  return top_k(rows(), query, k);
}

Result<AlignedBuffer> VectorIndex::save(std::string_view header) const {
  if (find_invalid_utf8(header)) {
    return make_error(ErrorCode::BadValue, "header", "not UTF-8");
  }
  Layout layout{dim_, size(), header.size()};
  [[maybe_unused]] const bool fits = place_data(layout);
  assert(fits);
  AMBRY_TRY(AlignedBuffer file, AlignedBuffer::allocate(layout.file_size));
  uint8_t* to = file.data();
  std::memset(to, 0, static_cast<size_t>(layout.data_offset));
  std::memcpy(to, kMagic.data(), kMagic.size());
  store_le(to + 8, kVersion);
  store_le(to + kDimOffset, layout.dim);
  store_le(to + 16, layout.n_rows);
  store_le(to + 24, layout.header_size);
  store_le(to + 32, layout.data_offset);
  store_le(to + 40, layout.file_size);
  std::ranges::copy(as_bytes(header), to + kHeaderOffset);
  std::ranges::copy(bytes_of(rows()), to + layout.data_offset);
  const size_t crc_at = file.size() - sizeof(uint32_t);
  store_le(to + crc_at, io::crc32(file.bytes().first(crc_at)));
  return file;
}

Result<VectorIndex> VectorIndex::load(Bytes file) {
  const io::MemorySource source(file);
  io::ByteReader reader(source);
  AMBRY_TRY(const Layout layout, read_layout(reader, file.size()));
  AMBRY_CHECK(check_crc(file));
  AMBRY_TRY(const std::string_view header, reader.read_utf8(layout.header_size, "header"));
  AMBRY_CHECK(check_padding(file, layout));

  VectorIndex index(layout.dim);
  index.header_ = header;
  AMBRY_CHECK(index.reserve(layout.n_rows * layout.dim));
  index.n_floats_ = static_cast<size_t>(layout.n_rows * layout.dim);
  const Bytes data = file.subspan(static_cast<size_t>(layout.data_offset));
  const std::span<float> numbers = index.rows_.as<float>();
  for (size_t i = 0; i < index.n_floats_; ++i) {
    numbers[i] = load_le<float>(data.data() + i * sizeof(float));
  }
  if (const size_t at = find_not_finite(index.rows()); at < index.n_floats_) {
    return error_at(ErrorCode::BadValue, layout.data_offset + at * sizeof(float), "data",
                    "a number is not finite");
  }
  return index;
}

}  // namespace ambry::search
