// SentencePiece BPE: a text in characters, of which the neighbours whose joined text is the best
// piece are joined, over and over (core/text/README.md#merge-by-score). n log n for a text of n
// characters.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/sentencepiece/sentencepiece_vocabulary.h"

namespace ambry::text {

// Which of two joins comes first.
enum class MergeOrder : uint8_t {
  Score,  // the better piece, then the leftmost: SentencePiece itself
  // The same for vocabularies without scores (core/formats/alt/README.md#merge-order): pieces of
  // white space come last, the others by id.
  Id,
  // Hugging Face's list of merges as it is made from scores: of equal scores the longer left part,
  // the longer right part, the smaller id. Both parts must be pieces.
  Split,
};

class SentencePieceBpe {
 public:
  // `vocabulary` must outlive it; `space` is how it spells spaces.
  SentencePieceBpe(const SentencePieceVocabulary& vocabulary, MergeOrder order,
                   std::string_view space);

  // Appends the pieces of a normalised text. Never fails: a character that is no piece is unknown.
  void encode(std::string_view text, std::vector<PieceMatch>& out) const;

 private:
  const SentencePieceVocabulary& vocabulary_;
  std::string_view space_;
  bool by_split_;
  bool has_unused_ = false;
  bool joins_words_ = false;     // whether a piece goes on after a space that is not its first
  std::vector<uint32_t> ranks_;  // by id; the smallest is joined first
};

}  // namespace ambry::text
