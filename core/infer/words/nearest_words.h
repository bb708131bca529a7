// The words whose vectors have the largest dot product with a given one, as the Rust reference
// ranks them (core/formats/finalfusion/README.md#nearest): over the words' rows only, equal scores
// by the bytes of the words.
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

// At most `k` words for each query, the best first, without the excluded ones. The score is the dot
// product of the vector, as it is, and the row, as lookups give it: for quantized rows without
// reconstructing them. Rows whose score is no number are left out. BadValue when a vector has such
// numbers; Unsupported when the rows are not all held or the vocabulary lists no words. Queries
// asked together read the rows once.
[[nodiscard]] Result<std::vector<std::vector<WordHit>>> nearest_words(
    const WordVectors& vectors, std::span<const NearestQuery> queries, size_t k);

// Of one query.
[[nodiscard]] Result<std::vector<WordHit>> nearest_words(const WordVectors& vectors,
                                                         std::span<const float> vector, size_t k,
                                                         std::span<const uint32_t> excluded);

// b - a + c, of length 1: what is to `c` as `b` is to `a`. NotFound with the path a, b or c for the
// first that has no vector; the message names all of them.
[[nodiscard]] Result<std::vector<float>> analogy_vector(
    const WordVectors& vectors, const std::array<std::string_view, 3>& words);

// 1 - acos(cosine) / π, of a cosine that rounding may have carried past 1.
[[nodiscard]] float angular_similarity(float cosine);

}  // namespace ambry::infer
