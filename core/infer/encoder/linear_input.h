// The input rows of linear layers in the form that each weight needs: floats for f32 weights,
// quantized for int8 weights. They are quantized once, for the first layer that needs it. A model
// with int8 weights gives the same bits in every engine, so its f32 weights are not multiplied by
// the fused GEMM.
#pragma once

#include <optional>

#include "infer/encoder/encoder_scratch.h"
#include "infer/encoder/weights/encoder_weights.h"
#include "kernels/gemm/f32_gemm.h"
#include "kernels/gemm/int8_gemm.h"

namespace ambry::infer {

template <class V>
class LinearInput {
 public:
  // Rows of `k` values, contiguous. Both arguments are borrowed. Another input that uses the same
  // scratch invalidates this one.
  LinearInput(const float* x, size_t rows, size_t k, EncoderScratch& scratch)
      : rows_{x, rows, k}, scratch_(scratch) {}

  // out[rows][n] = epilogue(x Wᵀ). `stride` counts the floats from row to row.
  template <class Epilogue>
  void multiply(const LinearWeight& weight, float* out, size_t stride, const Epilogue& epilogue) {
    if (weight.is_int8()) {
      kernels::int8_gemm<V>(quantized(), weight.int8, out, stride, epilogue);
    } else if (scratch_.has_quantized()) {
      kernels::f32_gemm<V>(rows_, weight.f32, out, stride, epilogue);
    } else {
      kernels::fused_f32_gemm<V>(rows_, weight.f32, out, stride, epilogue);
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
