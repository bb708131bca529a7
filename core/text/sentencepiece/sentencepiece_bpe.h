// SentencePiece BPE: starts with the characters of a text and merges the neighbours whose joined
// text is the best piece, again and again (core/text/README.md#merge-by-score). Takes n log n steps
// for n characters.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/threads/spin_lock.h"
#include "model/tokenizer/bpe/merge_table.h"
#include "text/bpe/word_cache.h"
#include "text/sentencepiece/sentencepiece_vocabulary.h"

namespace ambry::text {

// Which of two merges comes first.
enum class MergeOrder : uint8_t {
  Score,  // the better score, then the leftmost: as in SentencePiece
  // For vocabularies without scores (core/formats/alt/README.md#merge-order): pieces of white space
  // come last, the others by id.
  Id,
  // Hugging Face's list of merges, which is made from scores. With equal scores: the longer left
  // part, then the longer right part, then the smaller id. Both parts must be pieces.
  Split,
  List,  // that list itself
};

class SentencePieceBpe {
 public:
  // `vocabulary` must outlive it. `space` is the spelling of a space. `merges` is needed for
  // MergeOrder::List.
  SentencePieceBpe(const SentencePieceVocabulary& vocabulary, MergeOrder order,
                   std::string_view space, std::optional<model::MergeTable> merges = std::nullopt);

  // Appends the pieces of a normalized text. Never fails: a character that is not a piece is
  // unknown.
  void encode(std::string_view text, std::vector<PieceMatch>& out) const;

 private:
  using Cache = WordCache<PieceMatch>;

  // Without a cache, every part is merged.
  void encode_parts(std::string_view text, Cache* cache, std::vector<PieceMatch>& out) const;
  void note_pieces();
  // Where the first part of the text ends that merges with nothing after it.
  [[nodiscard]] size_t part_end(std::string_view text) const;

  const SentencePieceVocabulary& vocabulary_;
  std::string_view space_;
  bool by_split_;
  std::optional<model::MergeTable> merges_;
  bool has_unused_ = false;
  bool joins_words_ = false;  // whether a piece has a space after its first character
  std::bitset<size_t{1} << 16> neighbours_;  // bytes that stand side by side in a piece
  std::vector<uint32_t> ranks_;              // by id; the smallest is merged first
  // For one thread at a time. Another thread that encodes meanwhile does without it.
  mutable SpinLock lock_;
  mutable Cache cache_;
};

}  // namespace ambry::text
