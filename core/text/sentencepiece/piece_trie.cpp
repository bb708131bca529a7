#include "text/sentencepiece/piece_trie.h"

#include <cstddef>
#include <utility>

#include "base/order.h"

namespace ambry::text {
namespace {

constexpr size_t kMaxNodes = size_t{1} << 24;

// The sorted pieces that share the bytes of a node.
struct PieceRange {
  uint32_t begin = 0;
  uint32_t end = 0;
};

}  // namespace

Result<PieceTrie> PieceTrie::build(const model::Vocabulary& vocabulary,
                                   std::span<const uint32_t> ids) {
  const auto order = sorted_order(
      ids.size(), [&](uint32_t a, uint32_t b) { return vocabulary[ids[a]] < vocabulary[ids[b]]; });
  const auto piece = [&](uint32_t i) { return vocabulary[ids[order[i]]]; };
  PieceTrie trie;
  std::vector<PieceRange> level = {{0, static_cast<uint32_t>(ids.size())}};
  trie.labels_.push_back(0);
  for (size_t depth = 0; !level.empty(); ++depth) {
    std::vector<PieceRange> next;
    for (auto [begin, end] : level) {
      trie.first_child_.push_back(static_cast<uint32_t>(trie.labels_.size()));
      trie.ids_.push_back(kNone);
      for (; begin < end && piece(begin).size() == depth; ++begin) {
        if (depth > 0) trie.ids_.back() = ids[order[begin]];
      }
      while (begin < end) {
        const char label = piece(begin)[depth];
        const uint32_t first = begin;
        while (begin < end && piece(begin)[depth] == label) ++begin;
        next.push_back({first, begin});
        trie.labels_.push_back(static_cast<uint8_t>(label));
      }
    }
    if (trie.labels_.size() > kMaxNodes) {
      return make_error(ErrorCode::LimitExceeded, "tokenizer.vocabulary",
                        {"the trie of its pieces has more than ", kMaxNodes, " nodes"});
    }
    level = std::move(next);
  }
  trie.first_child_.push_back(static_cast<uint32_t>(trie.labels_.size()));
  return trie;
}

}  // namespace ambry::text
