// Unigram: finds the split of a text into pieces with the highest sum of scores
// (core/text/README.md#unigram), from the left over the bytes of the text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/sentencepiece/piece_trie.h"
#include "text/sentencepiece/sentencepiece_vocabulary.h"

namespace ambry::text {

// How far the score of an unknown character is below that of the worst piece.
inline constexpr float kUnknownPenalty = 10.0F;

// Sums are rounded to `Sum`, which decides near ties: float as in SentencePiece, double as in
// Hugging Face's library.
template <class Sum>
class Unigram {
 public:
  // `trie` must outlive it. `scores` are by id and finite.
  Unigram(const PieceTrie& trie, std::vector<double> scores, Sum unknown_score)
      : trie_(trie), scores_(std::move(scores)), unknown_score_(unknown_score) {}

  // Appends the pieces of a text. Unknown pieces are single characters. Of equal sums, the earliest
  // start of the last piece wins.
  void encode(std::string_view text, std::vector<PieceMatch>& out) const;

 private:
  const PieceTrie& trie_;
  std::vector<double> scores_;
  Sum unknown_score_;
};

extern template class Unigram<float>;
extern template class Unigram<double>;

// The Unigram of a SentencePiece model. User-defined pieces get a bonus, so that the longest of
// them always wins against its parts. `vocabulary` must have scores and outlive it.
[[nodiscard]] Unigram<float> sentencepiece_unigram(const SentencePieceVocabulary& vocabulary);

}  // namespace ambry::text
