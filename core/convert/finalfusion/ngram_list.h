// Lists the distinct n-grams of a vocabulary's words and the buckets that they hash into
// (core/formats/finalfusion/README.md#explicit-ngrams). The words come in their order, and the
// n-grams of each in the reference's order. A bucket gets the next index when it is first seen, as
// in the Python reference.
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
  // `words` must hash each n-gram into one bucket, and must outlive this.
  explicit NgramList(const model::WordVocabulary& words)
      : words_(words), pieces_(words), seen_(0, TextOf{ngrams_}, TextOf{ngrams_}) {}
  NgramList(const NgramList&) = delete;
  NgramList& operator=(const NgramList&) = delete;

  // Lists the n-grams of some more words. Returns false when all words are done.
  [[nodiscard]] Result<bool> step();
  // From 0 to 1.
  [[nodiscard]] double progress() const;

  // The words of the list with stored n-grams, and the rows of the used buckets by their index.
  struct Listed {
    model::WordVocabulary words;
    std::vector<uint64_t> bucket_rows;
  };
  // Call when all words are done.
  [[nodiscard]] Listed take();

 private:
  // Hashes and compares n-grams by their index, and texts that are not listed yet.
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
  AlignedBuffer index_of_;  // for each bucket, as u32
  std::vector<uint64_t> rows_;
  model::Vocabulary ngrams_;
  std::vector<uint32_t> ngram_rows_;
  std::unordered_set<uint32_t, TextOf, TextOf> seen_;
};

}  // namespace ambry::convert
