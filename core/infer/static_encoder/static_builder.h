// Makes a StaticEncoder of a parsed model file, one tensor at a time, in any order.
#pragma once

#include <array>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/static_encoder/static_encoder.h"
#include "model/file/model.h"
#include "model/static_encoder/static_config.h"

namespace ambry::infer {

class StaticBuilder {
 public:
  // `config` is that of the model: static_config() has checked its tensors.
  [[nodiscard]] static Result<StaticBuilder> plan(const model::Model& model,
                                                  const model::StaticConfig& config);

  // Whether this tensor of Model::tensors is part of the encoder.
  [[nodiscard]] bool wants(size_t tensor) const;
  // Takes the bytes of a wanted tensor. Call once for each.
  [[nodiscard]] Result<void> accept(size_t tensor, AlignedBuffer bytes);
  // Call when every wanted tensor has been given.
  [[nodiscard]] Result<StaticEncoder> finish() &&;

 private:
  // Rows, scale, weights and mapping.
  static constexpr size_t kUses = 4;
  static constexpr size_t kAbsent = SIZE_MAX;

  std::array<size_t, kUses> places_ = {kAbsent, kAbsent, kAbsent, kAbsent};  // in Model::tensors
  std::array<tensor::DType, kUses> dtypes_ = {};
  StaticParts parts_;
};

}  // namespace ambry::infer
