// An extent or an index in a graph that runs with any number of texts of any length: an integer
// times powers of the batch size and of the number of tokens.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ambry::convert::onnx {

struct Dim {
  int64_t factor = 0;
  uint8_t batches = 0;  // the power of the batch size
  uint8_t tokens = 0;   // the power of the number of tokens

  [[nodiscard]] bool is_number() const { return factor == 0 || (batches == 0 && tokens == 0); }
  [[nodiscard]] bool is(int64_t number) const { return is_number() && factor == number; }
  // With one text of so many tokens.
  [[nodiscard]] int64_t at(int64_t n_tokens) const;

  friend bool operator==(const Dim&, const Dim&) = default;
};

using Dims = std::vector<Dim>;

[[nodiscard]] inline Dim number_dim(int64_t number) { return {number, 0, 0}; }
[[nodiscard]] inline Dim batch_dim() { return {1, 1, 0}; }
[[nodiscard]] inline Dim token_dim() { return {1, 0, 1}; }

// Nothing where the result is no such product, or passes 64 bits.
[[nodiscard]] std::optional<Dim> times(const Dim& a, const Dim& b);
[[nodiscard]] std::optional<Dim> divided(const Dim& a, const Dim& b);
[[nodiscard]] std::optional<Dim> plus(const Dim& a, const Dim& b, bool minus);
[[nodiscard]] std::optional<Dim> product(const Dims& dims);

// The elements with one text of so many tokens. Nothing where there are too many to look at.
[[nodiscard]] std::optional<size_t> sample_count(const Dims& dims, int64_t n_tokens);

// The extents of two operands that are repeated along axes of extent 1. Nothing where they differ.
[[nodiscard]] std::optional<Dims> broadcast(const Dims& a, const Dims& b);

// An axis counted from the end, if it is negative. Nothing where there is no such axis.
[[nodiscard]] std::optional<size_t> axis_of(int64_t axis, size_t rank);

}  // namespace ambry::convert::onnx
