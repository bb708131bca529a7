#include "convert/onnx/weights/affine_matrix.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "convert/onnx/weights/constant_values.h"
#include "convert/onnx/weights/linear.h"

namespace ambry::convert::onnx {

using formats::onnx::DataType;
using formats::onnx::Node;
using formats::onnx::Tensor;

namespace {

// How many numbers the matrix has of those that groups share.
uint64_t shared_count(const PackedMatrix& matrix) { return matrix.scale_rows() * matrix.groups(); }

uint64_t count_of(const SharedNumbers& numbers) {
  return numbers.input.tensor.shape.count().value_or(0);
}

struct CodeForm {
  DataType type;
  uint32_t bits;
  bool is_signed;
};
constexpr std::array kCodeForms = {
    CodeForm{DataType::Uint8, 8, false}, CodeForm{DataType::Int8, 8, true},
    CodeForm{DataType::Uint4, 4, false}, CodeForm{DataType::Int4, 4, true}};

// Sets which weights share a scale. The scales are a list along the axis, or have the extents of
// the codes with those of the axis divided by the block.
Result<void> set_groups(const OnnxFile& file, const Node& node, const AffineCodes& from,
                        PackedMatrix& matrix) {
  AMBRY_TRY(const tensor::Shape scales, stated_shape(file, *from.scale));
  const uint64_t n_scales = scales.count().value_or(0);
  matrix.rows_each = matrix.rows;
  matrix.group = matrix.cols;
  if (from.block == 0 && n_scales == 1) return {};
  const int64_t rank = matrix.shape.rank() == 1 ? 1 : 2;
  const int64_t axis = (from.axis < 0 ? from.axis + rank : from.axis) + (rank == 1 ? 1 : 0);
  if (axis < 0 || axis > 1 || from.block < 0) {
    return file.refuse(node, {"its axis or block size does not fit a matrix"});
  }
  const uint64_t each = from.block == 0 ? 1 : static_cast<uint64_t>(from.block);
  uint64_t& along = axis == 0 ? matrix.rows_each : matrix.group;
  uint64_t& across = axis == 0 ? matrix.group : matrix.rows_each;
  along = std::min(each, axis == 0 ? matrix.rows : matrix.cols);
  if (from.block != 0) across = 1;
  const uint64_t n_along = axis == 0 ? matrix.scale_rows() : matrix.groups();
  const bool is_list = from.block == 0 && n_scales == n_along;
  const bool is_grid = from.block != 0 && scales.rank() == 2 && scales[0] == matrix.scale_rows() &&
                       scales[1] == matrix.groups();
  if (is_list || is_grid) return {};
  return file.refuse(
      node, {"its scales ", to_string(scales), " do not fit the codes ", to_string(matrix.shape)});
}

Result<void> set_codes(const OnnxFile& file, const Node& node, const Tensor& codes,
                       const CodeForm& form, PackedMatrix& matrix) {
  AMBRY_TRY(matrix.code_input, input_of(file, codes));
  AMBRY_TRY(matrix.shape, stated_shape(file, codes));
  const size_t rank = matrix.shape.rank();
  if (rank == 0 || rank > 2) return file.refuse(node, "its codes are no matrix");
  matrix.rows = rank == 1 ? 1 : matrix.shape[0];
  matrix.cols = matrix.shape[rank - 1];
  matrix.codes = {form.bits == 8 ? Packing::Bytes : Packing::LowFirst, form.bits, matrix.rows,
                  matrix.cols};
  matrix.codes.inverted = static_cast<uint8_t>(form.is_signed ? 1U << (form.bits - 1) : 0U);
  return {};
}

}  // namespace

Result<void> set_zero_points(const OnnxFile& file, const Node& node, const ZeroPoints& zeros,
                             PackedMatrix& matrix) {
  const int top = (1 << matrix.codes.bits) - 1;
  const int half = matrix.codes.inverted;  // what signed numbers are read with
  int least_zero = zeros.absent + half;
  int largest_zero = least_zero;
  matrix.zero_offset = least_zero;
  if (zeros.tensor != nullptr) {
    matrix.zero_offset = half;
    SharedNumbers& numbers = matrix.zero_point.emplace();
    least_zero = 0;
    largest_zero = top;
    const bool packed = zeros.packed.count != 0;
    if (packed) {
      AMBRY_TRY(numbers.input, input_of(file, *zeros.tensor));
      numbers.packed = zeros.packed;
      matrix.zero_offset = 0;  // they are read as the codes are
    } else {
      AMBRY_TRY(numbers, shared_numbers(file, *zeros.tensor));
    }
    if (!numbers.given.empty()) {
      const auto [low, high] = std::ranges::minmax(numbers.given);
      if (low + static_cast<float>(half) < 0 ||
          high + static_cast<float>(half) > static_cast<float>(top)) {
        return file.refuse(node, "its zero points are no codes");
      }
      least_zero = static_cast<int>(low) + half;
      largest_zero = static_cast<int>(high) + half;
    }
    const uint64_t n = packed ? shared_count(matrix) : count_of(numbers);
    if (least_zero == largest_zero && (n == 1 || n == shared_count(matrix))) {
      matrix.zero_offset = least_zero;
      matrix.zero_point.reset();
    } else if (n != shared_count(matrix)) {
      return file.refuse(node, "it has not a zero point for each scale");
    }
  }
  matrix.least = -largest_zero;
  matrix.largest = top - least_zero;
  return {};
}

Result<PackedMatrix> affine_matrix(const OnnxFile& file, const Node& node,
                                   const AffineCodes& from) {
  const auto* const form = std::ranges::find(kCodeForms, from.codes->type, &CodeForm::type);
  if (form == kCodeForms.end()) {
    return file.refuse(node, {"codes of type ", formats::onnx::data_type_name(from.codes->type),
                              "; known are uint8, int8, uint4 and int4"});
  }
  PackedMatrix matrix;
  AMBRY_RETURN_IF_ERROR(set_codes(file, node, *from.codes, *form, matrix));
  AMBRY_RETURN_IF_ERROR(set_groups(file, node, from, matrix));
  AMBRY_TRY(matrix.scale, shared_numbers(file, *from.scale));
  AMBRY_RETURN_IF_ERROR(expect_float_type(file, node, *from.scale));
  ZeroPoints zeros{from.zero_point, {}, 0};
  if (from.zero_point != nullptr) {
    if (from.zero_point->type != from.codes->type) {
      return file.refuse(node, "its zero points have another type than its codes");
    }
    AMBRY_TRY(const tensor::Shape shape, stated_shape(file, *from.zero_point));
    const uint64_t count = shape.count().value_or(0);
    if (form->bits < 8 && count > kFewNumbers) {
      zeros.packed = {Packing::LowFirst, form->bits, 1, count};
      zeros.packed.inverted = matrix.codes.inverted;
      if (count != shared_count(matrix)) {
        return file.refuse(node, "it has not a zero point for each scale");
      }
    }
  }
  AMBRY_RETURN_IF_ERROR(set_zero_points(file, node, zeros, matrix));
  matrix.method = concat({file.model().op_type(node), " ", form->bits, "-bit"});
  return matrix;
}

Result<void> expect_float_type(const OnnxFile& file, const Node& node, const Tensor& tensor) {
  if (tensor.type == DataType::Float || tensor.type == DataType::Float16 ||
      tensor.type == DataType::Bfloat16) {
    return {};
  }
  return file.refuse(node, {"scales of type ", formats::onnx::data_type_name(tensor.type)});
}

OnnxWeight weight_of(PackedMatrix matrix) {
  OnnxWeight weight;
  weight.input.tensor.name = matrix.code_input.tensor.name;
  weight.input.tensor.shape = matrix.shape;
  weight.input.tensor.index_offset = matrix.code_input.tensor.index_offset;
  weight.packed = std::make_shared<PackedMatrix>(std::move(matrix));
  return weight;
}

}  // namespace ambry::convert::onnx
