#include "infer/cnn/ops/feature_map.h"

#include <cassert>
#include <cstring>

#include "kernels/quantize/static_quantize.h"
#include "simd/isa.h"

namespace ambry::infer {

Result<FeatureMap> FeatureMap::f32(const model::CnnShape& shape) {
  FeatureMap map;
  map.shape_ = shape;
  AMBRY_TRY(map.data_, AlignedBuffer::allocate(shape.count() * sizeof(float)));
  return map;
}

Result<FeatureMap> FeatureMap::quantized(const model::CnnShape& shape,
                                         const model::CnnActivation& quantization) {
  FeatureMap map;
  map.shape_ = shape;
  map.is_quantized_ = true;
  map.quantization_ = quantization;
  AMBRY_TRY(map.data_, AlignedBuffer::allocate(shape.count()));
  return map;
}

Result<FeatureMap> FeatureMap::copy() const {
  AMBRY_TRY(FeatureMap map, is_quantized_ ? quantized(shape_, quantization_) : f32(shape_));
  std::memcpy(map.data_.data(), data_.data(), data_.size());
  return map;
}

Result<FeatureMap> FeatureMap::dequantized() const {
  if (!is_quantized_) return copy();
  AMBRY_TRY(FeatureMap map, f32(shape_));
  const std::span<float> to = map.floats();
  for (size_t i = 0; i < to.size(); ++i) {
    to[i] = static_cast<float>(data_.data()[i] - quantization_.zero_point) * quantization_.scale;
  }
  return map;
}

Result<FeatureMap> FeatureMap::quantize(const model::CnnActivation& to) const {
  assert(!is_quantized_);
  AMBRY_TRY(FeatureMap map, quantized(shape_, to));
  kernels::quantize_static<simd::Baseline>(floats(), to.scale, to.zero_point, map.data_.data());
  return map;
}

}  // namespace ambry::infer
