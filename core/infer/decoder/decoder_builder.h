// From a parsed model file to a Decoder, one tensor at a time, as EncoderBuilder: plan() checks
// everything before any weight is read; accept() takes the bytes of one tensor, in any order.
#pragma once

#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/decoder/decoder.h"
#include "model/decoder/decoder_config.h"
#include "model/model.h"

namespace ambry::infer {

class DecoderBuilder {
 public:
  // NotFound for a missing tensor, Mismatch for a wrong shape, each naming the shape that was
  // expected; Unsupported for a type that cannot be run; LimitExceeded for a context that the model
  // cannot have, or when `resident` is too little for any part.
  [[nodiscard]] static Result<DecoderBuilder> plan(const model::Model& model,
                                                   const model::DecoderConfig& config,
                                                   const DecoderOptions& options = {});

  // Whether the tensor at this place of Model::tensors is to be given before finish(): one that the
  // decoder has, unless it is read for every pass.
  [[nodiscard]] bool wants(size_t tensor_index) const;

  // The bytes of one wanted tensor, each exactly once. As Decoder::put_tensor.
  [[nodiscard]] Result<void> accept(size_t tensor_index, AlignedBuffer bytes);

  // NotFound when a wanted tensor has not been given.
  [[nodiscard]] Result<Decoder> finish() &&;

 private:
  DecoderBuilder(Decoder decoder, std::vector<bool> wanted)
      : decoder_(std::move(decoder)), wanted_(std::move(wanted)) {}

  Decoder decoder_;
  std::vector<bool> wanted_;  // by tensor index
};

}  // namespace ambry::infer
