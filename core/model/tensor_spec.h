// One tensor that a model must or may have, and the check of a stored tensor against it.
#pragma once

#include <string>

#include "io/diagnostics.h"
#include "model/model.h"
#include "tensor/shape.h"

namespace ambry::model {

struct TensorSpec {
  std::string name;     // canonical
  tensor::Shape shape;  // matrices of linear layers as [out, in]
  bool linear = false;  // a weight matrix that LinearLayout speaks about
  bool optional = false;
};

// The shape in which a model of this layout stores the tensor.
[[nodiscard]] tensor::Shape stored_shape(const TensorSpec& spec, LinearLayout layout);

// `tensors[3]`, for errors about a tensor of the model.
[[nodiscard]] std::string path_of(const Model& model, const TensorEntry& tensor);

// Whether `tensor`, nullptr when the model has none, meets the spec. Adds an error that names the
// expected shape when it has another or is absent without being optional.
bool check_tensor(const Model& model, const TensorEntry* tensor, const TensorSpec& spec,
                  io::Diagnostics& diagnostics);

}  // namespace ambry::model
