#include "model/vocabulary/repeated_tokens.h"

#include "base/order.h"
#include "model/vocabulary/vocabulary_index.h"

namespace ambry::model {

RepeatedTokens find_repeated_tokens(const Vocabulary& tokens, size_t max_examples) {
  RepeatedTokens found;
  const VocabularyIndex index(tokens);
  for (size_t b = 0; b < index.n_buckets(); ++b) {
    const auto ids = index.bucket(b);
    if (ids.size() < 2) continue;
    uint32_t first = ids.front();
    for (const uint32_t token : ids.subspan(1)) {
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
