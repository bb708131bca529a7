// The bytes of all tokens as a trie in the order in which it is walked: a node comes before its
// children, and knows where its children end. So a walk reads the arrays from the left, and what a
// grammar does not allow is skipped in one step. It takes 15 bytes a node.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer/tokenizer.h"

namespace ambry::text {

class TokenTrie {
 public:
  // The tokens below `n_tokens` that are text and end no text. Tokens of more than 1024 bytes are
  // left out.
  TokenTrie(const Tokenizer& tokenizer, size_t n_tokens);

  [[nodiscard]] size_t n_tokens() const { return n_tokens_; }
  // Empty for a token that is not in the trie.
  [[nodiscard]] std::string_view bytes(uint32_t id) const {
    return std::string_view(texts_).substr(begins_[id], begins_[id + 1] - begins_[id]);
  }

  [[nodiscard]] size_t n_nodes() const { return labels_.size(); }
  [[nodiscard]] size_t max_depth() const { return max_depth_; }
  // Of a node: its byte, the number of bytes before it, the node after its last descendant, and the
  // tokens that end at it.
  [[nodiscard]] uint8_t label(size_t node) const { return labels_[node]; }
  [[nodiscard]] size_t depth(size_t node) const { return depths_[node]; }
  [[nodiscard]] size_t end(size_t node) const { return ends_[node]; }
  [[nodiscard]] std::span<const uint32_t> tokens(size_t node) const {
    return std::span(ids_).subspan(first_tokens_[node],
                                   first_tokens_[node + 1] - first_tokens_[node]);
  }

 private:
  void add_nodes(std::string_view bytes, std::vector<uint32_t>& path);

  size_t n_tokens_;
  std::string texts_;
  std::vector<uint32_t> begins_;  // of each token in texts_
  size_t max_depth_ = 0;
  std::vector<uint8_t> labels_;
  std::vector<uint16_t> depths_;
  std::vector<uint32_t> ends_;
  std::vector<uint32_t> first_tokens_;  // in ids_
  std::vector<uint32_t> ids_;           // in the order of their bytes
};

}  // namespace ambry::text
