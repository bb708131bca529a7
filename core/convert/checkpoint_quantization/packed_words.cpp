#include "convert/checkpoint_quantization/packed_words.h"

#include <algorithm>

namespace ambry::convert {

using tensor::DType;

Result<uint64_t> columns_of_group(const QuantizedTensors& tensors, double stated) {
  if (stated == -1) return 0;
  if (stated >= 1 && stated <= UINT32_MAX) return static_cast<uint64_t>(stated);
  return tensors.settings().fail("group_size", ErrorCode::BadValue,
                                 "expected -1 or a number of columns");
}

Result<PackedMatrix> take_packed_words(QuantizedTensors& tensors, const std::string& module) {
  const std::string codes = module + ".qweight";
  PackedMatrix matrix;
  matrix.name = module + ".weight";
  AMBRY_TRY(matrix.code_input, tensors.take(codes, codes, "the codes"));
  AMBRY_TRY(matrix.scale.input, tensors.take(module + ".scales", codes, "the scales"));
  matrix.zero_point.emplace();
  AMBRY_TRY(matrix.zero_point->input, tensors.take(module + ".qzeros", codes, "the zero points"));
  AMBRY_RETURN_IF_ERROR(expect_type(matrix.code_input, {DType::I32, DType::U32}));
  AMBRY_RETURN_IF_ERROR(expect_type(matrix.zero_point->input, {DType::I32, DType::U32}));
  AMBRY_RETURN_IF_ERROR(expect_floats(matrix.scale.input));
  matrix.scale.groups_first = true;
  return matrix;
}

Result<std::string> set_column_groups(uint64_t size, uint32_t bits, PackedMatrix& matrix) {
  matrix.shape = {matrix.rows, matrix.cols};
  matrix.group = size == 0 ? matrix.cols : std::min(size, matrix.cols);
  const uint64_t groups = matrix.groups();
  std::string why =
      concat({"because ", matrix.cols, " columns have ", groups, " groups of ", matrix.group});
  AMBRY_RETURN_IF_ERROR(expect_shape(matrix.scale.input, {groups, matrix.rows}, why));
  AMBRY_RETURN_IF_ERROR(
      expect_shape(matrix.zero_point->input, {groups, matrix.rows * bits / 32}, why));
  return why;
}

}  // namespace ambry::convert
