#include "formats/huggingface/tokenizer/merge_order.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ambry::formats::huggingface {
namespace {

constexpr uint8_t kTextPiece = 1;
using Ids = std::unordered_map<std::string_view, uint32_t>;

// The pieces that texts are merged to.
Ids text_pieces(const model::TokenizerData& tokenizer) {
  Ids ids;
  ids.reserve(tokenizer.vocabulary.size());
  for (uint32_t id = 0; id < tokenizer.vocabulary.size(); ++id) {
    if (id >= tokenizer.types.size() || tokenizer.types[id] == kTextPiece) {
      ids.emplace(tokenizer.vocabulary[id], id);
    }
  }
  return ids;
}

// How many ways there are to make a piece of two others.
uint32_t count_splits(std::string_view piece, const Ids& ids) {
  uint32_t n = 0;
  for (size_t at = 1; at < piece.size(); ++at) {
    const bool within = (static_cast<uint8_t>(piece[at]) & 0xC0U) == 0x80;
    if (!within && ids.contains(piece.substr(0, at)) && ids.contains(piece.substr(at))) ++n;
  }
  return n;
}

// Whether a piece repeats one character. Files list the ways to make such pieces in several orders.
bool is_run(std::string_view piece) {
  size_t first = 1;
  while (first < piece.size() && (static_cast<uint8_t>(piece[first]) & 0xC0U) == 0x80) ++first;
  return piece.substr(first) == piece.substr(0, piece.size() - first);
}

}  // namespace

bool scores_say_merges(const model::TokenizerData& tokenizer) {
  const Ids ids = text_pieces(tokenizer);
  std::vector<uint32_t> n_merges(tokenizer.vocabulary.size());
  std::string joined;
  uint32_t last = UINT32_MAX;
  for (size_t i = 0; i + 1 < tokenizer.merges.size(); i += 2) {
    const std::string_view left = tokenizer.merges[i];
    const std::string_view right = tokenizer.merges[i + 1];
    joined.assign(left).append(right);
    const auto made = ids.find(joined);
    if (made == ids.end() || !ids.contains(left) || !ids.contains(right)) return false;
    if (made->second != last && n_merges[made->second] > 0 && !is_run(joined)) return false;
    last = made->second;
    ++n_merges[last];
  }
  for (const auto& [piece, id] : ids) {
    if (count_splits(piece, ids) != n_merges[id]) return false;
  }
  return true;
}

}  // namespace ambry::formats::huggingface
