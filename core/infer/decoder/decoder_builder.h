// Builds a Decoder from a parsed model file, one tensor at a time, like EncoderBuilder: plan()
// checks everything before any weight is read; accept() takes the bytes of one tensor, in any
// order.
#pragma once

#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/decoder/weights/decoder.h"
#include "model/decoder/decoder_config.h"
#include "model/file/model.h"

namespace ambry::infer {

class DecoderBuilder {
 public:
  // NotFound for a missing tensor and Mismatch for a wrong shape, both naming the expected shape;
  // Unsupported for a type that cannot be run; LimitExceeded for a context that the model cannot
  // have, or when `resident` is too small for some part.
  [[nodiscard]] static Result<DecoderBuilder> plan(const model::Model& model,
                                                   const model::DecoderConfig& config,
                                                   const DecoderOptions& options = {});

  // Whether this tensor of Model::tensors has to be given before finish(): it belongs to the
  // decoder and is not read for every pass.
  [[nodiscard]] bool wants(size_t tensor_index) const;

  // Takes the bytes of a wanted tensor. Call once for each. Fails as Decoder::put_tensor().
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
