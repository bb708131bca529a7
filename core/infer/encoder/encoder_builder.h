// From a parsed model file to an Encoder, one tensor at a time: plan() checks that every tensor is
// there and has the shape that the configuration demands before any weight is read; accept() takes
// the bytes of one tensor, in any order, brings them into the form for running and frees them. The
// heap therefore never holds more than the finished weights and one raw tensor.
#pragma once

#include <cstdint>
#include <memory>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "model/encoder/encoder_config.h"
#include "model/model.h"

namespace ambry::infer {

// AsStored keeps int8 matrices as int8 and widens every other type to f32. What meets an int8
// matrix becomes whole numbers as well (kernels/gemm/int8_gemm.h); F32 does without both.
enum class WeightStorage : uint8_t { AsStored, Int8, F32 };

class EncoderBuilder {
 public:
  // NotFound for a missing tensor, Mismatch for a wrong shape; the path is the tensor's name.
  [[nodiscard]] static Result<EncoderBuilder> plan(const model::Model& model,
                                                   const model::EncoderConfig& config,
                                                   WeightStorage storage);
  EncoderBuilder(EncoderBuilder&&) noexcept;
  EncoderBuilder& operator=(EncoderBuilder&&) noexcept;
  ~EncoderBuilder();

  // Whether the tensor at this place of Model::tensors is part of the encoder (a pooler is not).
  [[nodiscard]] bool wants(size_t tensor_index) const;

  // The bytes of one wanted tensor, each exactly once.
  [[nodiscard]] Result<void> accept(size_t tensor_index, AlignedBuffer bytes);

  // NotFound when a wanted tensor has not been given.
  [[nodiscard]] Result<class Encoder> finish() &&;

 private:
  struct State;
  explicit EncoderBuilder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace ambry::infer
