// The table entry of a tensor that is to be written.
#pragma once

#include <string_view>

#include "model/file/model.h"
#include "tensor/dtype/dtype.h"
#include "tensor/dtype/shape.h"

namespace ambry::model {

// A tensor whose place in the file is not known yet.
[[nodiscard]] inline TensorEntry new_tensor(std::string_view name, tensor::DType dtype,
                                            const tensor::Shape& shape) {
  TensorEntry entry;
  entry.name = name;
  entry.dtype = dtype;
  entry.shape = shape;
  return entry;
}

}  // namespace ambry::model
