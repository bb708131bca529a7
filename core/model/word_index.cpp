#include "model/word_index.h"

#include <algorithm>
#include <bit>

#include "base/order.h"

namespace ambry::model {
namespace {

// FNV-1a, mixed once more because the low bits choose the bucket.
size_t bucket_of(std::string_view text, size_t mask) {
  uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619U;
  hash ^= hash >> 15;
  return hash & mask;
}

}  // namespace

WordIndex::WordIndex(const Vocabulary& tokens) {
  if (tokens.empty()) return;
  const size_t mask = std::bit_ceil(tokens.size()) - 1;
  starts_.resize(mask + 2);
  for (size_t i = 0; i < tokens.size(); ++i) ++starts_[bucket_of(tokens[i], mask)];
  for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  // Filled from the back, so that ends become starts and ids stay in order.
  ids_.resize(tokens.size());
  for (size_t i = tokens.size(); i-- > 0;) {
    ids_[--starts_[bucket_of(tokens[i], mask)]] = static_cast<uint32_t>(i);
  }
  std::vector<uint32_t> unsorted;
  for (size_t b = 0; b <= mask; ++b) {
    const auto ids = std::span(ids_).subspan(starts_[b], starts_[b + 1] - starts_[b]);
    if (ids.size() < 2) continue;
    unsorted.assign(ids.begin(), ids.end());
    const auto order = sorted_order(ids.size(), [&](uint32_t x, uint32_t y) {
      return tokens[unsorted[x]] < tokens[unsorted[y]];
    });
    std::ranges::transform(order, ids.begin(), [&](uint32_t i) { return unsorted[i]; });
  }
}

std::optional<uint32_t> WordIndex::find(const Vocabulary& tokens, std::string_view text) const {
  if (ids_.empty()) return std::nullopt;
  const auto ids = bucket(bucket_of(text, n_buckets() - 1));
  const auto at = std::ranges::lower_bound(ids, text, {}, [&](uint32_t id) { return tokens[id]; });
  if (at == ids.end() || tokens[*at] != text) return std::nullopt;
  return *at;
}

}  // namespace ambry::model
