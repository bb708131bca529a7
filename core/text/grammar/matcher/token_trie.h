// The bytes of tokens as a trie in the order in which it is walked: a node comes before its
// children, and knows where its descendants end. So a walk reads the arrays from the left, and what
// a grammar does not allow is skipped in one step. It takes 15 bytes a node.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "text/grammar/matcher/token_texts.h"

namespace ambry::text {

class TokenTrie {
 public:
  // Makes the trie of the tokens `ids`, none of which has an empty text.
  TokenTrie(const TokenTexts& texts, std::span<const uint32_t> ids);

  [[nodiscard]] size_t n_nodes() const { return labels_.size(); }
  // The number of bytes of the longest token.
  [[nodiscard]] size_t max_depth() const { return max_depth_; }
  // The facts of a node: its byte, the number of bytes before it, the node after its last
  // descendant, and the tokens that end at it.
  [[nodiscard]] uint8_t label(size_t node) const { return labels_[node]; }
  [[nodiscard]] size_t depth(size_t node) const { return depths_[node]; }
  [[nodiscard]] size_t end(size_t node) const { return ends_[node]; }
  [[nodiscard]] std::span<const uint32_t> tokens(size_t node) const {
    return std::span(ids_).subspan(first_tokens_[node],
                                   first_tokens_[node + 1] - first_tokens_[node]);
  }

 private:
  void add_nodes(std::string_view bytes, std::vector<uint32_t>& path);

  size_t max_depth_ = 0;
  std::vector<uint8_t> labels_;
  std::vector<uint16_t> depths_;
  std::vector<uint32_t> ends_;
  std::vector<uint32_t> first_tokens_;  // in ids_
  std::vector<uint32_t> ids_;           // in the order of their bytes
};

}  // namespace ambry::text
