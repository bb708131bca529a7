// Finds the rows that the n-grams of a word share with other words
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

// `words` must outlive this.
class SubwordLookup {
 public:
  explicit SubwordLookup(const WordVocabulary& words) : words_(&words), ngrams_(words.ngrams) {}

  // Calls visit(piece, rows) for each n-gram of the word, in the order in which the reference
  // programs add up the rows. In most kinds of vocabulary a piece has one row. In Floret it has
  // several; in Explicit it has none unless it is stored. A Simple vocabulary has no pieces. `word`
  // is valid UTF-8, or of a vocabulary of fastText's rule, which takes any bytes.
  template <class Visit>
  void for_each(std::string_view word, const Visit& visit) const {
    if (!has_pieces(word)) return;
    const std::string text = words_->bow + std::string(word) + words_->eow;
    const auto look_up = [&](std::string_view piece) {
      std::array<uint64_t, 4> rows;
      visit(piece, std::span<const uint64_t>(rows).first(find(piece, rows)));
    };
    // Floret also looks up the whole word, first. It may come again as an n-gram.
    if (words_->kind == WordVocabularyKind::Floret) look_up(text);
    const bool all = words_->rule == NgramRule::Finalfusion;
    for_each_ngram(text, words_->min_n, words_->max_n, [&](std::string_view piece) {
      if (all || !is_bracket(piece, text)) look_up(piece);
    });
  }

  // How many pieces for_each() would visit. UINT64_MAX when the count passes 64 bits.
  [[nodiscard]] uint64_t count(std::string_view word) const;

 private:
  [[nodiscard]] bool has_pieces(std::string_view word) const {
    return words_->kind != WordVocabularyKind::Simple &&
           (words_->rule == NgramRule::Finalfusion || word != kEndOfLine);
  }
  // Whether the piece is a single character at an end of the text, as fastText counts characters.
  [[nodiscard]] static bool is_bracket(std::string_view piece, std::string_view text);
  // Writes the piece's rows into `rows` and returns how many there are.
  size_t find(std::string_view piece, std::array<uint64_t, 4>& rows) const;

  const WordVocabulary* words_;
  VocabularyIndex ngrams_;
};

}  // namespace ambry::model
