#include "tensor/codec/block_errors.h"

#include <cmath>
#include <limits>

#include "base/half.h"
#include "tensor/codec/codes/scaled_codes.h"

namespace ambry::tensor {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr size_t kRun = 128;

// Decoded values of up to kRun elements.
using Run = std::array<float, kRun>;

void as_codes(DType code, std::span<const float> values, float scale, Run& decoded) {
  std::array<int8_t, kRun> codes;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  quantize_codes(code, values, scale, codes.data());
  for (size_t i = 0; i < values.size(); ++i) decoded[i] = static_cast<float>(codes[i]) * scale;
}

void as_halves(std::span<const float> values, Run& decoded) {
  for (size_t i = 0; i < values.size(); ++i) decoded[i] = f16_to_f32(f32_to_f16(values[i]));
}

double squared(std::span<const float> values, const Run& decoded, std::span<const float> weights) {
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double error = static_cast<double>(values[i]) - static_cast<double>(decoded[i]);
    sum += error * error * (weights.empty() ? 1.0 : static_cast<double>(weights[i]));
  }
  return sum;
}

}  // namespace

BlockErrors block_errors(std::span<const float> values, std::span<const float> weights) {
  BlockErrors errors;
  const float extreme = signed_extreme(values);
  Run decoded;
  for (size_t p = 0; p < kPrecisions.size(); ++p) {
    const DType code = kPrecisions[p];
    float scale = ideal_scale(code, extreme);
    const bool fits = fits_half(scale);
    errors.scales_fit_half = errors.scales_fit_half && fits;
    if (fits) scale = f16_to_f32(f32_to_f16(scale));
    for (size_t at = 0; at < values.size(); at += kRun) {
      const size_t n = std::min(kRun, values.size() - at);
      const std::span<const float> run = values.subspan(at, n);
      if (code == DType::F16) {
        as_halves(run, decoded);
      } else {
        as_codes(code, run, scale, decoded);
      }
      errors.squared[p] +=
          squared(run, decoded, weights.empty() ? weights : weights.subspan(at, n));
    }
  }
  // An infinity among the halves.
  if (!std::isfinite(errors.squared.back())) errors.squared.back() = kNever;
  return errors;
}

std::span<const float> BlockErrorStream::weights_of_block(size_t n) {
  if (weights_.empty()) return {};
  const auto& [columns, rows, unit] = weights_;
  const std::span<const float> of_columns =
      columns.empty() ? columns : columns.subspan(static_cast<size_t>(col_), n);
  if (rows.empty()) return of_columns;
  weighted_.assign(n, row_ < rows.size() ? rows[static_cast<size_t>(row_)] : 0.0F);
  for (size_t i = 0; i < of_columns.size(); ++i) weighted_[i] += of_columns[i];
  return weighted_;
}

BlockErrors BlockErrorStream::end_block(std::span<const float> block) {
  BlockErrors errors = block_errors(block, weights_of_block(block.size()));
  for (double& squared : errors.squared) squared *= weights_.unit;
  col_ += block.size();
  if (col_ == cols_) {
    col_ = 0;
    ++row_;
  }
  held_.clear();
  return errors;
}

}  // namespace ambry::tensor
