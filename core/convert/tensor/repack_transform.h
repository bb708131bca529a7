// Makes a tensor out of the same codes and scales in another order (tensor/codec/repack.h).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "convert/tensor/tensor_transform.h"
#include "model/model.h"
#include "tensor/dtype.h"

namespace ambry::convert {

// Whether a tensor stored like this can be re-packed for the other side: the type that it becomes.
// ggml's blocks become AMB's payloads, and payloads blocks.
[[nodiscard]] std::optional<tensor::DType> repacked_type(const model::TensorEntry& tensor);

// The inputs of an Output that re-packs `tensor`: itself, or where its scales or its prefix come
// first, the parts that have rows of their own.
[[nodiscard]] Result<std::vector<model::TensorEntry>> repacked_parts(
    const model::TensorEntry& tensor);

[[nodiscard]] std::unique_ptr<TensorTransform> begin_repacking(const Output& output,
                                                               const model::TensorEntry& target);

}  // namespace ambry::convert
