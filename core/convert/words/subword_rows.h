// Which rows of n-grams the words of a fastText vocabulary use. fastText stores only a word's own
// row; the word's vector is the mean of that row and the rows of its n-grams. finalfusion stores
// the vector.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "model/words/subword_lookup.h"
#include "model/words/word_vocabulary.h"

namespace ambry::convert {

class SubwordRows {
 public:
  // A word's use of an n-gram's row.
  struct Use {
    uint32_t row;   // among the n-grams' rows
    uint32_t word;  // counted from the first word of the group
  };

  // `kept` are the buckets with stored rows, ascending; empty when all are stored. `rows_per_block`
  // rows of n-grams are read at once.
  SubwordRows(const model::WordVocabulary& words, std::span<const uint32_t> kept,
              uint64_t rows_per_block)
      : words_(words), pieces_(words), kept_(kept), rows_per_block_(rows_per_block) {}

  // Collects the uses of the words from `first` on: of at most `max_words` words, or fewer when
  // they use very many rows. Returns the number of words.
  [[nodiscard]] Result<uint64_t> collect(uint64_t first, uint64_t max_words);

  // How many rows a word of the group uses.
  [[nodiscard]] uint32_t count(size_t word) const { return counts_[word]; }
  // The uses of a block's rows; for each word in the order of its n-grams.
  [[nodiscard]] std::span<const Use> uses(size_t block) const;
  [[nodiscard]] size_t n_blocks() const { return starts_.size() - 1; }

 private:
  void collect_word(uint64_t word, uint32_t index);
  void deal();

  const model::WordVocabulary& words_;
  model::SubwordLookup pieces_;
  std::span<const uint32_t> kept_;
  uint64_t rows_per_block_;
  std::vector<uint32_t> counts_;
  std::vector<Use> uses_;
  std::vector<size_t> starts_;  // of each block in uses_
};

}  // namespace ambry::convert
