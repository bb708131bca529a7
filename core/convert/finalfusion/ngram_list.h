// The n-grams of a vocabulary's words, each once, and the buckets that they hash into
// (core/formats/finalfusion/README.md#explicit-ngrams): words in their order, the n-grams of each
// in the reference's order; a bucket gets the next index at first sight, as the Python reference
// gives it.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "model/words/subword_lookup.h"
#include "model/words/word_vocabulary.h"

namespace ambry::convert {

class NgramList {
 public:
  // `words` hashes n-grams into buckets, one each, and must outlive this.
  explicit NgramList(const model::WordVocabulary& words)
      : words_(words), pieces_(words), seen_(0, TextOf{ngrams_}, TextOf{ngrams_}) {}
  NgramList(const NgramList&) = delete;
  NgramList& operator=(const NgramList&) = delete;

  // Lists the n-grams of some more words; false when all words have gone by.
  [[nodiscard]] Result<bool> step();
  // From 0 to 1.
  [[nodiscard]] double progress() const;

  // The same words with stored n-grams, and the rows of the used buckets by their index.
  struct Listed {
    model::WordVocabulary words;
    std::vector<uint64_t> bucket_rows;
  };
  // When all have gone by.
  [[nodiscard]] Listed take();

 private:
  // Hash and equality of n-grams by their numbers, and of texts not listed yet.
  struct TextOf {
    using is_transparent = void;
    const model::Vocabulary& ngrams;

    [[nodiscard]] std::string_view text(uint32_t ngram) const { return ngrams[ngram]; }
    [[nodiscard]] static std::string_view text(std::string_view text) { return text; }
    template <class T>
    size_t operator()(const T& a) const {
      return std::hash<std::string_view>()(text(a));
    }
    template <class T, class U>
    bool operator()(const T& a, const U& b) const {
      return text(a) == text(b);
    }
  };

  Result<void> begin();
  Result<void> add_word(uint64_t word);
  void add_ngram(std::string_view ngram, uint64_t row);

  const model::WordVocabulary& words_;
  model::SubwordLookup pieces_;
  uint64_t next_word_ = 0;
  AlignedBuffer index_of_;  // of each bucket, as u32
  std::vector<uint64_t> rows_;
  model::Vocabulary ngrams_;
  std::vector<uint32_t> ngram_rows_;
  std::unordered_set<uint32_t, TextOf, TextOf> seen_;
};

}  // namespace ambry::convert
