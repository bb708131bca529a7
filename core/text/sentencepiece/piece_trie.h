// The pieces of a vocabulary as a trie over their bytes. It finds a piece, all pieces that start a
// text, and the longest of them. It takes 9 bytes a node. Nodes are stored level by level, so that
// the children of a node are neighbours and need no links.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/vocabulary/vocabulary.h"

namespace ambry::text {

class PieceTrie {
 public:
  struct Match {
    uint32_t id = 0;
    uint32_t n_bytes = 0;
  };

  PieceTrie() = default;
  // Builds the trie of the pieces `ids`. Of equal pieces, the last in `ids` is used. Empty ones are
  // skipped. LimitExceeded for more than 16 million nodes, far above any real vocabulary.
  [[nodiscard]] static Result<PieceTrie> build(const model::Vocabulary& vocabulary,
                                               std::span<const uint32_t> ids);

  [[nodiscard]] bool empty() const { return labels_.size() <= 1; }

  [[nodiscard]] std::optional<uint32_t> find(std::string_view text) const {
    uint32_t node = 0;
    for (const char byte : text) {
      node = child(node, byte);
      if (node == kNone) return std::nullopt;
    }
    return empty() || ids_[node] == kNone ? std::nullopt : std::optional(ids_[node]);
  }

  // Calls `visit(match)` for each piece that starts `text`, the shortest first.
  template <class Visit>
  void for_each_prefix(std::string_view text, const Visit& visit) const {
    uint32_t node = 0;
    for (size_t n = 0; n < text.size();) {
      node = child(node, text[n++]);
      if (node == kNone) return;
      if (ids_[node] != kNone) visit(Match{ids_[node], static_cast<uint32_t>(n)});
    }
  }

  [[nodiscard]] std::optional<Match> longest(std::string_view text) const {
    std::optional<Match> found;
    for_each_prefix(text, [&](const Match& match) { found = match; });
    return found;
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  [[nodiscard]] uint32_t child(uint32_t node, char byte) const {
    if (empty()) return kNone;
    const uint8_t* first = labels_.data() + first_child_[node];
    const uint8_t* end = labels_.data() + first_child_[node + 1];
    const uint8_t* found = std::lower_bound(first, end, static_cast<uint8_t>(byte));
    if (found == end || *found != static_cast<uint8_t>(byte)) return kNone;
    return static_cast<uint32_t>(found - labels_.data());
  }

  // By node. The root is node 0. first_child_ has one more entry than there are nodes.
  std::vector<uint8_t> labels_;
  std::vector<uint32_t> ids_;
  std::vector<uint32_t> first_child_;
};

}  // namespace ambry::text
