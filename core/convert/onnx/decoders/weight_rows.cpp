#include "convert/onnx/decoders/weight_rows.h"

#include <memory>
#include <utility>

namespace ambry::convert::onnx {
namespace {

// Takes some of `count` rows that follow each other in the file.
bool cut(Input& input, uint64_t count, uint64_t first, uint64_t n) {
  const uint64_t elements = input.tensor.shape.count().value_or(0);
  if (count == 0 || input.tensor.bytes % count != 0 || elements % count != 0) return false;
  const uint64_t bytes = input.tensor.bytes / count;
  input.tensor.offset += first * bytes;
  input.tensor.bytes = n * bytes;
  input.tensor.shape = {n, elements / count};
  return true;
}

bool cut(SharedNumbers& numbers, uint64_t count, uint64_t first, uint64_t n) {
  if (numbers.groups_first) return false;
  if (numbers.packed) numbers.packed->lines = n;
  if (numbers.given.empty()) return cut(numbers.input, count, first, n);
  if (numbers.given.size() % count != 0) return false;
  const auto each = static_cast<ptrdiff_t>(numbers.given.size() / count);
  const auto begin = numbers.given.begin() + static_cast<ptrdiff_t>(first) * each;
  numbers.given = {begin, begin + static_cast<ptrdiff_t>(n) * each};
  numbers.input.tensor.shape = {n, static_cast<uint64_t>(each)};
  return true;
}

// Whether each row has a range of the codes and numbers of its own. Cuts the ranges out.
bool cut(PackedMatrix& matrix, uint64_t first, uint64_t n) {
  const bool plain = !matrix.flat && matrix.rows_each == 1 && !matrix.codes.by_columns &&
                     !matrix.scale_of_scales && matrix.first_row == 0;
  const uint64_t count = matrix.rows;
  if (!plain || !cut(matrix.code_input, count, first, n) || !cut(matrix.scale, count, first, n)) {
    return false;
  }
  for (auto* numbers : {&matrix.zero_point, &matrix.bias}) {
    if (*numbers && !cut(**numbers, count, first, n)) return false;
  }
  matrix.codes.lines = n;
  return true;
}

PackedMatrix matrix_rows(const PackedMatrix& whole, uint64_t first, uint64_t n) {
  PackedMatrix part = whole;
  if (!cut(part, first, n)) {
    part = whole;
    part.first_row += first;
  }
  part.rows = n;
  part.shape = {n, part.cols};
  return part;
}

bool is_same(const Input& a, const Input& b) {
  return a.file == b.file && a.tensor.offset == b.tensor.offset &&
         a.tensor.bytes == b.tensor.bytes && a.tensor.dtype == b.tensor.dtype;
}

bool is_same(const SharedNumbers& a, const SharedNumbers& b) {
  return is_same(a.input, b.input) && a.given == b.given && a.groups_first == b.groups_first &&
         a.input.tensor.name == b.input.tensor.name;
}

}  // namespace

std::optional<OnnxWeight> weight_rows(const OnnxWeight& whole, uint64_t first, uint64_t n) {
  const tensor::Shape& shape = whole.shape();
  if (shape.rank() == 0 || shape.rank() > 2 || n == 0 || first > shape[0] || n > shape[0] - first) {
    return std::nullopt;
  }
  OnnxWeight part = whole;
  model::TensorEntry& tensor = part.input.tensor;
  const uint64_t count = shape.count().value_or(0);
  const uint64_t each = count / shape[0];
  const uint64_t element = count == 0 ? 0 : tensor.bytes / count;
  tensor.shape = shape.rank() == 1 ? tensor::Shape{n} : tensor::Shape{n, each};
  tensor.bytes = n * each * element;
  tensor.offset += first * element * (part.input.strides.empty() ? each : part.input.strides[0]);
  if (whole.packed != nullptr) {
    if (shape.rank() != 2) return std::nullopt;
    part.packed = std::make_shared<PackedMatrix>(matrix_rows(*whole.packed, first, n));
  }
  if (!whole.given.empty()) {
    const auto begin = whole.given.begin() + static_cast<ptrdiff_t>(first * each);
    part.given = {begin, begin + static_cast<ptrdiff_t>(n * each)};
  }
  return part;
}

bool is_same_weight(const OnnxWeight& a, const OnnxWeight& b) {
  if (a.shape() != b.shape() || (a.packed == nullptr) != (b.packed == nullptr)) return false;
  if (!a.given.empty() || !b.given.empty()) return a.given == b.given;
  if (a.packed == nullptr) {
    return is_same(a.input, b.input) && a.input.strides == b.input.strides;
  }
  const PackedMatrix& p = *a.packed;
  const PackedMatrix& q = *b.packed;
  const bool zeros = p.zero_point.has_value() == q.zero_point.has_value() &&
                     (!p.zero_point || is_same(*p.zero_point, *q.zero_point));
  return is_same(p.code_input, q.code_input) && is_same(p.scale, q.scale) && zeros &&
         p.codes.bits == q.codes.bits && p.group == q.group && p.zero_offset == q.zero_offset &&
         p.first_row == q.first_row && p.codes.by_columns == q.codes.by_columns;
}

}  // namespace ambry::convert::onnx
