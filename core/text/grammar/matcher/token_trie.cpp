#include "text/grammar/matcher/token_trie.h"

#include <algorithm>

#include "base/order.h"

namespace ambry::text {
namespace {

// The first bytes as a number that is smaller for a text that comes earlier. Most comparisons need
// no more than that.
uint64_t first_bytes(std::string_view text) {
  uint64_t key = 0;
  for (size_t i = 0; i < sizeof key; ++i) {
    key = key << 8 | (i < text.size() ? static_cast<uint8_t>(text[i]) : 0U);
  }
  return key;
}

}  // namespace

TokenTrie::TokenTrie(const TokenTexts& texts, std::span<const uint32_t> ids) {
  std::vector<uint64_t> keys;
  keys.reserve(ids.size());
  for (const uint32_t id : ids) keys.push_back(first_bytes(texts.bytes(id)));
  const std::vector<uint32_t> order = sorted_order(ids.size(), [&](uint32_t a, uint32_t b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : texts.bytes(ids[a]) < texts.bytes(ids[b]);
  });
  std::vector<uint32_t> path;  // the nodes of the last token
  for (const uint32_t at : order) {
    add_nodes(texts.bytes(ids[at]), path);
    ids_.push_back(ids[at]);
  }
  for (const uint32_t node : path) ends_[node] = static_cast<uint32_t>(labels_.size());
  first_tokens_.push_back(static_cast<uint32_t>(ids_.size()));
}

void TokenTrie::add_nodes(std::string_view bytes, std::vector<uint32_t>& path) {
  size_t shared = 0;
  while (shared < path.size() && shared < bytes.size() &&
         labels_[path[shared]] == static_cast<uint8_t>(bytes[shared])) {
    ++shared;
  }
  const auto n_before = static_cast<uint32_t>(labels_.size());
  for (size_t i = shared; i < path.size(); ++i) ends_[path[i]] = n_before;
  path.resize(shared);
  for (size_t depth = shared; depth < bytes.size(); ++depth) {
    path.push_back(static_cast<uint32_t>(labels_.size()));
    labels_.push_back(static_cast<uint8_t>(bytes[depth]));
    depths_.push_back(static_cast<uint16_t>(depth));
    ends_.push_back(0);
    first_tokens_.push_back(static_cast<uint32_t>(ids_.size()));
  }
  max_depth_ = std::max(max_depth_, bytes.size());
}

}  // namespace ambry::text
