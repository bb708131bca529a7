// Merges neighbours of one text into pieces. Keeps its buffers between words, so that it need not
// allocate for each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/tokenizer/bpe/merge_table.h"
#include "text/sentencepiece/sentencepiece_vocabulary.h"

namespace ambry::text {

class PieceMerger {
 public:
  // `vocabulary`, `ranks` and `merges` must outlive it. `by_split` means MergeOrder::Split. With
  // `merges`, only these pairs merge, in their order.
  PieceMerger(const SentencePieceVocabulary& vocabulary, std::span<const uint32_t> ranks,
              bool by_split, const model::MergeTable* merges = nullptr)
      : vocabulary_(vocabulary), ranks_(ranks), by_split_(by_split), merges_(merges) {}

  // Appends the pieces of `text`.
  void encode(std::string_view text, std::vector<PieceMatch>& out);

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  // A part of the text. Its size becomes 0 when its left neighbour absorbs it.
  struct Symbol {
    uint32_t begin = 0;
    uint32_t size = 0;
    uint32_t id = PieceMatch::kUnknown;
    uint32_t previous = kNone;
    uint32_t next = kNone;
    bool frozen = false;
  };
  // A merge that was possible when it was queued.
  struct Join {
    uint32_t rank = 0;
    uint32_t split = 0;  // with `id`, orders merges of equal rank if splits count
    uint32_t left = 0;
    uint32_t size = 0;  // of both parts together; shows whether they are still the same
    uint32_t id = 0;
  };
  // How an unused piece was last merged.
  struct Parts {
    uint32_t id = 0;
    uint32_t left_size = 0;
  };

  void split_into_symbols();
  // What two neighbours merge into, if anything.
  [[nodiscard]] std::optional<model::MergeTable::Merge> merge_of(const Symbol& left,
                                                                 const Symbol& right) const;
  void push_candidate(uint32_t left, uint32_t right);
  void join_all();
  void append(const Symbol& symbol, std::vector<PieceMatch>& out);
  [[nodiscard]] uint32_t split_key(const Symbol& left, const Symbol& right) const;
  [[nodiscard]] bool comes_later(const Join& a, const Join& b) const;
  void remember(uint32_t id, uint32_t left_size);

  const SentencePieceVocabulary& vocabulary_;
  std::span<const uint32_t> ranks_;
  bool by_split_;
  const model::MergeTable* merges_;
  std::string_view text_;
  std::vector<Symbol> symbols_;
  std::vector<Join> queue_;    // a heap with the next merge on top
  std::vector<Parts> unused_;  // sorted by id
};

}  // namespace ambry::text
