// Unigram: of all ways to cut a text into pieces the one whose scores sum up highest
// (core/text/README.md#unigram), found from the left over the bytes of the text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/sentencepiece/piece_trie.h"
#include "text/sentencepiece/sentencepiece_vocabulary.h"

namespace ambry::text {

// What a character that no piece covers scores below the worst piece.
inline constexpr float kUnknownPenalty = 10.0F;

// `Sum` is what sums are rounded to, which decides between near ties: float as SentencePiece
// itself, double as Hugging Face.
template <class Sum>
class Unigram {
 public:
  // `trie` must outlive it; `scores` by id, finite.
  Unigram(const PieceTrie& trie, std::vector<double> scores, Sum unknown_score)
      : trie_(trie), scores_(std::move(scores)), unknown_score_(unknown_score) {}

  // Appends the pieces of a text; unknown are single characters. Of equal sums the earliest start
  // of the last piece wins.
  void encode(std::string_view text, std::vector<PieceMatch>& out) const;

 private:
  const PieceTrie& trie_;
  std::vector<double> scores_;
  Sum unknown_score_;
};

extern template class Unigram<float>;
extern template class Unigram<double>;

// A SentencePiece model's, with the bonus of pieces of the user's (the longest of them always wins
// against its parts). `vocabulary` has scores and must outlive it.
[[nodiscard]] Unigram<float> sentencepiece_unigram(const SentencePieceVocabulary& vocabulary);

}  // namespace ambry::text
