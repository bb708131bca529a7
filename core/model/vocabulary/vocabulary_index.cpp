#include "model/vocabulary/vocabulary_index.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "base/order.h"

namespace ambry::model {
namespace {

// A larger bucket is sorted by a routine that allocates memory.
constexpr size_t kFewIds = 16;

// FNV-1a, mixed once more because the low bits choose the bucket.
uint32_t hash_of(std::string_view text) {
  uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619U;
  return hash ^ hash >> 15;
}

}  // namespace

VocabularyIndex::VocabularyIndex(const Vocabulary& tokens) {
  if (tokens.empty()) return;
  const size_t mask = std::bit_ceil(tokens.size()) - 1;
  std::vector<uint32_t> hashes(tokens.size());
  starts_.resize(mask + 2);
  for (size_t i = 0; i < tokens.size(); ++i) {
    hashes[i] = hash_of(tokens[i]);
    ++starts_[hashes[i] & mask];
  }
  for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  // Filling from the back turns ends into starts and keeps the ids in order.
  ids_.resize(tokens.size());
  hashes_.resize(tokens.size());
  for (size_t i = tokens.size(); i-- > 0;) {
    const uint32_t at = --starts_[hashes[i] & mask];
    ids_[at] = static_cast<uint32_t>(i);
    hashes_[at] = hashes[i];
  }
  for (size_t b = 0; b <= mask; ++b) sort_bucket(tokens, starts_[b], starts_[b + 1]);
}

bool VocabularyIndex::comes_before(const Vocabulary& tokens, size_t a, size_t b) const {
  if (hashes_[a] != hashes_[b]) return hashes_[a] < hashes_[b];
  return tokens[ids_[a]] < tokens[ids_[b]];
}

// The ids come in ascending order, and ids of equal tokens keep that order.
void VocabularyIndex::sort_bucket(const Vocabulary& tokens, size_t begin, size_t end) {
  if (end - begin > kFewIds) {
    const std::vector<uint32_t> order = sorted_order(end - begin, [&](uint32_t a, uint32_t b) {
      return comes_before(tokens, begin + a, begin + b);
    });
    std::vector<std::pair<uint32_t, uint32_t>> sorted;
    sorted.reserve(order.size());
    for (const uint32_t i : order) sorted.emplace_back(hashes_[begin + i], ids_[begin + i]);
    for (size_t i = begin; i < end; ++i) std::tie(hashes_[i], ids_[i]) = sorted[i - begin];
    return;
  }
  for (size_t i = begin + 1; i < end; ++i) {
    for (size_t j = i; j > begin && comes_before(tokens, j, j - 1); --j) {
      std::swap(hashes_[j], hashes_[j - 1]);
      std::swap(ids_[j], ids_[j - 1]);
    }
  }
}

std::optional<uint32_t> VocabularyIndex::find(const Vocabulary& tokens,
                                              std::string_view text) const {
  if (ids_.empty()) return std::nullopt;
  const uint32_t hash = hash_of(text);
  const size_t b = hash & (n_buckets() - 1);
  const auto hashes = std::span(hashes_).subspan(starts_[b], starts_[b + 1] - starts_[b]);
  const auto [first, last] = std::ranges::equal_range(hashes, hash);
  const auto ids = bucket(b).subspan(static_cast<size_t>(first - hashes.begin()),
                                     static_cast<size_t>(last - first));
  const auto at = std::ranges::lower_bound(ids, text, {}, [&](uint32_t id) { return tokens[id]; });
  if (at == ids.end() || tokens[*at] != text) return std::nullopt;
  return *at;
}

}  // namespace ambry::model
