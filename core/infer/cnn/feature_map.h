// What flows between the layers of a convolutional network: planes of floats, or of bytes that
// stand for floats.
#pragma once

#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "model/cnn/cnn_graph.h"

namespace ambry::infer {

class FeatureMap {
 public:
  // Not initialised. LimitExceeded when the heap cannot hold them.
  [[nodiscard]] static Result<FeatureMap> f32(const model::CnnShape& shape);
  [[nodiscard]] static Result<FeatureMap> quantized(const model::CnnShape& shape,
                                                    const model::CnnActivation& form);

  [[nodiscard]] const model::CnnShape& shape() const { return shape_; }
  // Another shape of as many numbers.
  void reshape(const model::CnnShape& shape) { shape_ = shape; }
  [[nodiscard]] bool is_quantized() const { return is_quantized_; }
  [[nodiscard]] const model::CnnActivation& quantization() const {
    return quantization_;
  }  // of bytes

  [[nodiscard]] std::span<float> floats() { return data_.as<float>(); }
  [[nodiscard]] std::span<const float> floats() const { return data_.as<float>(); }
  [[nodiscard]] MutableBytes bytes() { return data_.bytes(); }
  [[nodiscard]] Bytes bytes() const { return data_.bytes(); }  // of floats: as they lie in memory

  [[nodiscard]] Result<FeatureMap> copy() const;
  [[nodiscard]] Result<FeatureMap> dequantized() const;
  [[nodiscard]] Result<FeatureMap> quantize(const model::CnnActivation& form) const;  // of floats

 private:
  model::CnnShape shape_;
  bool is_quantized_ = false;
  model::CnnActivation quantization_;
  AlignedBuffer data_;
};

}  // namespace ambry::infer
