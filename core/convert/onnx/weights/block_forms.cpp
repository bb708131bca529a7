// Operators of com.microsoft that multiply with, or take rows of, a matrix of blocks.
//
//   MatMulNBits(A, B, scales, zero_points, g_idx, bias): B is [N, blocks, bytes of a block], a
//     stream of bits from the lowest on; zero points likewise, each row in whole bytes; without
//     them half the range
//   MatMulBnb4(A, B, absmax): B is a list of N x K codes, the first of a byte in its high half
//   GatherBlockQuantized(data, indices, scales, zero_points): data is [rows, columns]
#include <algorithm>
#include <utility>

#include "convert/onnx/weights/affine_matrix.h"
#include "convert/onnx/weights/constant_values.h"
#include "convert/onnx/weights/product_forms.h"
#include "convert/onnx/weights/quantized_forms.h"

namespace ambry::convert::onnx {

using formats::onnx::DataType;
using formats::onnx::kNoName;
using formats::onnx::Node;
using formats::onnx::Tensor;

namespace {

constexpr std::string_view kMicrosoft = "com.microsoft";
constexpr int64_t kLargestExtent = int64_t{1} << 31;

Result<uint64_t> extent_of(const OnnxFile& file, const Node& node, std::string_view attribute) {
  const int64_t value = file.int_of(node, attribute, 0);
  if (value > 0 && value <= kLargestExtent) return static_cast<uint64_t>(value);
  return file.refuse(node, {"its attribute ", attribute, " is not a number above 0"});
}

// As onnxruntime demands it.
Result<uint64_t> block_size_of(const OnnxFile& file, const Node& node, int64_t usual) {
  const int64_t block = file.int_of(node, "block_size", usual);
  const bool is_power = block >= 16 && block <= kLargestExtent && (block & (block - 1)) == 0;
  if (is_power) return static_cast<uint64_t>(block);
  return file.refuse(node, "its block_size is no power of 2 from 16 on");
}

// A constant input of this type.
Result<const Tensor*> constant_input(const OnnxFile& file, const Node& node, size_t number) {
  const Tensor* tensor = file.constant(file.input(node, number));
  if (tensor != nullptr) return tensor;
  return file.refuse(node, {"its input ", number, " is no constant"});
}

// Unsupported unless the tensor has so many numbers.
Result<void> expect_count(const OnnxFile& file, const Node& node, const Tensor& tensor,
                          uint64_t count) {
  AMBRY_TRY(const tensor::Shape shape, stated_shape(file, tensor));
  if (shape.count() == count) return {};
  return file.refuse(node, {"its input ", file.model().names[tensor.name], " has the shape ",
                            to_string(shape), ", expected ", count, " numbers"});
}

// Sets the codes and scales of blocks that divide rows.
Result<void> set_blocks(const OnnxFile& file, const Node& node, const Tensor& codes,
                        const Tensor& scales, PackedMatrix& matrix) {
  const uint64_t count = matrix.groups() * matrix.group;
  matrix.shape = {matrix.rows, matrix.cols};
  AMBRY_TRY(matrix.code_input, input_of(file, codes));
  AMBRY_TRY(matrix.scale, shared_numbers(file, scales));
  AMBRY_RETURN_IF_ERROR(expect_float_type(file, node, scales));
  matrix.codes.packing = Packing::ByteLines;
  matrix.codes.lines = matrix.rows;
  matrix.codes.count = count;
  return expect_count(file, node, scales, matrix.rows * matrix.groups());
}

Result<uint32_t> bits_of(const OnnxFile& file, const Node& node) {
  const int64_t bits = file.int_of(node, "bits", 4);
  if (bits == 2 || bits == 4 || bits == 8) return static_cast<uint32_t>(bits);
  return file.refuse(node, "known are 2, 4 and 8 bits");
}

// The constant whose rows are taken. Tied models reshape the codes of a MatMulNBits.
struct Table {
  const Tensor* codes = nullptr;
  tensor::Shape shape;
  bool reshaped = false;
};

Result<Table> table_of(const OnnxFile& file, const Node& node) {
  Table table;
  const Node* reshape = file.producer(file.input(node, 0));
  if (reshape == nullptr || !file.model().is(*reshape, "Reshape")) {
    AMBRY_TRY(table.codes, constant_input(file, node, 0));
    AMBRY_TRY(table.shape, stated_shape(file, *table.codes));
    return table;
  }
  table.reshaped = true;
  AMBRY_TRY(table.codes, constant_input(file, *reshape, 0));
  AMBRY_TRY(const Tensor* extents, constant_input(file, *reshape, 1));
  AMBRY_TRY(const SharedNumbers numbers, shared_numbers(file, *extents));
  for (const float extent : numbers.given) {
    if (extent < 1 || table.shape.rank() == 2) {
      return file.refuse(*reshape, "its shape is not two numbers above 0");
    }
    table.shape.push_back(static_cast<uint64_t>(extent));
  }
  AMBRY_RETURN_IF_ERROR(
      expect_count(file, *reshape, *table.codes, table.shape.count().value_or(0)));
  return table;
}

Result<std::optional<OnnxWeight>> bias_of(const OnnxFile& file, const Node& node, size_t number,
                                          uint64_t count) {
  if (file.input(node, number) == kNoName) return std::optional<OnnxWeight>();
  AMBRY_TRY(auto bias, find_weight(file, file.input(node, number)));
  if (bias && bias->shape() == tensor::Shape{count}) return bias;
  return file.refuse(node, {"its bias is no list of ", count, " constants"});
}

}  // namespace

Result<PackedMatrix> matrix_of_nbits(const OnnxFile& file, const Node& node) {
  PackedMatrix matrix;
  AMBRY_TRY(matrix.rows, extent_of(file, node, "N"));
  AMBRY_TRY(matrix.cols, extent_of(file, node, "K"));
  AMBRY_TRY(matrix.group, block_size_of(file, node, 0));
  AMBRY_TRY(matrix.codes.bits, bits_of(file, node));
  if (file.input(node, 4) != kNoName) {
    return file.refuse(node, "columns in groups that g_idx lists are not supported");
  }
  if (file.int_of(node, "weight_prepacked", 0) != 0) {
    return file.refuse(node, "weights in the order of a kernel (weight_prepacked)");
  }
  AMBRY_TRY(const Tensor* codes, constant_input(file, node, 1));
  AMBRY_TRY(const Tensor* scales, constant_input(file, node, 2));
  if (codes->type != DataType::Uint8) return file.refuse(node, "its codes are no uint8");
  const uint64_t blocks = matrix.groups();
  AMBRY_RETURN_IF_ERROR(expect_count(
      file, node, *codes, matrix.rows * blocks * (matrix.group * matrix.codes.bits / 8)));
  AMBRY_RETURN_IF_ERROR(set_blocks(file, node, *codes, *scales, matrix));
  ZeroPoints zeros{nullptr, {Packing::ByteLines, matrix.codes.bits, matrix.rows, blocks}, 0};
  zeros.absent = 1 << (matrix.codes.bits - 1);
  if (file.input(node, 3) != kNoName) {
    AMBRY_TRY(zeros.tensor, constant_input(file, node, 3));
    if (zeros.tensor->type != DataType::Uint8) {
      return file.refuse(node, "zero points that are no uint8 are not supported");
    }
    AMBRY_RETURN_IF_ERROR(
        expect_count(file, node, *zeros.tensor, matrix.rows * bytes_of_line(zeros.packed)));
  }
  AMBRY_RETURN_IF_ERROR(set_zero_points(file, node, zeros, matrix));
  matrix.group = std::min(matrix.group, matrix.cols);
  matrix.method = concat({"MatMulNBits ", matrix.codes.bits, "-bit"});
  return matrix;
}

Result<PackedMatrix> matrix_of_bnb4(const OnnxFile& file, const Node& node) {
  PackedMatrix matrix;
  AMBRY_TRY(matrix.rows, extent_of(file, node, "N"));
  AMBRY_TRY(matrix.cols, extent_of(file, node, "K"));
  AMBRY_TRY(matrix.group, block_size_of(file, node, 0));
  const int64_t type = file.int_of(node, "quant_type", -1);
  if ((type != 0 && type != 1) || file.int_of(node, "transB", 1) != 1) {
    return file.refuse(node, "known are quant_type 0 (FP4) and 1 (NF4) with transB 1");
  }
  matrix.shape = {matrix.rows, matrix.cols};
  matrix.table = type == 0 ? CodeTable::Fp4 : CodeTable::Nf4;
  matrix.flat = true;
  matrix.codes = {Packing::HighFirst, 4, matrix.rows, matrix.cols};
  AMBRY_TRY(const Tensor* codes, constant_input(file, node, 1));
  AMBRY_TRY(const Tensor* scales, constant_input(file, node, 2));
  if (codes->type != DataType::Uint8) return file.refuse(node, "its codes are no uint8");
  const uint64_t count = matrix.rows * matrix.cols;
  AMBRY_RETURN_IF_ERROR(expect_count(file, node, *codes, (count + 1) / 2));
  AMBRY_RETURN_IF_ERROR(
      expect_count(file, node, *scales, (count + matrix.group - 1) / matrix.group));
  AMBRY_TRY(matrix.code_input, input_of(file, *codes));
  AMBRY_TRY(matrix.scale, shared_numbers(file, *scales));
  AMBRY_RETURN_IF_ERROR(expect_float_type(file, node, *scales));
  matrix.method = concat({"MatMulBnb4 ", type == 0 ? "FP4" : "NF4"});
  return matrix;
}

Result<PackedMatrix> matrix_of_gather_blocks(const OnnxFile& file, const Node& node) {
  AMBRY_TRY(const Table table, table_of(file, node));
  const Tensor* codes = table.codes;
  AMBRY_TRY(const Tensor* scales, constant_input(file, node, 2));
  const Tensor* zeros = nullptr;
  if (file.input(node, 3) != kNoName) AMBRY_TRY(zeros, constant_input(file, node, 3));
  const int64_t axis = file.int_of(node, "quantize_axis", 1);
  if (file.int_of(node, "gather_axis", 0) != 0 || (axis != 1 && axis != -1)) {
    return file.refuse(node, "known are gather_axis 0 and quantize_axis 1");
  }
  const int64_t block = file.int_of(node, "block_size", 128);
  if (codes->type != DataType::Uint8) {
    if (table.reshaped) return file.refuse(node, "its data is reshaped, and no uint8");
    return affine_matrix(file, node, {codes, scales, zeros, 1, block});
  }
  PackedMatrix matrix;
  AMBRY_TRY(matrix.codes.bits, bits_of(file, node));
  const tensor::Shape& shape = table.shape;
  if (shape.rank() != 2) return file.refuse(node, "its data is no matrix");
  matrix.rows = shape[0];
  matrix.cols = shape[1] * 8 / matrix.codes.bits;
  AMBRY_TRY(matrix.group, block_size_of(file, node, 128));
  AMBRY_RETURN_IF_ERROR(set_blocks(file, node, *codes, *scales, matrix));
  matrix.codes.count = matrix.cols;  // rows are not filled up
  ZeroPoints stored{
      zeros, {Packing::ByteLines, matrix.codes.bits, matrix.rows, matrix.groups()}, 0};
  stored.absent = 1 << (matrix.codes.bits - 1);
  if (zeros != nullptr) {
    if (zeros->type != DataType::Uint8) return file.refuse(node, "its zero points are no uint8");
    AMBRY_RETURN_IF_ERROR(
        expect_count(file, node, *zeros, matrix.rows * bytes_of_line(stored.packed)));
  }
  AMBRY_RETURN_IF_ERROR(set_zero_points(file, node, stored, matrix));
  matrix.group = std::min(matrix.group, matrix.cols);
  matrix.method = concat({"GatherBlockQuantized ", matrix.codes.bits, "-bit"});
  return matrix;
}

Result<std::optional<LinearMatch>> find_block_product(const OnnxFile& file, const Node& node) {
  LinearMatch match;
  if (file.model().is(node, "MatMulNBits", kMicrosoft)) {
    AMBRY_TRY(PackedMatrix matrix, matrix_of_nbits(file, node));
    AMBRY_TRY(match.bias, bias_of(file, node, 5, matrix.rows));
    match.weight = weight_of(std::move(matrix));
  } else if (file.model().is(node, "MatMulBnb4", kMicrosoft)) {
    AMBRY_TRY(PackedMatrix matrix, matrix_of_bnb4(file, node));
    match.weight = weight_of(std::move(matrix));
  } else {
    return std::optional<LinearMatch>();
  }
  match.input = file.input(node, 0);
  return std::optional(std::move(match));
}

}  // namespace ambry::convert::onnx
