#include "text/sentencepiece/sentencepiece_bpe.h"

#include <algorithm>
#include <utility>

#include "base/order.h"
#include "text/sentencepiece/sentencepiece_merger.h"

namespace ambry::text {
namespace {

bool is_space_only(std::string_view piece, std::string_view space) {
  for (; piece.starts_with(space); piece.remove_prefix(space.size())) {
  }
  return piece.empty();
}

// Whether a space follows another character, so that the piece spans two words.
bool joins_words(std::string_view piece, std::string_view space) {
  while (piece.starts_with(space)) piece.remove_prefix(space.size());
  return piece.find(space) != std::string_view::npos;
}

// Equal scores share a rank.
std::vector<uint32_t> ranks_by_score(const std::vector<float>& scores) {
  const auto order =
      sorted_order(scores.size(), [&](uint32_t a, uint32_t b) { return scores[a] > scores[b]; });
  std::vector<uint32_t> ranks(scores.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && scores[order[i]] == scores[order[i - 1]];
    ranks[order[i]] = same ? ranks[order[i - 1]] : static_cast<uint32_t>(i);
  }
  return ranks;
}

std::vector<uint32_t> ranks_by_id(const model::Vocabulary& pieces, std::string_view space) {
  const auto n = static_cast<uint32_t>(pieces.size());
  std::vector<uint32_t> ranks(n);
  for (uint32_t id = 0; id < n; ++id) ranks[id] = is_space_only(pieces[id], space) ? n + id : id;
  return ranks;
}

}  // namespace

SentencePieceBpe::SentencePieceBpe(const SentencePieceVocabulary& vocabulary, MergeOrder order,
                                   std::string_view space, std::optional<model::MergeTable> merges)
    : vocabulary_(vocabulary),
      space_(space),
      by_split_(order == MergeOrder::Split),
      merges_(std::move(merges)),
      ranks_(order == MergeOrder::Id ? ranks_by_id(vocabulary.pieces, space)
                                     : ranks_by_score(vocabulary.scores)) {
  for (uint32_t id = 0; id < vocabulary.pieces.size(); ++id) {
    has_unused_ |= vocabulary.is(id, PieceType::Unused);
    const bool is_text =
        vocabulary.is(id, PieceType::Normal) || vocabulary.is(id, PieceType::Unused);
    joins_words_ |= (is_text || vocabulary.is(id, PieceType::UserDefined)) &&
                    joins_words(vocabulary.pieces[id], space);
  }
}

void SentencePieceBpe::encode(std::string_view text, std::vector<PieceMatch>& out) const {
  PieceMerger merger(vocabulary_, ranks_, by_split_, merges_ ? &*merges_ : nullptr);
  // Nothing merges across the start of a word, and one word at a time is faster. How an unused
  // piece is split depends on how it was merged elsewhere, so this needs a vocabulary without
  // unused pieces.
  const bool by_word = !joins_words_ && !has_unused_;
  while (!text.empty()) {
    size_t end = text.size();
    if (by_word) {
      size_t spaces = 0;
      while (text.substr(spaces).starts_with(space_)) spaces += space_.size();
      end = std::min(text.find(space_, spaces), text.size());
    }
    merger.encode(text.substr(0, end), out);
    text.remove_prefix(end);
  }
}

}  // namespace ambry::text
