#include "convert/checkpoint_quantization/packed_matrix.h"

#include <array>

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
  if (matrix.table == CodeTable::Stored) return "codes stand for numbers of a table";
  if (matrix.bias) return "each group has a bias beside its scale";
  if (matrix.flat || matrix.rows_each != 1) return "groups are no parts of rows";
  if (!matrix.groups_follow) return "the columns of a group are scattered (desc_act)";
  if (matrix.group > UINT16_MAX) return "groups are longer than 65,535";
  return {};
}

const CodeType* code_type_of(const PackedMatrix& matrix) {
  for (const CodeType& type : kCodeTypes) {
    if (matrix.least < type.least || matrix.largest > type.largest) continue;
    if (matrix.group % type.multiple == 0) return &type;
  }
  return nullptr;
}

}  // namespace

std::vector<const Input*> PackedMatrix::inputs() const {
  std::vector<const Input*> all = {&code_input, &scale.input};
  for (const auto& numbers : {&zero_point, &bias}) {
    if (*numbers) all.push_back(&(*numbers)->input);
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
  const bool half = matrix.scale.input.tensor.dtype == DType::F16 && matrix.scale_factor == 1;
  entry.dtype = type->dtype;
  entry.quantization =
      tensor::Quantization{static_cast<uint16_t>(matrix.group), half ? DType::F16 : DType::F32, 0};
  AMBRY_TRY(const auto layout,
            tensor::payload_layout(entry.dtype, entry.shape, *entry.quantization));
  entry.bytes = layout.min_bytes;
  return {};
}

}  // namespace ambry::convert
