// Builds an Encoder from a parsed model file, one tensor at a time. plan() checks that every tensor
// exists and has the shape that the configuration asks for, before any weight is read. accept()
// takes the bytes of one tensor, in any order, converts them to the form for running and frees
// them. So the heap never holds more than the finished weights and one raw tensor.
#pragma once

#include <cstdint>
#include <memory>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "model/encoder/encoder_config.h"
#include "model/file/model.h"

namespace ambry::infer {

// AsStored keeps int8 matrices as int8 and widens all other types to f32. Inputs of int8 matrices
// are quantized, too (kernels/gemm/int8_gemm.h). F32 widens everything and quantizes nothing.
enum class WeightStorage : uint8_t { AsStored, Int8, F32 };

class EncoderBuilder {
 public:
  // NotFound for a missing tensor, Mismatch for a wrong shape; the path is the tensor's name.
  // Unsupported for facts that no forward pass of this module runs (encoder_passes.h).
  [[nodiscard]] static Result<EncoderBuilder> plan(const model::Model& model,
                                                   const model::EncoderConfig& config,
                                                   WeightStorage storage);
  EncoderBuilder(EncoderBuilder&&) noexcept;
  EncoderBuilder& operator=(EncoderBuilder&&) noexcept;
  ~EncoderBuilder();

  // Whether this tensor of Model::tensors is part of the encoder. A pooler is not, unless a
  // classification head uses it.
  [[nodiscard]] bool wants(size_t tensor_index) const;

  // Takes the bytes of a wanted tensor. Call once for each.
  [[nodiscard]] Result<void> accept(size_t tensor_index, AlignedBuffer bytes);

  // NotFound when a wanted tensor has not been given.
  [[nodiscard]] Result<class Encoder> finish() &&;

 private:
  struct State;
  explicit EncoderBuilder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace ambry::infer
