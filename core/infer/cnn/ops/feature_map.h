// The data between the layers of a convolutional network: f32 planes, or quantized planes of uint8.
#pragma once

#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "model/cnn/cnn_graph.h"

namespace ambry::infer {

class FeatureMap {
 public:
  // Uninitialized. LimitExceeded when the heap cannot hold it.
  [[nodiscard]] static Result<FeatureMap> f32(const model::CnnShape& shape);
  [[nodiscard]] static Result<FeatureMap> quantized(const model::CnnShape& shape,
                                                    const model::CnnActivation& quantization);

  [[nodiscard]] const model::CnnShape& shape() const { return shape_; }
  // Sets another shape with the same number of values.
  void reshape(const model::CnnShape& shape) { shape_ = shape; }
  [[nodiscard]] bool is_quantized() const { return is_quantized_; }
  // Only of a quantized map.
  [[nodiscard]] const model::CnnActivation& quantization() const { return quantization_; }

  [[nodiscard]] std::span<float> floats() { return data_.as<float>(); }
  [[nodiscard]] std::span<const float> floats() const { return data_.as<float>(); }
  [[nodiscard]] MutableBytes bytes() { return data_.bytes(); }
  [[nodiscard]] Bytes bytes() const { return data_.bytes(); }  // an f32 map's floats in memory

  [[nodiscard]] Result<FeatureMap> copy() const;
  [[nodiscard]] Result<FeatureMap> dequantized() const;
  // Only of an f32 map.
  [[nodiscard]] Result<FeatureMap> quantize(const model::CnnActivation& to) const;

 private:
  model::CnnShape shape_;
  bool is_quantized_ = false;
  model::CnnActivation quantization_;
  AlignedBuffer data_;
};

}  // namespace ambry::infer
