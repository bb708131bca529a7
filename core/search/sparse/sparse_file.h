// The file of an index of sparse vectors (core/search/README.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "search/rows/index_file.h"
#include "search/sparse/posting_lists.h"

namespace ambry::search {

inline constexpr uint32_t kSparseVersion = 5;
inline constexpr uint64_t kSparseHeaderOffset = 64;
// Ids below it are exact as floats, and a table for all words is small.
inline constexpr uint32_t kMaxVocabulary = 1U << 20;

// The fields of a file that has been checked, and where its parts are.
struct SparseLayout {
  uint32_t dim = 0;
  uint64_t n_rows = 0;
  uint64_t header_size = 0;
  uint64_t n_lists = 0;  // words that documents have
  uint64_t n_postings = 0;
  uint64_t table_offset = 0;
  uint64_t norms_offset = 0;
  uint64_t postings_offset = 0;
  uint64_t crc_offset = 0;
  std::vector<uint32_t> begins;  // of the list of each word, and the end of the last

  // Computes the offsets. False when they overflow 64 bits.
  [[nodiscard]] bool place();
};

// BadValue unless 1 <= dim <= kMaxVocabulary.
[[nodiscard]] Result<void> check_vocabulary(uint32_t dim, uint64_t byte_offset);

// Checks the whole file except the contents of the header.
[[nodiscard]] Result<SparseLayout> read_sparse_file(Bytes file);

// `norms` are those of the documents.
[[nodiscard]] Result<IndexPieces> write_sparse_file(const PostingLists& lists,
                                                    std::span<const float> norms, Bytes header);

}  // namespace ambry::search
