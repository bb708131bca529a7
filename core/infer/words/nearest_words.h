// The words whose vectors have the largest dot product with a given vector, ranked as the Rust
// reference ranks them (core/formats/finalfusion/README.md#nearest): over the rows of words only,
// equal scores by the bytes of the words.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "infer/words/word_vectors.h"

namespace ambry::infer {

struct WordHit {
  uint32_t row = 0;
  float score = 0.0F;

  friend bool operator==(const WordHit&, const WordHit&) = default;
};

struct NearestQuery {
  std::span<const float> vector;
  std::span<const uint32_t> excluded;  // rows
};

// Finds at most `k` words for each query, best first, without the excluded ones. The score is the
// dot product of the given vector and the row as lookups return it; quantized rows are not
// reconstructed for it. Rows whose score is NaN are left out. BadValue when a vector is not finite;
// Unsupported when not all rows are in memory or the vocabulary lists no words. Queries asked
// together read the rows once.
[[nodiscard]] Result<std::vector<std::vector<WordHit>>> nearest_words(
    const WordVectors& vectors, std::span<const NearestQuery> queries, size_t k);

// The k nearest words of one query.
[[nodiscard]] Result<std::vector<WordHit>> nearest_words(const WordVectors& vectors,
                                                         std::span<const float> vector, size_t k,
                                                         std::span<const uint32_t> excluded);

// b - a + c, scaled to length 1: it is to `c` as `b` is to `a`. NotFound with the path a, b or c
// for the first word without a vector; the message names all of them.
[[nodiscard]] Result<std::vector<float>> analogy_vector(
    const WordVectors& vectors, const std::array<std::string_view, 3>& words);

// 1 - acos(cosine) / π. The cosine may exceed 1 by rounding.
[[nodiscard]] float angular_similarity(float cosine);

}  // namespace ambry::infer
