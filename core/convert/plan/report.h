// Measures how a conversion changes the values: for every tensor of the target, the error against
// the source. Sums are in double and grow block by block.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "convert/plan/vector_comparison.h"
#include "io/json/json.h"
#include "tensor/dtype/dtype.h"

namespace ambry::convert {

class ErrorSums {
 public:
  // Adds the errors of some elements, from their values before and after. All must be finite.
  void add(std::span<const float> before, std::span<const float> after);

  [[nodiscard]] double max_abs_error() const { return max_abs_; }
  // The norm of the difference divided by the norm of the original. NaN if the original is zero and
  // the result is not.
  [[nodiscard]] double relative_error() const;
  // The cosine between the original and the result as vectors; 1 if both are zero.
  [[nodiscard]] double cosine() const;

 private:
  double max_abs_ = 0;
  double difference_ = 0;  // sums of squares
  double before_ = 0;
  double after_ = 0;
  double product_ = 0;
};

struct TensorReport {
  std::string name;  // in the target
  tensor::DType from = tensor::DType::F32;
  tensor::DType to = tensor::DType::F32;
  uint64_t bytes_before = 0;
  uint64_t bytes = 0;
  ErrorSums errors;
  // For weights that a library has quantized: its name and bits, and what became of the codes.
  std::string stored_as = {};
  std::string note = {};
};

struct Report {
  std::vector<TensorReport> tensors;        // in the order of the target
  std::optional<VectorComparison> vectors;  // set for quantized word vectors
  io::Json network;                         // the plan of a network, or null (Plan::network)
};

}  // namespace ambry::convert
