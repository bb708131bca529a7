// What flows between the layers of a convolutional network: planes of floats, or of bytes that
// stand for floats.
#pragma once

#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "model/cnn/cnn_graph.h"

namespace ambry::infer {

class CnnMap {
 public:
  // Not initialised. LimitExceeded when the heap cannot hold them.
  [[nodiscard]] static Result<CnnMap> of_floats(const model::CnnShape& shape);
  [[nodiscard]] static Result<CnnMap> of_bytes(const model::CnnShape& shape,
                                               const model::CnnActivation& form);

  [[nodiscard]] const model::CnnShape& shape() const { return shape_; }
  // Another shape of as many numbers.
  void reshape(const model::CnnShape& shape) { shape_ = shape; }
  [[nodiscard]] bool is_bytes() const { return is_bytes_; }
  [[nodiscard]] const model::CnnActivation& form() const { return form_; }  // of bytes

  [[nodiscard]] std::span<float> floats() { return data_.as<float>(); }
  [[nodiscard]] std::span<const float> floats() const { return data_.as<float>(); }
  [[nodiscard]] MutableBytes bytes() { return data_.bytes(); }
  [[nodiscard]] Bytes bytes() const { return data_.bytes(); }  // of floats: as they lie in memory

  [[nodiscard]] Result<CnnMap> copy() const;
  [[nodiscard]] Result<CnnMap> to_floats() const;
  [[nodiscard]] Result<CnnMap> to_bytes(const model::CnnActivation& form) const;  // of floats

 private:
  model::CnnShape shape_;
  bool is_bytes_ = false;
  model::CnnActivation form_;
  AlignedBuffer data_;
};

}  // namespace ambry::infer
