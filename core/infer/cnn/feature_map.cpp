#include "infer/cnn/feature_map.h"

#include <cassert>
#include <cstring>

#include "kernels/quantize/static_quantize.h"
#include "simd/isa.h"

namespace ambry::infer {

Result<CnnMap> CnnMap::of_floats(const model::CnnShape& shape) {
  CnnMap map;
  map.shape_ = shape;
  AMBRY_TRY(map.data_, AlignedBuffer::allocate(shape.count() * sizeof(float)));
  return map;
}

Result<CnnMap> CnnMap::of_bytes(const model::CnnShape& shape, const model::CnnActivation& form) {
  CnnMap map;
  map.shape_ = shape;
  map.is_bytes_ = true;
  map.form_ = form;
  AMBRY_TRY(map.data_, AlignedBuffer::allocate(shape.count()));
  return map;
}

Result<CnnMap> CnnMap::copy() const {
  AMBRY_TRY(CnnMap map, is_bytes_ ? of_bytes(shape_, form_) : of_floats(shape_));
  std::memcpy(map.data_.data(), data_.data(), data_.size());
  return map;
}

Result<CnnMap> CnnMap::to_floats() const {
  if (!is_bytes_) return copy();
  AMBRY_TRY(CnnMap map, of_floats(shape_));
  const std::span<float> to = map.floats();
  for (size_t i = 0; i < to.size(); ++i) {
    to[i] = static_cast<float>(data_.data()[i] - form_.zero_point) * form_.scale;
  }
  return map;
}

Result<CnnMap> CnnMap::to_bytes(const model::CnnActivation& form) const {
  assert(!is_bytes_);
  AMBRY_TRY(CnnMap map, of_bytes(shape_, form));
  kernels::quantize_static<simd::Baseline>(floats(), form.scale, form.zero_point, map.data_.data());
  return map;
}

}  // namespace ambry::infer
