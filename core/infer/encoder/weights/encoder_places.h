// Which part of an encoder a tensor fills.
#pragma once

#include "infer/encoder/weights/encoder_weights.h"
#include "model/encoder/encoder_tensors.h"

namespace ambry::infer {

// The part of the encoder to which a tensor belongs: one of the four is set, or none for a tensor
// that is not run.
struct EncoderPlace {
  Linear* linear = nullptr;
  LayerNorm* norm = nullptr;
  EmbeddingTable* table = nullptr;
  PaddedVector* vector = nullptr;
};

[[nodiscard]] EncoderPlace encoder_place(const model::EncoderTensor& tensor,
                                         EncoderWeights& weights);

}  // namespace ambry::infer
