#include "infer/encoder/weight_slot.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "tensor/dtype/convert.h"
#include "tensor/dtype/dtype_table.h"
#include "tensor/quantize.h"

namespace ambry::infer {
namespace {

using kernels::PackedF32Matrix;
using kernels::PackedInt8Weights;
using tensor::DType;

// Encoders come in EMBD, so their integers are EMBD's.
bool is_weight_integer(DType dtype) {
  return !tensor::is_float(dtype) && tensor::dtype_column<&tensor::DTypeRow::embd>(dtype);
}

// Copies row `row` of a matrix, which may be stored transposed.
void copy_row(std::span<const float> matrix, size_t rows, size_t row, bool transposed,
              std::span<float> out) {
  for (size_t c = 0; c < out.size(); ++c) {
    out[c] = transposed ? matrix[c * rows + row] : matrix[row * out.size() + c];
  }
}

struct QuantizedRows {
  AlignedBuffer values;
  std::vector<float> scales;
};

Result<QuantizedRows> quantize(std::span<const float> matrix, size_t rows, size_t cols,
                               bool transposed) {
  QuantizedRows result;
  AMBRY_TRY(result.values, AlignedBuffer::allocate(uint64_t{rows} * cols));
  result.scales.resize(rows);
  std::vector<float> row(cols);
  for (size_t r = 0; r < rows; ++r) {
    copy_row(matrix, rows, r, transposed, row);
    const std::span<int8_t> out = result.values.as<int8_t>().subspan(r * cols, cols);
    AMBRY_RETURN_IF_ERROR(tensor::quantize_rows_int8(row, 1, cols, out, {&result.scales[r], 1}));
  }
  return result;
}

}  // namespace

Result<void> WeightSlot::expect(WeightPart which, const model::TensorEntry& entry) {
  const bool integer = is_weight_integer(entry.dtype);
  if (!tensor::is_float(entry.dtype) && (!integer || which == WeightPart::Scale)) {
    return make_error(ErrorCode::Unsupported, entry.name,
                      {tensor::dtype_name(entry.dtype), " cannot be used here"});
  }
  if (integer && transposed_ && which == WeightPart::Values) {
    return make_error(ErrorCode::Unsupported, entry.name, "integer weights stored as [in, out]");
  }
  part(which) = Part{entry.dtype, entry.bytes, true, false, {}};
  return {};
}

Result<void> WeightSlot::give(WeightPart which, AlignedBuffer bytes) {
  Part& target = part(which);
  assert(target.expected && !target.given);
  if (bytes.size() != target.n_bytes) {
    return make_error(ErrorCode::Mismatch, name_,
                      {bytes.size(), " bytes given, ", target.n_bytes, " expected"});
  }
  target.bytes = std::move(bytes);
  target.given = true;
  return {};
}

bool WeightSlot::complete() const {
  return std::ranges::all_of(parts_, [](const Part& p) { return p.expected == p.given; });
}

Error WeightSlot::with_name(Error error) const {
  error.path = name_;
  return error;
}

Result<std::vector<float>> WeightSlot::per_row(WeightPart which, float absent) const {
  const Part& source = part(which);
  const auto rows = static_cast<size_t>(rows_);
  if (!source.expected) return std::vector<float>(rows, absent);
  std::vector<float> values(source.bytes.size() / tensor::dtype_size(source.dtype));
  AMBRY_RETURN_IF_ERROR(tensor::to_f32(source.dtype, source.bytes.bytes(), values));
  for (const float value : values) {
    if (std::isfinite(value)) continue;
    const char* suffix = which == WeightPart::Scale ? ".scale" : ".zero_point";
    return make_error(ErrorCode::BadValue, {name_, suffix}, "not finite");
  }
  assert(values.size() == 1 || values.size() == rows);
  if (values.size() == 1) values.resize(rows, values.front());
  return values;
}

Result<AlignedBuffer> WeightSlot::widened() {
  Part& source = part(WeightPart::Values);
  if (source.dtype == DType::F32) return std::move(source.bytes);
  AMBRY_TRY(AlignedBuffer wide, AlignedBuffer::allocate(rows_ * cols_ * sizeof(float)));
  const std::span<float> values = wide.as<float>();
  AMBRY_RETURN_IF_ERROR(tensor::to_f32(source.dtype, source.bytes.bytes(), values));
  source.bytes = AlignedBuffer();
  if (!has_scale()) return wide;
  AMBRY_TRY(const std::vector<float> scales, per_row(WeightPart::Scale, 1.0F));
  AMBRY_TRY(const std::vector<float> zero_points, per_row(WeightPart::ZeroPoint, 0.0F));
  const auto cols = static_cast<size_t>(cols_);
  for (size_t r = 0; r < scales.size(); ++r) {
    for (float& x : values.subspan(r * cols, cols)) x = (x - zero_points[r]) * scales[r];
  }
  return wide;
}

Result<LinearWeight> WeightSlot::take_matrix(WeightStorage storage) {
  const auto rows = static_cast<size_t>(rows_);
  const auto cols = static_cast<size_t>(cols_);
  const bool int8_fits = cols_ <= kernels::kMaxInt8Columns && storage != WeightStorage::F32;
  LinearWeight weight;
  if (dtype() == DType::I8 && int8_fits) {
    AMBRY_TRY(const std::vector<float> scales, per_row(WeightPart::Scale, 1.0F));
    AMBRY_TRY(const std::vector<float> zero_points, per_row(WeightPart::ZeroPoint, 0.0F));
    const AlignedBuffer bytes = std::move(part(WeightPart::Values).bytes);
    AMBRY_TRY(weight.int8,
              PackedInt8Weights::pack(bytes.as<int8_t>().data(), rows, cols, scales, zero_points));
    return weight;
  }
  AMBRY_TRY(const AlignedBuffer wide, widened());
  if (storage == WeightStorage::Int8 && int8_fits) {
    auto quantized = quantize(wide.as<float>(), rows, cols, transposed_);
    if (!quantized) return with_name(std::move(quantized).error());
    const std::vector<float> zero_points(rows, 0.0F);
    AMBRY_TRY(weight.int8, PackedInt8Weights::pack(quantized->values.as<int8_t>().data(), rows,
                                                   cols, quantized->scales, zero_points));
    return weight;
  }
  AMBRY_TRY(weight.f32, PackedF32Matrix::pack({wide.as<float>().data(), transposed_ ? 1 : cols,
                                               transposed_ ? rows : 1},
                                              rows, cols));
  return weight;
}

Result<EmbeddingTable> WeightSlot::take_table(WeightStorage storage) {
  EmbeddingTable table;
  table.rows = rows_;
  table.cols = cols_;
  if (storage == WeightStorage::Int8 && dtype() != DType::I8) {
    AMBRY_TRY(const AlignedBuffer wide, widened());
    auto quantized =
        quantize(wide.as<float>(), static_cast<size_t>(rows_), static_cast<size_t>(cols_), false);
    if (!quantized) return with_name(std::move(quantized).error());
    table.dtype = DType::I8;
    table.values = std::move(quantized->values);
    table.scales = std::move(quantized->scales);
    table.zero_points.resize(static_cast<size_t>(rows_));
    return table;
  }
  table.dtype = dtype();
  table.values = std::move(part(WeightPart::Values).bytes);
  if (has_scale()) {
    AMBRY_TRY(table.scales, per_row(WeightPart::Scale, 1.0F));
    AMBRY_TRY(table.zero_points, per_row(WeightPart::ZeroPoint, 0.0F));
  }
  return table;
}

Result<PaddedVector> WeightSlot::take_vector() {
  AMBRY_TRY(const AlignedBuffer wide, widened());
  AMBRY_TRY(PaddedVector vector, zeros(cols_));
  std::ranges::copy(wide.as<float>(), vector.values.as<float>().begin());
  return vector;
}

Result<PaddedVector> zeros(uint64_t n) {
  const uint64_t padded = kernels::n_panels(static_cast<size_t>(n)) * kernels::kPanelColumns;
  PaddedVector vector;
  AMBRY_TRY(vector.values, AlignedBuffer::allocate(padded * sizeof(float)));
  std::ranges::fill(vector.values.as<float>(), 0.0F);
  return vector;
}

}  // namespace ambry::infer
