#include "text/grammar/matcher/token_trie.h"

#include <algorithm>

#include "base/order.h"

namespace ambry::text {
namespace {

// Longer tokens exist only in files that are made to be slow.
constexpr size_t kMaxTokenBytes = 1024;

}  // namespace

TokenTrie::TokenTrie(const Tokenizer& tokenizer, size_t n_tokens) : n_tokens_(n_tokens) {
  const std::span<const uint32_t> end_ids = tokenizer.end_ids();
  begins_.push_back(0);
  std::vector<uint32_t> texts;
  for (uint32_t id = 0; id < n_tokens; ++id) {
    const auto bytes = tokenizer.text_bytes(id);
    const bool is_text = bytes && !bytes->empty() && bytes->size() <= kMaxTokenBytes;
    if (is_text && std::ranges::count(end_ids, id) == 0) {
      texts_ += *bytes;
      texts.push_back(id);
    }
    begins_.push_back(static_cast<uint32_t>(texts_.size()));
  }
  const std::vector<uint32_t> order = sorted_order(
      texts.size(), [&](uint32_t a, uint32_t b) { return bytes(texts[a]) < bytes(texts[b]); });
  std::vector<uint32_t> path;  // the nodes of the last token
  for (const uint32_t at : order) {
    add_nodes(bytes(texts[at]), path);
    ids_.push_back(texts[at]);
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
