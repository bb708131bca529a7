#include "tensor/shape.h"

namespace ambry::tensor {

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (size_t axis = 0; axis < shape.rank(); ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(shape[axis]);
  }
  return text + ']';
}

}  // namespace ambry::tensor
