#include "infer/decoder/plan/device_matrix.h"

#include <algorithm>

#include "tensor/codec/codes/codec_layout.h"

namespace ambry::infer {
namespace {

using tensor::DType;

Failure unsupported(const PlannedTensor& tensor, const Text& why) {
  return make_error(ErrorCode::Unsupported, tensor.name, why);
}

// Kernels read four codes at a time.
bool is_readable(const PlannedTensor& tensor, const tensor::Quantization& how) {
  if (how.minima || (how.across_rows && how.block_size > 0)) return false;
  return tensor.stored_as == DType::Int8 ? tensor.cols % 4 == 0 && how.block_size % 4 == 0
                                         : how.block_size % 8 == 0;
}

}  // namespace

Result<DeviceMatrix> device_matrix(const PlannedTensor& tensor) {
  const std::string_view type = tensor::dtype_name(tensor.stored_as);
  const auto* const place = std::ranges::find(kDeviceTypes, tensor.stored_as);
  if (place == kDeviceTypes.end()) {
    return unsupported(tensor, {"a device cannot multiply by ", type});
  }
  const bool is_plain = tensor::is_plain(tensor.stored_as);
  const bool is_amb = !is_plain && tensor::block_of(tensor.stored_as).elements == 0;
  const tensor::Quantization how = tensor.quantization.value_or(tensor::Quantization());
  if ((tensor.transposed && !is_plain) || (is_amb && !is_readable(tensor, how))) {
    return unsupported(tensor, {"a device cannot read this layout of ", type});
  }
  DeviceMatrix matrix = {static_cast<double>(tensor.tensor),
                         static_cast<double>(place - kDeviceTypes.begin()),
                         static_cast<double>(tensor.rows),
                         static_cast<double>(tensor.cols),
                         tensor.factor,
                         tensor.transposed ? 1.0 : 0.0};
  if (!is_amb) return matrix;
  AMBRY_TRY(const tensor::PayloadLayout layout,
            tensor::payload_layout(tensor.stored_as, {tensor.rows, tensor.cols}, how));
  matrix[6] = how.block_size;
  matrix[7] = layout.scale_bytes;
  matrix[8] = static_cast<double>(layout.scales_at);
  matrix[9] = static_cast<double>(layout.codes_at);
  return matrix;
}

}  // namespace ambry::infer
