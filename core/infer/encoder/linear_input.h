// The rows that go into linear layers, in the form that each layer's weight asks for: as they are
// for f32, and for int8 as codes, made when the first such layer comes and used by all of them.
#pragma once

#include <optional>

#include "infer/encoder/encoder_scratch.h"
#include "infer/encoder/encoder_weights.h"
#include "kernels/gemm/f32_gemm.h"
#include "kernels/gemm/int8_gemm.h"

namespace ambry::infer {

template <class V>
class LinearInput {
 public:
  // Rows of `k` numbers, adjacent. Both are borrowed; another input that uses the scratch ends this
  // one.
  LinearInput(const float* x, size_t rows, size_t k, EncoderScratch& scratch)
      : rows_{x, rows, k}, scratch_(scratch) {}

  // out[rows][n] = epilogue(x Wᵀ), `stride` floats from row to row.
  template <class Epilogue>
  void multiply(const LinearWeight& weight, float* out, size_t stride, const Epilogue& epilogue) {
    if (weight.is_int8()) {
      kernels::gemm<V>(quantized(), weight.int8, out, stride, epilogue);
    } else {
      kernels::gemm<V>(rows_, weight.f32, out, stride, epilogue);
    }
  }

 private:
  const kernels::QuantizedActivations<V>& quantized() {
    if (!quantized_) {
      quantized_.emplace(scratch_.quantized(), rows_.rows, rows_.stride);
      quantized_->template quantize<V>(rows_.data);
    }
    return *quantized_;
  }

  kernels::MatrixView rows_;
  EncoderScratch& scratch_;
  std::optional<kernels::QuantizedActivations<V>> quantized_;
};

}  // namespace ambry::infer
