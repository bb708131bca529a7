#include "model/repeated_tokens.h"

#include <bit>
#include <span>

#include "base/order.h"

namespace ambry::model {
namespace {

// FNV-1a, mixed once more because the low bits choose the bucket.
size_t bucket_of(std::string_view token, size_t mask) {
  uint32_t hash = 2166136261U;
  for (const char c : token) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619U;
  hash ^= hash >> 15;
  return hash & mask;
}

}  // namespace

// Tokens are dealt into buckets by hash, of which most hold one or none; the rest are sorted by
// text. Tokens made to meet in one bucket cost a sort of them all, not a comparison of every pair.
RepeatedTokens find_repeated_tokens(const Vocabulary& tokens, size_t max_examples) {
  RepeatedTokens found;
  if (tokens.empty()) return found;
  const size_t n_buckets = std::bit_ceil(tokens.size());
  std::vector<uint32_t> starts(n_buckets + 1);
  for (size_t i = 0; i < tokens.size(); ++i) ++starts[bucket_of(tokens[i], n_buckets - 1) + 1];
  for (size_t i = 1; i <= n_buckets; ++i) starts[i] += starts[i - 1];
  // Filled from the back, so that starts[b] ends as the start of bucket b and order is kept.
  std::vector<uint32_t> dealt(tokens.size());
  for (size_t i = tokens.size(); i-- > 0;) {
    dealt[--starts[bucket_of(tokens[i], n_buckets - 1) + 1]] = static_cast<uint32_t>(i);
  }
  for (size_t b = 1; b <= n_buckets; ++b) {
    const size_t begin = starts[b];
    const size_t end = b == n_buckets ? dealt.size() : starts[b + 1];
    if (end - begin < 2) continue;
    const auto bucket = std::span(dealt).subspan(begin, end - begin);
    const auto order = sorted_order(bucket.size(), [&](uint32_t x, uint32_t y) {
      return tokens[bucket[x]] < tokens[bucket[y]];
    });
    uint32_t first = bucket[order[0]];
    for (size_t i = 1; i < order.size(); ++i) {
      const uint32_t token = bucket[order[i]];
      if (tokens[token] != tokens[first]) {
        first = token;
        continue;
      }
      ++found.count;
      if (found.examples.size() < max_examples) found.examples.emplace_back(first, token);
    }
  }
  sort_items(found.examples, [](const auto& a, const auto& b) { return a.second < b.second; });
  return found;
}

}  // namespace ambry::model
