// AWQ in the layout `gemm`: `qweight` is [in, out / 8] and packs 8 neighboring outputs into a word,
// in an order of its own; `qzeros` likewise for each group, and `scales` is [groups, out]. A weight
// is (code - zero point) * scale.
#include <algorithm>

#include "convert/checkpoint_quantization/methods.h"

namespace ambry::convert {
namespace {

using tensor::DType;

constexpr uint32_t kAwqBits = 4;
constexpr uint64_t kAwqColumns = 8;  // in a word

struct AwqSettings {
  uint64_t group_size = 0;  // 0: all columns
};

Result<AwqSettings> awq_settings(const QuantizedTensors& tensors) {
  const formats::huggingface::FileValues& values = tensors.settings();
  uint32_t bits = kAwqBits;
  double group_size = 128;
  bool zero_point = true;
  std::string version = "gemm";
  AMBRY_RETURN_IF_ERROR(values.read({{"bits", bits},
                                     {"group_size", group_size},
                                     {"zero_point", zero_point},
                                     {"version", version}}));
  AMBRY_RETURN_IF_ERROR(expect_bits(tensors, bits, {kAwqBits}));
  if (version != "gemm" && version != "GEMM") {
    return values.fail("version", ErrorCode::Unsupported,
                       {"the layout \"", version, "\" is not supported; gemm is"});
  }
  if (!zero_point) {
    return values.fail("zero_point", ErrorCode::Unsupported,
                       "AWQ without zero points is not supported");
  }
  if (group_size != -1 && !(group_size >= 1 && group_size <= UINT32_MAX)) {
    return values.fail("group_size", ErrorCode::BadValue, "expected -1 or a number of columns");
  }
  return AwqSettings{group_size < 0 ? 0 : static_cast<uint64_t>(group_size)};
}

Result<void> take_awq_module(QuantizedTensors& tensors, const AwqSettings& settings,
                             const std::string& module, bool keeps_codes) {
  const std::string codes_name = module + ".qweight";
  PackedMatrix matrix;
  matrix.name = module + ".weight";
  AMBRY_TRY(matrix.code_input, tensors.take(codes_name, codes_name, "the codes"));
  AMBRY_TRY(matrix.scale.input, tensors.take(module + ".scales", codes_name, "the scales"));
  matrix.zero_point.emplace();
  AMBRY_TRY(matrix.zero_point->input,
            tensors.take(module + ".qzeros", codes_name, "the zero points"));
  AMBRY_RETURN_IF_ERROR(expect_type(matrix.code_input, {DType::I32, DType::U32}));
  AMBRY_RETURN_IF_ERROR(expect_type(matrix.zero_point->input, {DType::I32, DType::U32}));
  AMBRY_RETURN_IF_ERROR(expect_floats(matrix.scale.input));
  const model::TensorEntry& codes = matrix.code_input.tensor;
  if (codes.shape.rank() != 2 || codes.shape[1] > UINT32_MAX) {
    return error_at(ErrorCode::Mismatch, codes.index_offset, codes.name,
                    {"shape is ", to_string(codes.shape), ", expected a matrix"});
  }
  matrix.cols = codes.shape[0];
  matrix.rows = codes.shape[1] * kAwqColumns;
  matrix.shape = {matrix.rows, matrix.cols};
  matrix.group =
      settings.group_size == 0 ? matrix.cols : std::min(settings.group_size, matrix.cols);
  const uint64_t groups = matrix.groups();
  const std::string why =
      concat({"because ", matrix.cols, " columns have ", groups, " groups of ", matrix.group});
  AMBRY_RETURN_IF_ERROR(expect_shape(matrix.scale.input, {groups, matrix.rows}, why));
  AMBRY_RETURN_IF_ERROR(
      expect_shape(matrix.zero_point->input, {groups, matrix.rows / kAwqColumns}, why));
  matrix.codes = {Packing::AwqColumns, kAwqBits, matrix.rows, matrix.cols};
  matrix.scale.groups_first = true;
  matrix.zero_point->packed = PackedCodes{Packing::AwqColumns, kAwqBits, matrix.rows, groups};
  matrix.least = -15;
  matrix.largest = 15;
  return tensors.add(keeps_codes, std::move(matrix));
}

}  // namespace

Result<void> take_awq(QuantizedTensors& tensors, bool keeps_codes) {
  AMBRY_TRY(const AwqSettings settings, awq_settings(tensors));
  for (const std::string& module : tensors.modules(".qweight")) {
    AMBRY_RETURN_IF_ERROR(take_awq_module(tensors, settings, module, keeps_codes));
  }
  return {};
}

}  // namespace ambry::convert
