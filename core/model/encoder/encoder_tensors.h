// The tensors of a sentence encoder under their Hugging Face names, in file order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/diagnostics.h"
#include "model/encoder/encoder_config.h"
#include "model/file/model.h"
#include "model/file/tensor_spec.h"

namespace ambry::model {

struct EncoderTensor {
  EncoderRole role = EncoderRole::WordEmbedding;
  uint32_t layer = 0;  // of Dense, the i-th; 0 for tensors outside the layers
  uint32_t part = 0;   // of the layer, from 1 on; 0: of the layer itself
  bool bias = false;
  TensorSpec spec;
};

// The tensors that a model with this config must have (spec.optional is false) or may have: those
// of the architecture's table, and the dense layers after the pooling. The number of layers must
// not come from an unchecked file (has_all_layers).
[[nodiscard]] std::vector<EncoderTensor> encoder_tensors(const EncoderConfig& config);

// The name of a tensor that every layer has, to count the layers before any memory is taken.
[[nodiscard]] std::string layer_marker(const EncoderConfig& config, uint32_t layer);

// The names of an integer tensor's scale and zero point: `<name>.scale`, `<name>.zero_point`.
[[nodiscard]] std::string scale_name(std::string_view name);
[[nodiscard]] std::string zero_point_name(std::string_view name);

// Adds an error for each required tensor that is missing or has another shape; the error names the
// expected shape. Adds a warning when integer weights lack the scale needed to run them.
void check_encoder_tensors(const Model& model, const EncoderConfig& config,
                           io::Diagnostics& diagnostics);

}  // namespace ambry::model
