#include "tensor/dtype/shape.h"

#include "base/concat.h"

namespace ambry::tensor {

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (size_t axis = 0; axis < shape.rank(); ++axis) {
    if (axis > 0) text += ", ";
    Piece(shape[axis]).append_to(text);
  }
  return text + ']';
}

}  // namespace ambry::tensor
