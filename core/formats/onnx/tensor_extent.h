// How many elements a tensor has, and how many bytes they take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/onnx/onnx_model.h"
#include "tensor/dtype/dtype.h"
#include "tensor/dtype/shape.h"

namespace ambry::formats::onnx {

// Nothing when an extent is negative or the product passes 64 bits.
[[nodiscard]] std::optional<uint64_t> element_count(const OnnxModel& model, const Tensor& tensor);
// Bytes of raw data of that many elements. Elements of fewer than 8 bits fill bytes. Nothing for
// texts, and past 64 bits.
[[nodiscard]] std::optional<uint64_t> raw_bytes(DataType type, uint64_t n_elements);
// How many numbers a typed field has for that many elements: two for a complex one, one for the
// elements that share a byte.
[[nodiscard]] std::optional<uint64_t> typed_numbers(DataType type, uint64_t n_elements);
// The typed field that holds elements of this type.
[[nodiscard]] uint8_t typed_field(DataType type);

// The type in which elements of raw data lie. Nothing for those that no other format has.
[[nodiscard]] std::optional<tensor::DType> dtype_of(DataType type);
// Nothing when there are more than 8 extents, or a negative one.
[[nodiscard]] std::optional<tensor::Shape> shape_of(const OnnxModel& model, const Tensor& tensor);

// `float[2,3]`.
[[nodiscard]] std::string tensor_words(const OnnxModel& model, const Tensor& tensor);

}  // namespace ambry::formats::onnx
