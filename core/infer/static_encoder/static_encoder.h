// A static encoder ready to run: one row for each token, or for each of several tokens that share
// it. Rows stay in the element type of their file and are widened as they are added.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "tensor/dtype/dtype.h"

namespace ambry::infer {

struct StaticParts {
  uint32_t n_tokens = 0;
  uint32_t n_rows = 0;
  uint32_t dim = 0;
  tensor::DType dtype = tensor::DType::F32;  // f32, f16, bf16 or i8
  AlignedBuffer rows;
  std::vector<float> scales;      // of each row, or one of all; none: 1
  std::vector<float> weights;     // of each token; none: 1
  std::vector<uint32_t> mapping;  // the row of each token; none: the token's id
};

class StaticEncoder {
 public:
  // BadValue for a mapping to a row that is not there, and for scales or weights that are not
  // finite; the path is the tensor's name.
  [[nodiscard]] static Result<StaticEncoder> create(StaticParts parts);

  [[nodiscard]] uint32_t dim() const { return parts_.dim; }
  [[nodiscard]] uint32_t n_tokens() const { return parts_.n_tokens; }
  [[nodiscard]] uint64_t weight_bytes() const;

  // The mean of the tokens' vectors; zeros for no tokens. Every id < n_tokens().
  // out.size() == dim().
  void mean(std::span<const uint32_t> ids, std::span<float> out) const;
  // The vector of one token.
  void row(uint32_t id, std::span<float> out) const;

 private:
  explicit StaticEncoder(StaticParts parts) : parts_(std::move(parts)) {}
  void add(uint32_t id, std::span<float> to) const;

  StaticParts parts_;
};

}  // namespace ambry::infer
