// Statistics of a decoder's activations over some texts: the mean square of each element of a
// layer's input. An error in a weight counts in proportion to the input that it is multiplied by,
// so this shows which weights must be exact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "model/decoder/decoder_tensors.h"

namespace ambry::model {

struct DecoderActivations {
  struct Expert {
    std::vector<float> mlp;         // n_embd: input of gate and up
    std::vector<float> mlp_hidden;  // experts.n_ff: input of down
  };
  struct Layer {
    std::vector<float> attention;   // n_embd: input of query, key and value, or of their like
    std::vector<float> context;     // heads * head_dim: input of the attention output or its like
    std::vector<float> mlp;         // n_embd: input of gate and up
    std::vector<float> mlp_hidden;  // n_ff: input of down
    // As many in each layer; with empty lists where a layer has none.
    // NOLINTNEXTLINE(readability-redundant-member-init): GCC warns where this is left out
    std::vector<Expert> experts = {};
  };
  std::vector<Layer> layers;
  std::vector<float> output;  // n_embd: input of the output matrix
  // The input of an embedding is 1 for one row and 0 for the others, so this is each token's share.
  std::vector<float> tokens;
  std::vector<float> positions;  // empty without learned positions

  // Whether empty lists are not known, rather than no part of the model. Not saved.
  bool partial = false;

  // As bytes, for another instance of the core: the module that runs a model is not the one that
  // quantizes it. Of one build only.
  [[nodiscard]] std::vector<uint8_t> saved() const;
  // BadValue, Truncated or LimitExceeded if the bytes are not those of saved().
  [[nodiscard]] static Result<DecoderActivations> restored(Bytes bytes);

  // The input of the matrix with this role. Empty for norms and for layers that do not exist.
  [[nodiscard]] std::span<const float> input_of(DecoderRole role, uint32_t layer,
                                                uint32_t expert = kNoExpert) const;
};

}  // namespace ambry::model
