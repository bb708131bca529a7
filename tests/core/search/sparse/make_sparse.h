// Documents with sparse vectors, and files of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "io/crc32.h"
#include "kernels/test_random.h"
#include "search/sparse/sparse_index.h"

namespace ambry::search {

// Ids and weights.
using SparseWords = std::vector<std::pair<uint32_t, float>>;

inline std::vector<float> pairs_of(const SparseWords& words) {
  std::vector<float> pairs;
  for (const auto& [id, weight] : words) {
    pairs.push_back(static_cast<float>(id));
    pairs.push_back(weight);
  }
  return pairs;
}

inline Result<void> append_sparse(SparseIndex& index, const std::vector<SparseWords>& documents) {
  std::vector<float> pairs;
  std::vector<uint32_t> lengths;
  for (const SparseWords& words : documents) {
    const std::vector<float> more = pairs_of(words);
    pairs.insert(pairs.end(), more.begin(), more.end());
    lengths.push_back(static_cast<uint32_t>(words.size()));
  }
  return index.append(pairs, lengths);
}

// Different words in any order. Some documents have none.
inline SparseWords random_words(TestRandom& random, uint32_t dim, size_t most) {
  SparseWords words;
  const size_t n = random.bits() % (most + 1);
  for (size_t i = 0; i < n; ++i) {
    const auto id = static_cast<uint32_t>(random.bits() % dim);
    const bool is_new =
        std::ranges::none_of(words, [id](const auto& word) { return word.first == id; });
    if (is_new) words.emplace_back(id, 1.5F + random.next());
  }
  return words;
}

// Four documents of a vocabulary of 9 words; the third has none.
inline SparseIndex small_sparse() {
  SparseIndex index = SparseIndex::create(9).value();
  static_cast<void>(append_sparse(index, {{{2, 1.0F}, {0, 0.5F}}, {{2, 3.0F}}, {}, {{8, 0.25F}}}));
  return index;
}

inline std::vector<uint8_t> sparse_file(SparseIndex index, std::string_view header) {
  const IndexPieces pieces = index.save(as_bytes(header)).value();
  std::vector<uint8_t> file;
  for (const Bytes piece : {pieces.head(), pieces.rows, pieces.tail()}) {
    file.insert(file.end(), piece.begin(), piece.end());
  }
  return file;
}

inline Result<SparseIndex> load_sparse(const std::vector<uint8_t>& file) {
  AlignedBuffer memory = AlignedBuffer::allocate(file.size()).value();
  std::ranges::copy(file, memory.data());
  return SparseIndex::load(std::move(memory));
}

inline std::vector<uint8_t> with_sparse_checksum(std::vector<uint8_t> file) {
  store_le(file.data() + file.size() - 4, io::crc32(Bytes(file).first(file.size() - 4)));
  return file;
}

}  // namespace ambry::search
