// The JSON options of a query for nearest words.
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
  std::vector<uint32_t> excluded;    // row indices
  std::array<bool, 3> include = {};  // the words a, b, c of an analogy

  // `options` is JSON {k, metric: cosine | angular, exclude: [word], include: [a | b | c]}, all
  // optional. Words in `exclude` that are not in the vocabulary are ignored.
  [[nodiscard]] static Result<WordQuery> read(std::string_view options,
                                              const infer::WordVectors& vectors);
  void exclude(const infer::WordVectors& vectors, std::string_view word);
};

}  // namespace ambry::api
