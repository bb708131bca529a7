// The rows that the pieces of a word share with other words, by the vocabulary's kind
// (core/formats/finalfusion/README.md#subwords).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/vocabulary/vocabulary_index.h"
#include "model/words/subwords.h"
#include "model/words/word_vocabulary.h"

namespace ambry::model {

// A vocabulary whose pieces can be found; it must outlive this.
class SubwordLookup {
 public:
  explicit SubwordLookup(const WordVocabulary& words) : words_(&words), ngrams_(words.ngrams) {}

  // Calls visit(piece, rows) in the order in which the reference programs add the rows up; of most
  // kinds a piece has one, of Floret several, and of Explicit one that is not stored none. `word`
  // is valid UTF-8. A word of Simple has no pieces.
  template <class Visit>
  void for_each(std::string_view word, const Visit& visit) const {
    if (words_->kind == WordVocabularyKind::Simple) return;
    const std::string text = words_->bow + std::string(word) + words_->eow;
    const auto look_up = [&](std::string_view piece) {
      std::array<uint64_t, 4> rows;
      visit(piece, std::span<const uint64_t>(rows).first(find(piece, rows)));
    };
    // The whole word first, so that it may come twice.
    if (words_->kind == WordVocabularyKind::Floret) look_up(text);
    for_each_ngram(text, words_->min_n, words_->max_n, look_up);
  }

  // How many pieces for_each() would visit; UINT64_MAX when they pass 64 bits.
  [[nodiscard]] uint64_t count(std::string_view word) const;

 private:
  // How many rows the piece has, which go to `rows`.
  size_t find(std::string_view piece, std::array<uint64_t, 4>& rows) const;

  const WordVocabulary* words_;
  VocabularyIndex ngrams_;
};

}  // namespace ambry::model
