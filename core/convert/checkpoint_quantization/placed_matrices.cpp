#include "convert/checkpoint_quantization/placed_matrices.h"

#include <map>
#include <string>
#include <utility>

#include "model/encoder/encoder_tensors.h"

namespace ambry::convert {

using model::TensorEntry;
using tensor::DType;

namespace {

// The zero point of unsigned codes that i8 codes have without one.
constexpr int kMiddle = 128;

Result<void> add_to_end(PackedMatrix matrix, DecodedFile& file) {
  matrix.entry.offset = 0;
  if (!file.matrices.empty()) {
    const TensorEntry& last = file.matrices.back().entry;
    matrix.entry.offset = last.offset + last.bytes;
  }
  if (matrix.entry.bytes > (uint64_t{1} << 62) - matrix.entry.offset) {
    return error_at(ErrorCode::Overflow, matrix.entry.index_offset, matrix.name,
                    "the size passes 64 bits");
  }
  file.matrices.push_back(std::move(matrix));
  return {};
}

// The numbers that rows share, as a matrix of their own.
PackedMatrix numbers_of_rows(const PackedMatrix& matrix, MatrixPart part) {
  PackedMatrix numbers = matrix;
  numbers.part = part;
  const bool one = part == MatrixPart::ZeroPoints && !matrix.zero_point;
  const uint64_t count = one ? 1 : matrix.scale_rows();
  numbers.entry.dtype = DType::F32;
  numbers.entry.shape = {count};
  numbers.entry.bytes = count * sizeof(float);
  return numbers;
}

}  // namespace

Result<void> place_matrix(PackedMatrix matrix, DecodedFile& file, SourceModel& source) {
  AMBRY_RETURN_IF_ERROR(add_to_end(std::move(matrix), file));
  source.model.tensors.push_back(file.matrices.back().entry);
  source.files.push_back(file.number);
  return {};
}

Result<void> place_int8_rows(PackedMatrix matrix, DecodedFile& file, SourceModel& source) {
  matrix.entry.name = matrix.name;
  matrix.entry.shape = matrix.shape;
  matrix.entry.dtype = DType::I8;
  matrix.entry.bytes = matrix.rows * matrix.cols;
  matrix.entry.index_offset = matrix.code_input.tensor.index_offset;
  const PackedMatrix scales = numbers_of_rows(matrix, MatrixPart::Scales);
  const PackedMatrix zeros = numbers_of_rows(matrix, MatrixPart::ZeroPoints);
  const bool has_zeros = matrix.zero_point || matrix.zero_offset != kMiddle;
  AMBRY_RETURN_IF_ERROR(place_matrix(std::move(matrix), file, source));
  AMBRY_RETURN_IF_ERROR(add_to_end(scales, file));
  return has_zeros ? add_to_end(zeros, file) : Result<void>();
}

void add_int8_companions(SourceModel& source) {
  if (source.decoded == nullptr) return;
  const auto& matrices = source.decoded->matrices;
  const size_t n_tensors = source.model.tensors.size();
  for (size_t i = 0; i < n_tensors; ++i) {
    const TensorEntry codes = source.model.tensors[i];
    if (source.files[i] != source.decoded->number || codes.dtype != DType::I8) continue;
    const PackedMatrix* const end = matrices.data() + matrices.size();
    const PackedMatrix* next = &source.decoded->at(codes.offset) + 1;
    for (; next != end && next->part != MatrixPart::Weights; ++next) {
      TensorEntry numbers = next->entry;
      numbers.name = next->part == MatrixPart::Scales ? model::scale_name(codes.name)
                                                      : model::zero_point_name(codes.name);
      source.model.tensors.push_back(std::move(numbers));
      source.files.push_back(source.decoded->number);
    }
  }
}

void warn_of_decoded(std::string_view place, SourceModel& source) {
  std::map<std::string, std::pair<uint64_t, uint64_t>> reasons;  // matrices and their bytes
  for (const PackedMatrix& matrix : source.decoded->matrices) {
    if (matrix.why_decoded.empty()) continue;
    auto& [count, bytes] = reasons[concat({matrix.method, ": ", matrix.why_decoded})];
    ++count;
    bytes += matrix.entry.bytes;
  }
  for (const auto& [reason, sums] : reasons) {
    source.warnings.push_back(
        make_error(ErrorCode::Unsupported, place,
                   {counted(sums.first, "tensor"), " decoded to f32 without loss, ", sums.second,
                    " bytes, because no quantized type holds the same numbers (", reason, ")"}));
  }
}

}  // namespace ambry::convert
