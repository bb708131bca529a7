// Made-up queries, keys and values of one sequence, and attention by its definition.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "kernels/attention/encoder_attention.h"
#include "kernels/test_random.h"

namespace ambry::kernels::testing {

// Query, key and value of all tokens side by side, as in the encoder.
struct AttentionInput {
  AttentionShape shape;
  size_t width;
  std::vector<float> qkv;

  AttentionInput(const AttentionShape& s, TestRandom& random)
      : shape(s), width(s.n_heads * s.head_dim), qkv(random.floats(s.n_tokens * 3 * width, 2.0F)) {}

  [[nodiscard]] double at(size_t token, size_t part, size_t column) const {
    return double{qkv[(token * 3 + part) * width + column]};
  }
  // Query `i` · key `j` of a head.
  [[nodiscard]] double product(size_t head, size_t i, size_t j) const {
    double sum = 0;
    for (size_t c = head * shape.head_dim; c < (head + 1) * shape.head_dim; ++c) {
      sum += at(i, 0, c) * at(j, 1, c);
    }
    return sum;
  }
  [[nodiscard]] double scale() const {
    const double usual = 1 / std::sqrt(static_cast<double>(shape.head_dim));
    return shape.scale == 0 ? usual : double{shape.scale};
  }

  // The result for each token, where score(head, i, j) is what softmax gets.
  [[nodiscard]] std::vector<double> expected(
      const std::function<double(size_t, size_t, size_t)>& score) const {
    std::vector<double> out;
    for (size_t i = 0; i < shape.n_tokens; ++i) {
      for (size_t c = 0; c < width; ++c) {
        double sum = 0;
        double result = 0;
        for (size_t j = 0; j < shape.n_tokens; ++j) {
          if ((i > j ? i - j : j - i) > shape.reach || (shape.causal && j > i)) continue;
          const double e = std::exp(score(c / shape.head_dim, i, j));
          sum += e;
          result += e * at(j, 2, c);
        }
        out.push_back(result / sum);
      }
    }
    return out;
  }

  // The scratch has exactly the size that the kernel asks for.
  template <class V, class Bias = NoBias>
  [[nodiscard]] std::vector<float> run(const Bias& bias = {}) const {
    std::vector<float> out(shape.n_tokens * width);
    std::vector<float> scratch(encoder_attention_scratch(shape));
    const float* query = qkv.data();
    encoder_attention<V>(shape, query, query + width, query + 2 * width, 3 * width, out.data(),
                         width, scratch, bias);
    return out;
  }
};

}  // namespace ambry::kernels::testing
