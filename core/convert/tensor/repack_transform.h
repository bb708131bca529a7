// Makes a tensor from the same codes and scales in another order (tensor/codec/repack.h).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "convert/tensor/tensor_transform.h"
#include "model/file/model.h"
#include "tensor/dtype/dtype.h"

namespace ambry::convert {

// The type that a tensor stored like this can be repacked to, if any. ggml's blocks become AMB's
// payloads and the reverse.
[[nodiscard]] std::optional<tensor::DType> repacked_type(const model::TensorEntry& tensor);

// The inputs of an Output that repacks `tensor`: the tensor itself, or its parts with rows of their
// own if its scales or a prefix come first.
[[nodiscard]] Result<std::vector<model::TensorEntry>> repacked_parts(
    const model::TensorEntry& tensor);

[[nodiscard]] std::unique_ptr<TensorTransform> begin_repacking(const Output& output,
                                                               const model::TensorEntry& target);

}  // namespace ambry::convert
