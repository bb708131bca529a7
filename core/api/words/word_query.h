// The options of a query for nearest words, as JSON.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "infer/words/word_vectors.h"

namespace ambry::api {

struct WordQuery {
  size_t k = 10;
  bool angular = false;
  std::vector<uint32_t> excluded;    // rows
  std::array<bool, 3> include = {};  // a, b, c of an analogy

  // `options` is JSON {k, metric: cosine | angular, exclude: [word], include: [a | b | c]}, all
  // optional. A word to exclude that is none of the vocabulary is no result anyway.
  [[nodiscard]] static Result<WordQuery> read(std::string_view options,
                                              const infer::WordVectors& vectors);
  void exclude(const infer::WordVectors& vectors, std::string_view word);
};

}  // namespace ambry::api
