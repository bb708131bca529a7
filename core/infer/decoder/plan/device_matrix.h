// The form in which a device gets a matrix: the bytes of its tensor, as they lie in the file.
#pragma once

#include <array>

#include "base/result.h"
#include "infer/decoder/weights/weight_plan.h"

namespace ambry::infer {

// The number of the tensor in the file, its type as its place in kDeviceTypes, rows, columns,
// factor, whether it is transposed; and for quantized types of AMB the values that share a scale,
// bytes of a scale, and where scales and codes lie (tensor/codec/codes/codec_layout.h).
using DeviceMatrix = std::array<double, 10>;

inline constexpr std::array kDeviceTypes = {
    tensor::DType::F32,  tensor::DType::F16,  tensor::DType::BF16,
    tensor::DType::Q8_0, tensor::DType::Q4_0, tensor::DType::Q4_K,
    tensor::DType::Q6_K, tensor::DType::Int8, tensor::DType::Int4Block};

// Unsupported for types and layouts that no kernel reads, with the tensor's name.
[[nodiscard]] Result<DeviceMatrix> device_matrix(const PlannedTensor& tensor);

}  // namespace ambry::infer
