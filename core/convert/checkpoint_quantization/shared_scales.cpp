#include "convert/checkpoint_quantization/shared_scales.h"

#include <algorithm>

namespace ambry::convert {

Result<void> share_scales(const ScaleBlock& block, PackedMatrix& matrix) {
  const tensor::Shape& shape = matrix.scale.input.tensor.shape;
  const uint64_t n_scales = shape.count().value_or(0);
  if (n_scales == 1) {
    matrix.rows_each = matrix.rows;
    matrix.group = matrix.cols;
    return {};
  }
  const uint64_t columns = block.columns == 0 ? matrix.cols : block.columns;
  matrix.rows_each = block.rows;
  matrix.group = std::min(columns, matrix.cols);
  const bool by_row = matrix.scale_rows() == matrix.rows && matrix.groups() == 1;
  if (by_row && shape == tensor::Shape{matrix.rows}) return {};
  // Where blocks are stated, each row may have a scale nevertheless.
  if (shape == tensor::Shape{matrix.rows, 1} || shape == tensor::Shape{matrix.rows}) {
    matrix.rows_each = 1;
    matrix.group = matrix.cols;
    return {};
  }
  return expect_shape(matrix.scale.input, {matrix.scale_rows(), matrix.groups()},
                      {"because ", matrix.rows, " rows and ", matrix.cols,
                       " columns have groups of ", matrix.rows_each, " by ", matrix.group});
}

void leave_out_activation_scales(QuantizedTensors& tensors) {
  for (const char* ending : {".input_scale", ".input_zero_point", ".output_scale",
                             ".activation_scale", ".input_scale_ub", ".k_scale", ".v_scale"}) {
    tensors.leave_out(ending);
  }
}

Result<void> shape_by_bytes(Packing packing, PackedMatrix& matrix) {
  const model::TensorEntry& codes = matrix.code_input.tensor;
  const size_t rank = codes.shape.rank();
  if (rank < 2) {
    return error_at(ErrorCode::Mismatch, codes.index_offset, codes.name,
                    {"shape is ", to_string(codes.shape), ", expected a matrix"});
  }
  matrix.shape = codes.shape;
  matrix.cols = codes.shape[rank - 1];
  matrix.rows = codes.shape.count().value_or(0) / matrix.cols;
  matrix.codes = {packing, 8, matrix.rows, matrix.cols};
  return {};
}

}  // namespace ambry::convert
