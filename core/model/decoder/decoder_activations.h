// What the layers of a decoder are given when it runs over texts: for each number of an input, the
// mean of its squares. The error of a weight counts by the number that it meets, so that this says
// which weights have to be exact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/decoder/decoder_tensors.h"

namespace ambry::model {

struct DecoderActivations {
  struct Layer {
    std::vector<float> attention;   // n_embd: what query, key and value are made of
    std::vector<float> context;     // heads * head_dim: what the attention's output is made of
    std::vector<float> mlp;         // n_embd: what gate and up are made of
    std::vector<float> mlp_hidden;  // n_ff: what down is made of
  };
  std::vector<Layer> layers;
  std::vector<float> output;  // n_embd: what the logits are made of
  // An embedding's input is 1 for one row and 0 for all others, so these are shares of the tokens.
  std::vector<float> tokens;
  std::vector<float> positions;  // empty without learned positions

  // What the matrix of this role is multiplied with; empty for norms. A layer that is not there has
  // none either.
  [[nodiscard]] std::span<const float> input_of(DecoderRole role, uint32_t layer) const;
};

}  // namespace ambry::model
