#include "convert/checkpoint_quantization/packed_matrix.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "base/checked.h"
#include "tensor/codec/codes/codec_layout.h"

namespace ambry::convert {
namespace {

using tensor::DType;

struct CodeType {
  DType dtype;
  int least;
  int largest;
  uint64_t multiple;  // of which a block is
};
constexpr std::array kCodeTypes = {CodeType{DType::Int4Block, -8, 7, 2},
                                   CodeType{DType::Int5Block, -16, 15, 8},
                                   CodeType{DType::Int8, -128, 127, 1}};

// Why no type of AMB has the codes. Empty: one has.
std::string why_not_kept(const PackedMatrix& matrix) {
  if (matrix.table == CodeTable::Fp8) return "8-bit floats have scales";
  if (matrix.table != CodeTable::None) return "codes stand for numbers of a table";
  if (matrix.flat || matrix.rows_each != 1) return "groups are no parts of rows";
  if (!matrix.groups_follow) return "the columns of a group are scattered (desc_act)";
  if (matrix.group > UINT16_MAX) return "groups are longer than 65,535";
  return {};
}

// Codes with a bias are from 0 on. Half their range is taken off.
const CodeType* code_type_of(const PackedMatrix& matrix) {
  for (const CodeType& type : kCodeTypes) {
    const int off = matrix.bias ? -type.least : 0;
    if (matrix.least - off < type.least || matrix.largest - off > type.largest) continue;
    // A tensor of several experts is split, and all scales of such a type come first.
    if (matrix.bias && type.dtype == DType::Int8 && matrix.shape.rank() > 2) continue;
    if (matrix.group % type.multiple == 0) return &type;
  }
  return nullptr;
}

// bf16 does not fit f16.
bool fits_half(const SharedNumbers& numbers) { return numbers.input.tensor.dtype == DType::F16; }

}  // namespace

std::vector<const Input*> PackedMatrix::inputs() const {
  std::vector<const Input*> all;
  if (part == MatrixPart::ZeroPoints) {
    if (zero_point && zero_point->given.empty()) all.push_back(&zero_point->input);
    return all;
  }
  if (part == MatrixPart::Weights) all.push_back(&code_input);
  if (scale.given.empty()) all.push_back(&scale.input);
  if (part == MatrixPart::Scales) return all;
  for (const auto& numbers : {&zero_point, &bias}) {
    if (*numbers && (*numbers)->given.empty()) all.push_back(&(*numbers)->input);
  }
  for (const auto& input : {&group_of_column, &table_input, &scale_table, &scale_of_scales}) {
    if (*input) all.push_back(&**input);
  }
  return all;
}

uint64_t PackedMatrix::stored_bytes() const {
  uint64_t bytes = 0;
  for (const Input* input : inputs()) bytes += input->tensor.bytes;
  return bytes;
}

Result<void> choose_type(bool keeps_codes, PackedMatrix& matrix) {
  model::TensorEntry& entry = matrix.entry;
  entry.name = matrix.name;
  entry.shape = matrix.shape;
  entry.index_offset = matrix.code_input.tensor.index_offset;
  const auto fail = [&] {
    return error_at(ErrorCode::Overflow, entry.index_offset, entry.name, "the size passes 64 bits");
  };
  matrix.why_decoded = keeps_codes ? why_not_kept(matrix) : "the target has no such type";
  const CodeType* type = matrix.why_decoded.empty() ? code_type_of(matrix) : nullptr;
  if (type == nullptr) {
    if (matrix.why_decoded.empty()) matrix.why_decoded = "no type has codes of this range";
    const auto count = entry.shape.count();
    const auto bytes = count ? checked_mul(*count, sizeof(float)) : std::nullopt;
    if (!bytes) return fail();
    entry.dtype = DType::F32;
    entry.bytes = *bytes;
    return {};
  }
  const bool half = fits_half(matrix.scale) && (!matrix.bias || fits_half(*matrix.bias)) &&
                    matrix.scale_factor == 1;
  entry.dtype = type->dtype;
  entry.quantization =
      tensor::Quantization{static_cast<uint16_t>(matrix.group), half ? DType::F16 : DType::F32, 0};
  entry.quantization->minima = matrix.bias.has_value();
  AMBRY_TRY(const auto layout,
            tensor::payload_layout(entry.dtype, entry.shape, *entry.quantization));
  entry.bytes = layout.min_bytes;
  return {};
}

bool fits_int8_rows(PackedMatrix& matrix) {
  const bool one_scale = matrix.rows_each == 1 || matrix.rows_each >= matrix.rows;
  const bool plain = !matrix.flat && !matrix.group_of_column && !matrix.scale_table;
  if (matrix.table != CodeTable::None) {
    matrix.why_decoded = "codes stand for numbers of a table";
  } else if (matrix.codes.bits != 8) {
    matrix.why_decoded = concat({"EMBD has no codes of ", matrix.codes.bits, " bits"});
  } else if (matrix.bias || !plain || !one_scale || matrix.groups() != 1) {
    matrix.why_decoded = "groups are no rows";
  } else {
    matrix.why_decoded.clear();
  }
  return matrix.why_decoded.empty();
}

bool is_transposable(const PackedMatrix& matrix) {
  const Packing packing = matrix.codes.packing;
  return (packing == Packing::Bytes || packing == Packing::LowFirst) && !matrix.flat &&
         !matrix.bias && !matrix.group_of_column && matrix.codes.count == matrix.cols;
}

PackedMatrix transposed(PackedMatrix matrix) {
  assert(is_transposable(matrix));
  // Before the extents change: how many there are of what becomes the other.
  const uint64_t group = std::min(matrix.rows_each, matrix.rows);
  matrix.rows_each = std::min(matrix.group, matrix.cols);
  matrix.group = group;
  std::swap(matrix.rows, matrix.cols);
  std::swap(matrix.codes.lines, matrix.codes.count);
  matrix.codes.by_columns = !matrix.codes.by_columns;
  matrix.shape = {matrix.rows, matrix.cols};
  for (SharedNumbers* numbers :
       {&matrix.scale, matrix.zero_point ? &*matrix.zero_point : nullptr}) {
    if (numbers != nullptr) numbers->groups_first = !numbers->groups_first;
  }
  return matrix;
}

}  // namespace ambry::convert
