// AWQ in the layout `gemm`: `qweight` is [in, out / 8] and packs 8 neighboring outputs into a word,
// in an order of its own; `qzeros` likewise for each group, and `scales` is [groups, out]. A weight
// is (code - zero point) * scale.
#include "convert/checkpoint_quantization/methods.h"
#include "convert/checkpoint_quantization/packed_words.h"

namespace ambry::convert {
namespace {

using tensor::DType;

constexpr uint32_t kAwqBits = 4;
constexpr uint64_t kAwqColumns = 8;  // in a word

// The columns of a group; 0: all.
Result<uint64_t> awq_group_size(const QuantizedTensors& tensors) {
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
  return columns_of_group(tensors, group_size);
}

Result<void> take_awq_module(QuantizedTensors& tensors, uint64_t group_size,
                             const std::string& module, bool keeps_codes) {
  AMBRY_TRY(PackedMatrix matrix, take_packed_words(tensors, module));
  const model::TensorEntry& codes = matrix.code_input.tensor;
  if (codes.shape.rank() != 2 || codes.shape[1] > UINT32_MAX) {
    return error_at(ErrorCode::Mismatch, codes.index_offset, codes.name,
                    {"shape is ", to_string(codes.shape), ", expected a matrix"});
  }
  matrix.cols = codes.shape[0];
  matrix.rows = codes.shape[1] * kAwqColumns;
  AMBRY_RETURN_IF_ERROR(set_column_groups(group_size, kAwqBits, matrix));
  matrix.codes = {Packing::AwqColumns, kAwqBits, matrix.rows, matrix.cols};
  matrix.zero_point->packed =
      PackedCodes{Packing::AwqColumns, kAwqBits, matrix.rows, matrix.groups()};
  matrix.least = -15;
  matrix.largest = 15;
  return tensors.add(keeps_codes, std::move(matrix));
}

}  // namespace

Result<void> take_awq(QuantizedTensors& tensors, bool keeps_codes) {
  AMBRY_TRY(const uint64_t group_size, awq_group_size(tensors));
  for (const std::string& module : tensors.modules(".qweight")) {
    AMBRY_RETURN_IF_ERROR(take_awq_module(tensors, group_size, module, keeps_codes));
  }
  return {};
}

}  // namespace ambry::convert
