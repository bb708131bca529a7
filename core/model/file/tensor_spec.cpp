#include "model/file/tensor_spec.h"

namespace ambry::model {

using tensor::Shape;

Shape stored_shape(const TensorSpec& spec, LinearLayout layout) {
  if (!spec.linear || layout == LinearLayout::OutIn) return spec.shape;
  return Shape{spec.shape[1], spec.shape[0]};
}

std::string path_of(const Model& model, const TensorEntry& tensor) {
  return concat({"tensors[", static_cast<size_t>(&tensor - model.tensors.data()), "]"});
}

bool check_tensor(const Model& model, const TensorEntry* tensor, const TensorSpec& spec,
                  io::Diagnostics& diagnostics) {
  const Shape expected = stored_shape(spec, model.linear_layout);
  if (tensor == nullptr) {
    if (!spec.optional) {
      diagnostics.error(
          make_error(ErrorCode::NotFound, "tensors",
                     {"the tensor ", spec.name, " ", to_string(expected), " is missing"}));
    }
    return false;
  }
  if (tensor->shape == expected) return true;
  const bool transposed =
      spec.linear && tensor->shape.rank() == 2 && tensor->shape == Shape{expected[1], expected[0]};
  diagnostics.error(error_at(ErrorCode::Mismatch, tensor->index_offset,
                             {path_of(model, *tensor), ".shape"},
                             {tensor->name, " is ", to_string(tensor->shape), ", expected ",
                              to_string(expected), transposed ? "; it is stored transposed" : ""}));
  return false;
}

}  // namespace ambry::model
