#include "convert/tensor/target_dtype.h"

#include <algorithm>
#include <utility>

#include "convert/tensor/repack_transform.h"
#include "tensor/codec/blocks/blocks.h"
#include "tensor/codec/repack.h"

namespace ambry::convert {
namespace {

using model::TensorEntry;
using tensor::DType;

bool is_supported(std::span<const DType> supported, DType dtype) {
  return std::ranges::find(supported, dtype) != supported.end();
}

// Whether the values stay as they are stored, in their order.
bool keeps_bytes(const Output& output) {
  return !output.transpose && output.change.apply == nullptr;
}

void convert_to(DType dtype, Output& output, TensorEntry& target) {
  target.dtype = dtype;
  target.quantization.reset();
  const bool same = output.inputs.front().tensor.dtype == dtype && keeps_bytes(output);
  output.method = same ? Method::Copy : Method::Convert;
}

// Whether the codes and scales can be kept, in another order.
Result<bool> repack(std::span<const DType> supported, Output& output, TensorEntry& target) {
  const Input from = output.inputs.front();
  const auto dtype = repacked_type(from.tensor);
  if (!dtype || !is_supported(supported, *dtype) || !keeps_bytes(output)) return false;
  AMBRY_TRY(const auto parts, repacked_parts(from.tensor));
  output.method = Method::Repack;
  output.inputs.clear();
  for (const TensorEntry& part : parts) output.inputs.push_back({part, from.file});
  target.dtype = *dtype;
  target.quantization.reset();
  if (tensor::block_of(*dtype).elements == 0) target.quantization = tensor::kRepackedQuantization;
  return true;
}

// Codes with separate scales become INT8 if its blocks can match the groups, else floats.
// floats that they stand for.
void store_groups(std::span<const DType> supported, Output& output, TensorEntry& target) {
  const uint64_t n_scales = output.scale->tensor.shape.count().value_or(1);
  const uint64_t group = target.shape.count().value_or(0) / n_scales;
  const uint64_t cols = target.shape[target.shape.rank() - 1];
  if (!is_supported(supported, DType::Int8) || cols % group != 0 || group > UINT16_MAX) {
    return convert_to(DType::F32, output, target);
  }
  output.method = Method::Repack;
  target.dtype = DType::Int8;
  target.quantization =
      tensor::Quantization{static_cast<uint16_t>(group), output.scale->tensor.dtype};
}

}  // namespace

Result<void> lose(const Options& options, std::vector<Error>& warnings, Failure loss) {
  if (!options.lossy) return loss;
  warnings.push_back(std::move(loss));
  return {};
}

bool can_become_floats(const TensorEntry& tensor) {
  return is_plain(tensor.dtype) || tensor::can_decode_blocks(tensor.dtype) ||
         tensor.quantization.has_value();
}

Result<void> store_as(std::span<const DType> supported, const Options& options, Output& output,
                      TensorEntry& target, std::vector<Error>& warnings) {
  const TensorEntry from = output.inputs.front().tensor;
  const auto refuse = [&](const Text& why) {
    return error_at(ErrorCode::Unsupported, from.index_offset, from.name, why);
  };
  if (options.dtype == DType::Int8) {
    return refuse(
        {"int8 for ", options.to, " is made by quantizing; use quantize instead of a dtype"});
  }
  if (options.dtype) {
    if (!is_supported(supported, *options.dtype)) {
      return refuse({options.to, " cannot store ", dtype_name(*options.dtype)});
    }
    if (!can_become_floats(from)) {
      return refuse({dtype_name(from.dtype), " cannot be converted"});
    }
    convert_to(*options.dtype, output, target);
    return {};
  }
  if (output.scale) {
    store_groups(supported, output, target);
    return {};
  }
  if (is_supported(supported, from.dtype) && keeps_bytes(output)) {
    target.dtype = from.dtype;
    target.quantization = from.quantization;
    output.method = Method::Copy;
    return {};
  }
  AMBRY_TRY(const bool repacked, repack(supported, output, target));
  if (repacked) return {};
  if (!can_become_floats(from)) {
    return refuse({options.to, " cannot store ", dtype_name(from.dtype),
                   ", and this type cannot be converted"});
  }
  // Only transposed or multiplied.
  if (is_float(from.dtype) && is_supported(supported, from.dtype)) {
    convert_to(from.dtype, output, target);
    return {};
  }
  if (options.quantize) {  // which loses more, and reports it
    convert_to(DType::F16, output, target);
    return {};
  }
  AMBRY_RETURN_IF_ERROR(lose(
      options, warnings,
      refuse(
          {options.to, " cannot store ", dtype_name(from.dtype),
           (options.lossy ? "; it became f16" : "; choose f32 or f16, or a lossy conversion")})));
  convert_to(DType::F16, output, target);
  return {};
}

}  // namespace ambry::convert
