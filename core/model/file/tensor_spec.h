// A tensor that a model must or may have, and the check of a stored tensor against it.
#pragma once

#include <string>

#include "io/diagnostics.h"
#include "model/file/model.h"
#include "tensor/dtype/shape.h"

namespace ambry::model {

struct TensorSpec {
  std::string name;     // canonical name
  tensor::Shape shape;  // for matrices of linear layers: [out, in]
  bool linear = false;  // whether it is a weight matrix to which LinearLayout applies
  bool optional = false;
};

// The shape in which a model of this layout stores the tensor.
[[nodiscard]] tensor::Shape stored_shape(const TensorSpec& spec, LinearLayout layout);

// The path `tensors[3]`, for errors about a tensor of the model.
[[nodiscard]] std::string path_of(const Model& model, const TensorEntry& tensor);

// Whether `tensor` meets the spec; nullptr means that the model does not have it. Adds an error
// that names the expected shape when the shape differs, or when a required tensor is missing.
bool check_tensor(const Model& model, const TensorEntry* tensor, const TensorSpec& spec,
                  io::Diagnostics& diagnostics);

}  // namespace ambry::model
