// The tensors of decoder language models under their Hugging Face names: one table an architecture
// (core/formats/amb/README.md#tensor-names), what each tensor is for, and which shape the config
// gives it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/diagnostics.h"
#include "model/decoder/decoder_config.h"
#include "model/model.h"
#include "model/tensor_index.h"
#include "model/tensor_spec.h"

namespace ambry::model {

// What a tensor is for, whatever the architecture calls it.
enum class DecoderRole : uint8_t {
  TokenEmbedding,
  PositionEmbedding,
  AttentionNorm,
  Query,
  Key,
  Value,
  QueryKeyValue,  // rows q | k | v; falcon keeps the three of each kv head together
  AttentionOutput,
  MlpNorm,
  Gate,
  Up,
  GateUp,  // rows gate | up
  Down,
  FinalNorm,
  Output,
};

inline constexpr uint32_t kNoLayer = UINT32_MAX;

struct DecoderTensor {
  DecoderRole role = DecoderRole::TokenEmbedding;
  uint32_t layer = kNoLayer;  // kNoLayer outside the layers
  bool bias = false;
  TensorSpec spec;
  std::string other_name;  // the second name that some models of the architecture have, or empty
};

// What of a tensor's name counts: without `model.` and `transformer.` before it and `.weight`
// after.
[[nodiscard]] std::string_view decoder_tensor_key(std::string_view name);

// An index for the two functions below.
[[nodiscard]] TensorIndex decoder_tensor_index(const std::vector<TensorEntry>& tensors);

// The tensor under either of its names; nullptr when absent.
[[nodiscard]] const TensorEntry* find_decoder_tensor(const TensorIndex& index,
                                                     const DecoderTensor& tensor);
// The tensor of this role in this layer (kNoLayer outside them), the weight or the bias.
[[nodiscard]] const TensorEntry* find_decoder_tensor(const TensorIndex& index,
                                                     DecoderArchitecture architecture,
                                                     DecoderRole role, uint32_t layer,
                                                     bool bias = false);

// What a model of this config must have (spec.optional is false) and may have, in the order in
// which files hold them.
[[nodiscard]] std::vector<DecoderTensor> decoder_tensors(const DecoderConfig& config);

// Adds an error for every required tensor that is absent and every tensor of another shape, naming
// the expected one; for whole layers that are absent one error. Tensors that the table does not
// know are nobody's business, except layers that the config does not count: a warning.
void check_decoder_tensors(const Model& model, const DecoderConfig& config,
                           io::Diagnostics& diagnostics);

}  // namespace ambry::model
