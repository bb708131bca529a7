#include "text/sentencepiece/sentencepiece_bpe.h"

#include <algorithm>
#include <span>
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

// Two bytes as one number.
size_t pair_of(char first, char second) {
  return (size_t{static_cast<uint8_t>(first)} << 8) | static_cast<uint8_t>(second);
}

bool is_continuation(char byte) { return (static_cast<uint8_t>(byte) & 0xC0) == 0x80; }

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
  note_pieces();
}

void SentencePieceBpe::note_pieces() {
  for (uint32_t id = 0; id < vocabulary_.pieces.size(); ++id) {
    const std::string_view piece = vocabulary_.pieces[id];
    const bool unused = vocabulary_.is(id, PieceType::Unused);
    has_unused_ |= unused;
    joins_words_ |= (unused || vocabulary_.is(id, PieceType::Normal) ||
                     vocabulary_.is(id, PieceType::UserDefined)) &&
                    joins_words(piece, space_);
    for (size_t i = 1; i < piece.size(); ++i) neighbours_.set(pair_of(piece[i - 1], piece[i]));
  }
}

// No merge gives a part of a text that is in no piece. So the pieces of two parts depend on nothing
// in each other if no piece has the end of one beside the start of the other.
size_t SentencePieceBpe::part_end(std::string_view text) const {
  // How an unused piece is split depends on how it was merged elsewhere.
  if (has_unused_) return text.size();
  size_t at = 0;
  while (text.substr(at).starts_with(space_)) at += space_.size();
  for (at = std::max<size_t>(at, 1); at < text.size(); ++at) {
    if (is_continuation(text[at])) continue;
    if (!neighbours_[pair_of(text[at - 1], text[at])]) return at;
    if (!joins_words_ && text.substr(at).starts_with(space_)) return at;
  }
  return text.size();
}

void SentencePieceBpe::encode_parts(std::string_view text, Cache* cache,
                                    std::vector<PieceMatch>& out) const {
  PieceMerger merger(vocabulary_, ranks_, by_split_, merges_ ? &*merges_ : nullptr);
  while (!text.empty()) {
    const std::string_view part = text.substr(0, part_end(text));
    text.remove_prefix(part.size());
    if (cache != nullptr) {
      const std::span<const PieceMatch> known = cache->find(part);
      out.insert(out.end(), known.begin(), known.end());
      if (!known.empty()) continue;
    }
    const size_t n_before = out.size();
    merger.encode(part, out);
    if (cache != nullptr) cache->store(part, std::span(out).subspan(n_before));
  }
}

void SentencePieceBpe::encode(std::string_view text, std::vector<PieceMatch>& out) const {
  if (!lock_.try_lock()) return encode_parts(text, nullptr, out);
  encode_parts(text, &cache_, out);
  lock_.unlock();
}

}  // namespace ambry::text
