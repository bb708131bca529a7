#include "search/sparse/sparse_file.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/checked.h"
#include "io/byte_reader.h"
#include "io/crc32.h"
#include "search/rows/file_start.h"

namespace ambry::search {
namespace {

constexpr uint64_t kSparseAlignment = 64;
constexpr uint64_t kWordCountOffset = kKindEnd;
constexpr uint64_t kPostingCountOffset = 56;
constexpr uint64_t kWordEntry = 8;  // a word, and how many documents have it

Result<void> read_sparse_start(io::ByteReader& reader, FileStart& start, SparseLayout& layout) {
  AMBRY_TRY(const uint32_t version, read_version(reader));
  if (version != kSparseVersion) {
    return reader.fail(ErrorCode::UnsupportedVersion, kVersionOffset, "version",
                       {"version ", version, ", this reader knows 5"});
  }
  AMBRY_TRY(start, read_file_start(reader));
  AMBRY_RETURN_IF_ERROR(check_vocabulary(start.dim, kDimOffset));
  AMBRY_TRY(const uint32_t kind, reader.read<uint32_t>("kind"));
  if (kind != 0) return reader.fail(ErrorCode::BadValue, kKindOffset, "kind", {kind, " is not 0"});
  AMBRY_TRY(layout.n_lists, reader.read<uint32_t>("words"));
  AMBRY_TRY(layout.n_postings, reader.read<uint64_t>("weights"));
  layout.dim = start.dim;
  layout.n_rows = start.n_rows;
  layout.header_size = start.header_size;
  if (layout.n_lists > layout.dim) {
    return reader.fail(ErrorCode::BadValue, kWordCountOffset, "words",
                       {layout.n_lists, " words, but the vocabulary has ", layout.dim});
  }
  return {};
}

Result<SparseLayout> read_sparse_layout(Bytes file) {
  const io::MemorySource source(file);
  io::ByteReader reader(source);
  FileStart start;
  SparseLayout layout;
  AMBRY_RETURN_IF_ERROR(read_sparse_start(reader, start, layout));
  if (std::max(layout.n_rows, layout.n_postings) >= UINT32_MAX || !layout.place()) {
    return reader.fail(
        ErrorCode::LimitExceeded, kRowsOffset, "rows",
        {layout.n_rows, " documents with ", layout.n_postings, " weights are too many"});
  }
  AMBRY_RETURN_IF_ERROR(check_data_offset(start.data_offset, layout.table_offset));
  const uint64_t file_size = layout.crc_offset + sizeof(uint32_t);
  if (start.file_size != file_size) {
    return reader.fail(ErrorCode::Mismatch, kFileSizeOffset, "file_size",
                       {start.file_size, ", but ", file_size, " follows from the other fields"});
  }
  AMBRY_RETURN_IF_ERROR(check_file_size(file_size, file.size()));
  return layout;
}

Result<void> check_sparse_bytes(Bytes file, const SparseLayout& layout) {
  const auto crc_at = static_cast<size_t>(layout.crc_offset);
  if (io::crc32(file.first(crc_at)) != load_le<uint32_t>(file.data() + crc_at)) {
    return error_at(ErrorCode::Mismatch, crc_at, "crc32", "the file's checksum is wrong");
  }
  for (uint64_t at = kSparseHeaderOffset + layout.header_size; at < layout.table_offset; ++at) {
    if (file[static_cast<size_t>(at)] != 0) {
      return error_at(ErrorCode::BadValue, at, "padding", "not zero");
    }
  }
  for (uint64_t at = layout.norms_offset; at < layout.postings_offset; at += sizeof(float)) {
    const auto norm = load_le<float>(file.data() + at);
    if (std::isfinite(norm) && norm >= 0) continue;
    return error_at(ErrorCode::BadValue, at, "norms", "not finite, or negative");
  }
  return {};
}

// Reads where the list of each word begins. Words are in order, and all have lists.
Result<void> read_word_table(Bytes file, SparseLayout& layout) {
  layout.begins.assign(size_t{layout.dim} + 1, 0);
  uint64_t total = 0;
  uint32_t next = 0;  // the lowest word that may follow
  for (uint64_t i = 0; i < layout.n_lists; ++i) {
    const uint64_t at = layout.table_offset + i * kWordEntry;
    const auto word = load_le<uint32_t>(file.data() + at);
    const auto count = load_le<uint32_t>(file.data() + at + 4);
    if (word < next || word >= layout.dim || count == 0 || count > layout.n_rows) {
      return error_at(ErrorCode::BadValue, at, {"words[", i, "]"},
                      {"word ", word, " with ", count, " documents is not possible here"});
    }
    while (next <= word) layout.begins[next++] = static_cast<uint32_t>(total);
    total += count;
  }
  if (total != layout.n_postings) {
    return error_at(ErrorCode::Mismatch, layout.table_offset, "words",
                    {"the words have ", total, " weights, but the file has ", layout.n_postings});
  }
  while (next <= layout.dim) layout.begins[next++] = static_cast<uint32_t>(total);
  return {};
}

// In each list, documents are in order, and their weights are finite and not 0.
Result<void> check_postings(Bytes file, const SparseLayout& layout) {
  for (uint32_t word = 0; word < layout.dim; ++word) {
    uint64_t least = 0;  // the lowest document that may follow
    for (uint64_t i = layout.begins[word]; i < layout.begins[word + 1]; ++i) {
      const uint64_t at = layout.postings_offset + i * sizeof(Posting);
      const auto [row, weight] = load_le<Posting>(file.data() + at);
      if (row < least || row >= layout.n_rows || weight == 0 || !std::isfinite(weight)) {
        return error_at(ErrorCode::BadValue, at, {"weights[", i, "]"},
                        {"document ", row, " is out of order, or its weight is none"});
      }
      least = uint64_t{row} + 1;
    }
  }
  return {};
}

void store_word_table(const PostingLists& lists, uint8_t* to) {
  const std::span<const uint32_t> begins = lists.begins();
  for (uint32_t word = 0; word < lists.dim(); ++word) {
    if (const uint32_t count = begins[word + 1] - begins[word]; count > 0) {
      store_le(to, word);
      store_le(to + 4, count);
      to += kWordEntry;
    }
  }
}

}  // namespace

bool SparseLayout::place() {
  const auto header_end = checked_add(kSparseHeaderOffset, header_size);
  const auto table = header_end ? checked_align_up(*header_end, kSparseAlignment) : std::nullopt;
  // Cannot overflow: the factors have 32 bits and less.
  const uint64_t fixed = n_lists * kWordEntry + n_rows * sizeof(float);
  const uint64_t all = fixed + n_postings * sizeof(Posting) + sizeof(uint32_t);
  if (!table || !checked_add(*table, all)) return false;
  table_offset = *table;
  norms_offset = table_offset + n_lists * kWordEntry;
  postings_offset = table_offset + fixed;
  crc_offset = table_offset + all - sizeof(uint32_t);
  return true;
}

Result<void> check_vocabulary(uint32_t dim, uint64_t byte_offset) {
  if (dim >= 1 && dim <= kMaxVocabulary) return {};
  return error_at(ErrorCode::BadValue, byte_offset, "dim",
                  {dim, " is not in 1 … ", kMaxVocabulary});
}

Result<SparseLayout> read_sparse_file(Bytes file) {
  AMBRY_TRY(SparseLayout layout, read_sparse_layout(file));
  AMBRY_RETURN_IF_ERROR(check_sparse_bytes(file, layout));
  AMBRY_RETURN_IF_ERROR(read_word_table(file, layout));
  AMBRY_RETURN_IF_ERROR(check_postings(file, layout));
  return layout;
}

Result<IndexPieces> write_sparse_file(const PostingLists& lists, std::span<const float> norms,
                                      Bytes header) {
  SparseLayout layout{.dim = lists.dim(),
                      .n_rows = norms.size(),
                      .header_size = header.size(),
                      .n_postings = lists.size(),
                      .begins = {}};
  for (uint32_t word = 0; word < lists.dim(); ++word) layout.n_lists += !lists.of(word).empty();
  [[maybe_unused]] const bool fits = layout.place();
  assert(fits);
  const auto head_size = static_cast<size_t>(layout.postings_offset);
  AMBRY_TRY(AlignedBuffer ends, AlignedBuffer::allocate(head_size + sizeof(uint32_t)));
  uint8_t* const to = ends.data();
  std::memset(to, 0, head_size);
  const FileStart start{.dim = layout.dim,
                        .n_rows = layout.n_rows,
                        .header_size = layout.header_size,
                        .data_offset = layout.table_offset,
                        .file_size = layout.crc_offset + sizeof(uint32_t)};
  store_file_start(to, kSparseVersion, start, RowKind::F32);
  store_le(to + kWordCountOffset, static_cast<uint32_t>(layout.n_lists));
  store_le(to + kPostingCountOffset, layout.n_postings);
  std::ranges::copy(header, to + kSparseHeaderOffset);
  store_word_table(lists, to + layout.table_offset);
  std::ranges::copy(bytes_of(norms), to + layout.norms_offset);
  const Bytes postings = bytes_of(lists.all());
  io::Crc32 crc;
  crc.update({to, head_size});
  crc.update(postings);
  store_le(to + head_size, crc.value());
  return IndexPieces{std::move(ends), head_size, postings};
}

}  // namespace ambry::search
