// What a conversion did to the numbers: for every tensor of the target how far it is from what the
// source says, summed up in doubles while the blocks go by.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "convert/finalfusion/vector_comparison.h"
#include "tensor/dtype.h"

namespace ambry::convert {

class ErrorSums {
 public:
  // The same elements before and after; all of them finite.
  void add(std::span<const float> before, std::span<const float> after);

  [[nodiscard]] double max_abs_error() const { return max_abs_; }
  // The length of the difference over the length of what was before; NaN where that was nothing
  // and something became of it.
  [[nodiscard]] double relative_error() const;
  // Of before and after as two vectors; 1 where nothing stayed nothing.
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
};

struct Report {
  std::vector<TensorReport> tensors;        // in the order of the target
  std::optional<VectorComparison> vectors;  // of quantized word vectors, row by row
};

}  // namespace ambry::convert
