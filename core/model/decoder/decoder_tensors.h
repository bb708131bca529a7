// The tensors of decoder language models under their Hugging Face names, with one table for each
// architecture (core/formats/amb/README.md#tensor-names). The tables give the role of each tensor
// and its shape in terms of the config.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/diagnostics.h"
#include "model/decoder/architectures/decoder_role.h"
#include "model/decoder/decoder_config.h"
#include "model/file/model.h"
#include "model/file/tensor_index.h"
#include "model/file/tensor_spec.h"

namespace ambry::model {

inline constexpr uint32_t kNoLayer = UINT32_MAX;
inline constexpr uint32_t kNoExpert = UINT32_MAX;

// Whether a layer may have tensors of this role, by its kind and its experts.
[[nodiscard]] bool has_role(const DecoderConfig& config, DecoderRole role, uint32_t layer);
// The first such layer, or 0.
[[nodiscard]] uint32_t first_layer_with(const DecoderConfig& config, DecoderRole role);

struct DecoderTensor {
  DecoderRole role = DecoderRole::TokenEmbedding;
  uint32_t layer = kNoLayer;  // kNoLayer for tensors outside the layers; of Dense, the i-th
  bool bias = false;
  TensorSpec spec;
  std::string other_name;  // a second name that some models use, or empty
  uint32_t expert = kNoExpert;
};

// The part of a tensor's name that is compared: without the prefixes `model.`, `transformer.`,
// `gpt_neox.` and `backbone.`, and without the ending `.weight`.
[[nodiscard]] std::string_view decoder_tensor_key(std::string_view name);

// Makes an index for the two functions below.
[[nodiscard]] TensorIndex decoder_tensor_index(const std::vector<TensorEntry>& tensors);

// Finds the tensor by either of its names. Returns nullptr when it is absent.
[[nodiscard]] const TensorEntry* find_decoder_tensor(const TensorIndex& index,
                                                     const DecoderTensor& tensor);
// Finds the weight or bias with this role in this layer (kNoLayer for tensors outside the layers).
[[nodiscard]] const TensorEntry* find_decoder_tensor(const TensorIndex& index,
                                                     DecoderArchitecture architecture,
                                                     DecoderRole role, uint32_t layer,
                                                     bool bias = false);

// The tensors that a model with this config must have (spec.optional is false) or may have, in file
// order.
[[nodiscard]] std::vector<DecoderTensor> decoder_tensors(const DecoderConfig& config);

// Adds an error for each required tensor that is missing and each tensor of another shape; the
// error names the expected shape. Whole missing layers give one error together. Unknown tensors are
// ignored, but those of layers beyond the config's number give a warning.
void check_decoder_tensors(const Model& model, const DecoderConfig& config,
                           io::Diagnostics& diagnostics);

}  // namespace ambry::model
