// FP8 with scales, as DeepSeek, Qwen and vLLM write it: `weight` holds 8-bit floats, and
// `weight_scale_inv` or `weight_scale` the number by which they are multiplied, for the matrix, for
// each row, or for blocks of 128 by 128.
#include "convert/checkpoint_quantization/methods.h"
#include "convert/checkpoint_quantization/shared_scales.h"

namespace ambry::convert {
namespace {

using tensor::DType;

constexpr uint64_t kUsualBlock = 128;

bool is_fp8(const model::TensorEntry& tensor) {
  using enum DType;
  return tensor.dtype == F8E4M3 || tensor.dtype == F8E5M2 || tensor.dtype == F8E4M3Fnuz ||
         tensor.dtype == F8E5M2Fnuz;
}

Result<ScaleBlock> block_of_scales(const QuantizedTensors& tensors) {
  const io::Json* size = tensors.settings().json().find("weight_block_size");
  if (size == nullptr || size->is_null()) return ScaleBlock{kUsualBlock, kUsualBlock};
  const bool pair = size->is_array() && size->items().size() == 2 && size->items()[0].is_uint() &&
                    size->items()[1].is_uint() && size->items()[0].uint() > 0 &&
                    size->items()[1].uint() > 0;
  if (pair) return ScaleBlock{size->items()[0].uint(), size->items()[1].uint()};
  return tensors.settings().fail("weight_block_size", ErrorCode::BadValue,
                                 "expected two numbers above 0");
}

}  // namespace

Result<void> take_fp8(QuantizedTensors& tensors, bool keeps_codes) {
  AMBRY_TRY(const ScaleBlock block, block_of_scales(tensors));
  for (const std::string& module : tensors.modules(".weight", is_fp8)) {
    PackedMatrix matrix;
    matrix.name = module + ".weight";
    AMBRY_TRY(matrix.code_input, tensors.take(matrix.name, matrix.name, "the codes"));
    AMBRY_RETURN_IF_ERROR(expect_type(matrix.code_input, {DType::F8E4M3, DType::F8E5M2}));
    const std::string inverse = module + ".weight_scale_inv";
    const std::string scale = tensors.has(inverse) ? inverse : module + ".weight_scale";
    AMBRY_TRY(matrix.scale.input, tensors.take(scale, matrix.name, "the scales"));
    AMBRY_RETURN_IF_ERROR(expect_floats(matrix.scale.input));
    AMBRY_RETURN_IF_ERROR(shape_by_bytes(Packing::Bytes, matrix));
    AMBRY_RETURN_IF_ERROR(share_scales(block, matrix));
    matrix.table = CodeTable::Fp8;
    AMBRY_RETURN_IF_ERROR(tensors.add(keeps_codes, std::move(matrix)));
  }
  leave_out_activation_scales(tensors);
  return {};
}

}  // namespace ambry::convert
