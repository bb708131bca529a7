// Small word vectors for the tests of this folder.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "infer/words/word_vectors.h"

namespace ambry::infer::testing {

struct NamedRow {
  std::string word;
  std::vector<float> row;
};

// Words without n-grams and with f32 rows, all in memory.
inline WordVectors make_vectors(const std::vector<NamedRow>& named) {
  const size_t dim = named.front().row.size();
  WordParts parts{.words = {},
                  .dim = dim,
                  .rows = {0, named.size(), dim * sizeof(float)},
                  .quantizer = std::nullopt,
                  .row_norms = {},
                  .norms = {}};
  AlignedBuffer rows = AlignedBuffer::allocate(named.size() * dim * sizeof(float)).value();
  for (size_t i = 0; i < named.size(); ++i) {
    parts.words.words.push_back(named[i].word);
    std::ranges::copy(named[i].row, rows.as<float>().data() + i * dim);
  }
  parts.words.n_words = named.size();
  parts.rows.set_all(std::move(rows));
  return WordVectors(std::move(parts));
}

}  // namespace ambry::infer::testing
