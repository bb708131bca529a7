#include "convert/checkpoint_quantization/matrix_reader.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/half.h"
#include "convert/tensor/chunk_reader.h"
#include "tensor/codec/blocks/blocks.h"
#include "tensor/codec/codes/codec_layout.h"
#include "tensor/codec/codes/codes.h"
#include "tensor/dtype/convert.h"

namespace ambry::convert {
namespace {

using tensor::DType;

// Rows that are unpacked at once where they are columns in the file.
constexpr uint64_t kStripRows = 64;

constexpr std::array<float, 16> kFp4Numbers = {
    0.0F,  0.005208333333F,  0.66666667F,  1.0F,  0.33333333F,  0.5F,  0.16666667F,  0.25F,
    -0.0F, -0.005208333333F, -0.66666667F, -1.0F, -0.33333333F, -0.5F, -0.16666667F, -0.25F};
constexpr std::array<float, 16> kNf4Numbers = {-1.0F,
                                               -0.6961928009986877F,
                                               -0.5250730514526367F,
                                               -0.39491748809814453F,
                                               -0.28444138169288635F,
                                               -0.18477343022823334F,
                                               -0.09105003625154495F,
                                               0.0F,
                                               0.07958029955625534F,
                                               0.16093020141124725F,
                                               0.24611230194568634F,
                                               0.33791524171829224F,
                                               0.44070982933044434F,
                                               0.5626170039176941F,
                                               0.7229568362236023F,
                                               1.0F};

// From lines of groups to rows of groups.
std::vector<float> rows_of_groups(const std::vector<float>& lines, size_t groups) {
  std::vector<float> rows(lines.size());
  const size_t n_rows = lines.size() / groups;
  for (size_t group = 0; group < groups; ++group) {
    for (size_t row = 0; row < n_rows; ++row) {
      rows[row * groups + group] = lines[group * n_rows + row];
    }
  }
  return rows;
}

uint8_t* put_number(DType type, float scale, uint8_t* to) {
  if (type == DType::F16) {
    store_le(to, f32_to_f16(scale));
    return to + sizeof(uint16_t);
  }
  store_le(to, scale);
  return to + sizeof(float);
}

}  // namespace

MatrixReader::MatrixReader(const PackedMatrix& matrix) : matrix_(matrix) {
  for (const Input* input : matrix.inputs()) parts_.push_back({input, {}});
}

Result<std::optional<TransformStep>> MatrixReader::next_read() {
  if (n_read_ < parts_.size()) {
    Part& part = parts_[n_read_++];
    AMBRY_TRY(const TransformStep step, read_whole(*part.input, part.bytes));
    return std::optional(step);
  }
  if (!std::exchange(prepared_, true)) AMBRY_RETURN_IF_ERROR(prepare());
  return std::optional<TransformStep>();
}

Bytes MatrixReader::bytes_of(const Input& input) const {
  return std::ranges::find(parts_, &input, &Part::input)->bytes.bytes();
}

Result<void> MatrixReader::prepare() {
  AMBRY_RETURN_IF_ERROR(prepare_table());
  if (matrix_.part != MatrixPart::ZeroPoints) AMBRY_RETURN_IF_ERROR(prepare_scales());
  if (matrix_.part == MatrixPart::Scales) return {};
  if (matrix_.bias) AMBRY_TRY(biases_, numbers_of(*matrix_.bias));
  if (matrix_.zero_point) {
    AMBRY_TRY(const std::vector<float> stored, numbers_of(*matrix_.zero_point));
    for (const float zero : stored) {
      zeros_.push_back((static_cast<int>(zero) + matrix_.zero_offset) & matrix_.zero_mask);
    }
  }
  const auto cols = static_cast<size_t>(matrix_.cols);
  numbers_.resize(cols);
  group_of_.resize(cols);
  const Bytes list = matrix_.group_of_column ? bytes_of(*matrix_.group_of_column) : Bytes();
  for (size_t i = 0; i < cols; ++i) {
    group_of_[i] = list.empty() ? static_cast<uint32_t>(i / matrix_.group)
                                : load_le<uint32_t>(&list[i * sizeof(uint32_t)]);
  }
  return {};
}

Result<std::vector<float>> MatrixReader::numbers_of(const SharedNumbers& numbers) const {
  const Bytes bytes = numbers.given.empty() ? bytes_of(numbers.input) : Bytes();
  std::vector<float> lines = numbers.given;
  if (!lines.empty()) {
    AMBRY_RETURN_IF_ERROR(check_finite(numbers.input, lines));
  } else if (numbers.packed) {
    const PackedCodes& how = *numbers.packed;
    std::vector<uint8_t> line(static_cast<size_t>(how.count));
    for (uint64_t i = 0; i < how.lines; ++i) {
      unpack_line(how, bytes, i, line);
      lines.insert(lines.end(), line.begin(), line.end());
    }
  } else {
    lines.resize(static_cast<size_t>(numbers.input.tensor.shape.count().value_or(0)));
    AMBRY_RETURN_IF_ERROR(tensor::to_f32(numbers.input.tensor.dtype, bytes, lines));
    AMBRY_RETURN_IF_ERROR(check_finite(numbers.input, lines));
  }
  if (!numbers.groups_first) return lines;
  return rows_of_groups(lines, static_cast<size_t>(matrix_.groups()));
}

Result<void> MatrixReader::check_finite(const Input& input, std::span<const float> numbers) const {
  const auto bad = std::ranges::find_if(numbers, [](float value) { return !std::isfinite(value); });
  if (bad == numbers.end()) return {};
  const auto at = static_cast<uint64_t>(bad - numbers.begin());
  return error_at(ErrorCode::BadValue,
                  input.tensor.offset + at * tensor::dtype_size(input.tensor.dtype),
                  {input.tensor.name, ", number ", at}, "not a finite number");
}

Result<void> MatrixReader::prepare_table() {
  if (matrix_.table == CodeTable::None) return {};
  if (matrix_.table == CodeTable::Fp4 || matrix_.table == CodeTable::Nf4) {
    std::ranges::copy(matrix_.table == CodeTable::Fp4 ? kFp4Numbers : kNf4Numbers, table_.begin());
    return {};
  }
  if (matrix_.table == CodeTable::Stored) {
    const Input& input = *matrix_.table_input;
    const auto table =
        std::span(table_).first(static_cast<size_t>(input.tensor.shape.count().value_or(0)));
    AMBRY_RETURN_IF_ERROR(tensor::to_f32(input.tensor.dtype, bytes_of(input), table));
    return check_finite(input, table);
  }
  std::array<uint8_t, 256> all;
  std::iota(all.begin(), all.end(), uint8_t{0});
  return tensor::decode_blocks(matrix_.code_input.tensor.dtype, all, table_);
}

Result<void> MatrixReader::prepare_scales() {
  AMBRY_TRY(scales_, numbers_of(matrix_.scale));
  if (matrix_.scale_table) {
    std::vector<float> table(256);
    AMBRY_RETURN_IF_ERROR(
        tensor::to_f32(matrix_.scale_table->tensor.dtype, bytes_of(*matrix_.scale_table), table));
    std::vector<float> scales(
        static_cast<size_t>(matrix_.scale_of_scales->tensor.shape.count().value_or(0)));
    AMBRY_RETURN_IF_ERROR(tensor::to_f32(matrix_.scale_of_scales->tensor.dtype,
                                         bytes_of(*matrix_.scale_of_scales), scales));
    AMBRY_RETURN_IF_ERROR(check_finite(*matrix_.scale_of_scales, scales));
    for (size_t i = 0; i < scales_.size(); ++i) {
      const float product = table[static_cast<size_t>(scales_[i])] *
                            scales[i / static_cast<size_t>(matrix_.scales_each)];
      scales_[i] = product + matrix_.scale_offset;
    }
  }
  for (float& scale : scales_) scale *= matrix_.scale_factor;
  return {};
}

// The group of each column, counted from the first group of the row's scales.
void MatrixReader::find_groups(uint64_t row) {
  row += matrix_.first_row;
  if (!matrix_.flat) {
    first_group_ = static_cast<size_t>(row / matrix_.rows_each * matrix_.groups());
    return;
  }
  const uint64_t first = row * matrix_.cols;
  first_group_ = static_cast<size_t>(first / matrix_.group);
  uint64_t in_group = first % matrix_.group;
  uint32_t group = 0;
  for (uint32_t& each : group_of_) {
    each = group;
    if (++in_group < matrix_.group) continue;
    in_group = 0;
    ++group;
  }
}

// Lines may be longer than rows.
void MatrixReader::unpack_row(uint64_t row) {
  row += matrix_.first_row;
  const auto count = static_cast<size_t>(matrix_.codes.count);
  const uint64_t each = matrix_.codes.by_columns ? kStripRows : 1;
  const uint64_t begin = row - row % each;
  if (strip_.empty() || begin != strip_begin_) {
    strip_begin_ = begin;
    strip_.resize(static_cast<size_t>(std::min(each, matrix_.codes.lines - begin)) * count);
    unpack_lines(matrix_.codes, bytes_of(matrix_.code_input), begin, strip_);
  }
  codes_ = std::span(strip_).subspan(static_cast<size_t>(row - begin) * count,
                                     static_cast<size_t>(matrix_.cols));
}

void MatrixReader::read_row(uint64_t row) {
  unpack_row(row);
  find_groups(row);
  for (size_t i = 0; i < codes_.size(); ++i) {
    const int zero = zeros_.empty() ? matrix_.zero_offset : zeros_[first_group_ + group_of_[i]];
    numbers_[i] = codes_[i] - zero;
  }
}

// A row whose weights share a scale and a zero point.
bool MatrixReader::make_even_floats() {
  const int zero = zeros_.empty() ? matrix_.zero_offset : zeros_[first_group_];
  const float scale = scales_[first_group_];
  for (size_t i = 0; i < codes_.size(); ++i) {
    store_le(&row_[i * sizeof(float)], static_cast<float>(codes_[i] - zero) * scale);
  }
  // No code less its zero point is further from 0.
  return std::isfinite(scale * 512.0F);
}

bool MatrixReader::make_any_floats() {
  bool finite = true;
  for (size_t i = 0; i < codes_.size(); ++i) {
    const size_t group = first_group_ + group_of_[i];
    const float number =
        matrix_.table == CodeTable::None ? static_cast<float>(numbers_[i]) : table_[codes_[i]];
    // A statement of its own, so that no compiler joins it with the sum.
    float value = number * scales_[group];
    if (!biases_.empty()) value += biases_[group];
    finite = finite && std::isfinite(value);
    store_le(&row_[i * sizeof(float)], value);
  }
  return finite;
}

Result<void> MatrixReader::make_floats(uint64_t row) {
  row_.resize(numbers_.size() * sizeof(float));
  bool finite = false;
  if (!matrix_.flat && matrix_.groups() == 1 && matrix_.table == CodeTable::None && !matrix_.bias) {
    unpack_row(row);
    find_groups(row);
    finite = make_even_floats();
  }
  if (!finite) {
    read_row(row);
    finite = make_any_floats();
  }
  if (finite) return {};
  const model::TensorEntry& from = matrix_.code_input.tensor;
  return error_at(ErrorCode::BadValue, from.offset, {from.name, ", row ", row},
                  "a weight is not a finite number");
}

Result<void> MatrixReader::make_codes(uint64_t row) {
  read_row(row);
  signed_.resize(numbers_.size());
  const uint32_t bits = tensor::code_bits(tensor::code_type(matrix_.entry.dtype));
  const int excess = matrix_.bias ? 1 << (bits - 1) : 0;
  for (size_t i = 0; i < numbers_.size(); ++i) {
    const int code = numbers_[i];
    if (code < matrix_.least || code > matrix_.largest) return code_out_of_range(row, code);
    signed_[i] = static_cast<int8_t>(code - excess);
  }
  return {};
}

// With its minimum, where there is one.
uint8_t* MatrixReader::put_scale(size_t group, uint8_t* to) const {
  const DType type = matrix_.entry.quantization->scale_type;
  to = put_number(type, scales_[group], to);
  return biases_.empty() ? to : put_number(type, biases_[group], to);
}

Failure MatrixReader::code_out_of_range(uint64_t row, int code) const {
  const Input& input = matrix_.zero_point ? matrix_.zero_point->input : matrix_.code_input;
  return error_at(
      ErrorCode::BadValue, input.tensor.offset, {input.tensor.name, ", row ", row},
      {"a code less its zero point is ", code < 0 ? "-" : "", static_cast<uint64_t>(std::abs(code)),
       ", but config.json leaves -", static_cast<uint64_t>(-matrix_.least), " to ",
       static_cast<uint64_t>(matrix_.largest)});
}

// The blocks of a row: each is a scale and its codes. A short last one is filled up with zeros.
Result<void> MatrixReader::make_blocks(uint64_t row) {
  AMBRY_RETURN_IF_ERROR(make_codes(row));
  const DType code = tensor::code_type(matrix_.entry.dtype);
  const auto block = static_cast<size_t>(matrix_.group);
  const auto groups = static_cast<size_t>(matrix_.groups());
  const auto code_size = static_cast<size_t>(tensor::code_bytes(code, block));
  signed_.resize(groups * block);
  row_.resize(static_cast<size_t>(matrix_.entry.bytes / matrix_.rows));
  uint8_t* to = row_.data();
  for (size_t i = 0; i < groups; ++i) {
    to = put_scale(first_group_ + i, to);
    tensor::pack_codes(code, &signed_[i * block], block, to);
    to += code_size;
  }
  return {};
}

template <class Make>
Result<void> MatrixReader::copy_rows(uint64_t begin, uint64_t row_bytes, uint64_t offset,
                                     MutableBytes out, const Make& make) {
  const uint64_t end = offset + out.size();
  const uint64_t first = offset <= begin ? 0 : (offset - begin) / row_bytes;
  for (uint64_t row = first; row < matrix_.rows && begin + row * row_bytes < end; ++row) {
    AMBRY_RETURN_IF_ERROR(make(row));
    const uint64_t at = begin + row * row_bytes;
    const uint64_t from = std::max(offset, at);
    const auto size = static_cast<size_t>(std::min(end, at + row_bytes) - from);
    std::memcpy(&out[static_cast<size_t>(from - offset)], &row_[static_cast<size_t>(from - at)],
                size);
  }
  return {};
}

// The scales, or the zero points of i8 codes.
void MatrixReader::copy_numbers(uint64_t offset, MutableBytes out) {
  std::vector<float> numbers = scales_;
  if (matrix_.part == MatrixPart::ZeroPoints) {
    if (zeros_.empty()) zeros_ = {matrix_.zero_offset};
    for (const int zero : zeros_) numbers.push_back(static_cast<float>(zero - 128));
  }
  row_.resize(numbers.size() * sizeof(float));
  for (size_t i = 0; i < numbers.size(); ++i) store_le(&row_[i * sizeof(float)], numbers[i]);
  std::ranges::copy(std::span(row_).subspan(static_cast<size_t>(offset), out.size()), out.begin());
}

// A row of i8 codes: those of the matrix less 128.
Result<void> MatrixReader::make_bytes(uint64_t row) {
  unpack_row(row);
  row_.assign(codes_.begin(), codes_.end());
  invert_bits(row_, 0x80);
  return {};
}

Result<void> MatrixReader::fill(uint64_t offset, MutableBytes out) {
  if (matrix_.part != MatrixPart::Weights) {
    copy_numbers(offset, out);
    return {};
  }
  if (matrix_.entry.dtype == DType::I8) {
    return copy_rows(0, matrix_.cols, offset, out, [&](uint64_t row) { return make_bytes(row); });
  }
  if (matrix_.entry.dtype == DType::F32) {
    return copy_rows(0, matrix_.cols * sizeof(float), offset, out,
                     [&](uint64_t row) { return make_floats(row); });
  }
  if (matrix_.entry.dtype != DType::Int8) {
    return copy_rows(0, matrix_.entry.bytes / matrix_.rows, offset, out,
                     [&](uint64_t row) { return make_blocks(row); });
  }
  // All scales come first.
  const auto groups = static_cast<size_t>(matrix_.groups());
  const uint64_t numbers = biases_.empty() ? 1 : 2;
  const uint64_t scale_row =
      groups * numbers * tensor::dtype_size(matrix_.entry.quantization->scale_type);
  const uint64_t codes_at = matrix_.rows * scale_row;
  if (offset < codes_at) {
    const auto n = static_cast<size_t>(std::min<uint64_t>(out.size(), codes_at - offset));
    AMBRY_RETURN_IF_ERROR(
        copy_rows(0, scale_row, offset, out.first(n), [&](uint64_t row) -> Result<void> {
          find_groups(row);
          row_.resize(static_cast<size_t>(scale_row));
          uint8_t* to = row_.data();
          for (size_t i = 0; i < groups; ++i) {
            to = put_scale(first_group_ + i, to);
          }
          return {};
        }));
    offset += n;
    out = out.subspan(n);
  }
  return copy_rows(codes_at, matrix_.cols, offset, out, [&](uint64_t row) -> Result<void> {
    AMBRY_RETURN_IF_ERROR(make_codes(row));
    row_.assign(signed_.begin(), signed_.end());
    return {};
  });
}

}  // namespace ambry::convert
