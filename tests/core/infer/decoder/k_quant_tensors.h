// Gives synthetic decoders matrices of ggml's K-quants, IQ4_XS and IQ3_XXS.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/half.h"
#include "infer/decoder/synthetic_decoder.h"
#include "kernels/gemm/weight_matrix.h"
#include "kernels/test_random.h"

namespace ambry::infer::testing {

// Any bytes, and halves of this value.
inline AlignedBuffer k_quant_payload(tensor::DType dtype, uint64_t n_values, float scale) {
  const tensor::Block block = tensor::block_of(dtype);
  AlignedBuffer payload = *AlignedBuffer::allocate(n_values / block.elements * block.bytes);
  TestRandom random(n_values);
  for (uint8_t& byte : payload.bytes()) byte = static_cast<uint8_t>(random.bits());
  // One half or two, in front or at the end.
  const bool in_front = dtype == tensor::DType::Q4_K || dtype == tensor::DType::Q5_K ||
                        dtype == tensor::DType::IQ4_XS || dtype == tensor::DType::IQ3_XXS;
  const bool two =
      dtype == tensor::DType::Q2_K || dtype == tensor::DType::Q4_K || dtype == tensor::DType::Q5_K;
  const size_t first = in_front ? 0 : block.bytes - (two ? 4U : 2U);
  for (size_t at = first; at < payload.size(); at += block.bytes) {
    store_le<uint16_t>(payload.data() + at, f32_to_f16(scale));
    if (two) store_le<uint16_t>(payload.data() + at + 2, f32_to_f16(scale));
  }
  return payload;
}

// The values of a payload, of which the largest is about 0.1.
inline std::vector<float> use_k_quant(SyntheticDecoder& made, size_t index, tensor::DType dtype) {
  model::TensorEntry& entry = made.model.tensors[index];
  std::vector<float> values(static_cast<size_t>(*entry.shape.count()));
  float scale = 1;
  for (int pass = 0; pass < 2; ++pass) {
    AlignedBuffer payload = k_quant_payload(dtype, values.size(), scale);
    made.bytes[index].assign(payload.bytes().begin(), payload.bytes().end());
    const auto matrix = *kernels::WeightMatrix::create(dtype, std::nullopt, entry.shape[0],
                                                       entry.shape[1], false, std::move(payload));
    for (size_t r = 0; r < matrix.rows(); ++r) matrix.row(r, &values[r * matrix.cols()]);
    float largest = 0;
    for (const float value : values) largest = std::max(largest, std::abs(value));
    if (pass == 0) scale = 0.1F / largest;
  }
  entry.dtype = dtype;
  entry.bytes = made.bytes[index].size();
  return values;
}

}  // namespace ambry::infer::testing
