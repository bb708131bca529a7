// BERT encoders of any size whose weights are hashes of their names.
// tests/reference/models/bert_reference.py states the rules, makes the same weights and computes
// the expected results.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/encoder/encoder.h"
#include "infer/encoder/encoder_builder.h"
#include "model/encoder/encoder_config.h"
#include "model/file/model.h"

namespace ambry {

// The stored type of a synthetic model's weights; Int8 has .scale and .zero_point.
enum class SyntheticStorage : uint8_t { F32, Int8 };

// Values 0 … count-1 of the tensor `name`, in [-1, 1).
std::vector<float> hashed_uniform(std::string_view name, size_t count);

struct SyntheticBert {
  model::EncoderConfig config;
  model::Model model;

  // `layout` is how the linear layers are stored.
  explicit SyntheticBert(const model::EncoderConfig& config,
                         SyntheticStorage storage = SyntheticStorage::F32,
                         model::LinearLayout layout = model::LinearLayout::OutIn);

  // The stored bytes of the tensor.
  [[nodiscard]] AlignedBuffer bytes(size_t tensor_index) const;
  // The float weights of a tensor by name, as [out, in].
  [[nodiscard]] std::vector<float> floats(const model::TensorEntry& entry) const;

  // Plans, gives every wanted tensor in the order of the index or backwards, and finishes.
  [[nodiscard]] Result<infer::Encoder> build(
      infer::WeightStorage storage = infer::WeightStorage::AsStored, bool backwards = false) const;
};

}  // namespace ambry
