#include "api/files/validate/tensor_statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "simd/isa.h"

namespace ambry::api {
namespace {

using io::Json;
using tensor::DType;

// The tolerance for rows that a writer normalized in float: the sum of squares rounds at each
// value.
constexpr double kUnitTolerance = 1e-3;

float min_normal(DType dtype) {
  switch (dtype) {
    case DType::F32:
    case DType::BF16:
      return std::numeric_limits<float>::min();
    case DType::F16:
      return 0x1p-14F;
    default:
      return 0.0F;
  }
}

bool all_finite(std::span<const float> values) { return kernels::all_finite<simd::Best>(values); }
double sum_of_squares(std::span<const float> values) {
  return kernels::sum_of_squares<simd::Best>(values);
}

template <class T>
bool all_finite(std::span<const T> /*whole values*/) {
  return true;
}
template <class T>
double sum_of_squares(std::span<const T> values) {
  constexpr size_t kMost = 32'768;  // their squares add up to at most 32 bits
  uint64_t sum = 0;
  for (; !values.empty(); values = values.subspan(std::min(kMost, values.size()))) {
    uint32_t part = 0;
    for (const T x : values.first(std::min(kMost, values.size()))) {
      part += static_cast<uint32_t>(x * x);
    }
    sum += part;
  }
  return static_cast<double>(sum);
}

// Counts how often each byte occurs. It uses several tables, because equal neighbours would wait
// for each other in one.
std::array<uint64_t, 256> count_bytes(Bytes bytes) {
  constexpr size_t kTables = 4;
  std::array<std::array<uint64_t, 256>, kTables> tables{};
  size_t i = 0;
  for (; i + kTables <= bytes.size(); i += kTables) {
    for (size_t t = 0; t < kTables; ++t) ++tables[t][bytes[i + t]];
  }
  for (; i < bytes.size(); ++i) ++tables[0][bytes[i]];
  for (size_t t = 1; t < kTables; ++t) {
    for (size_t byte = 0; byte < 256; ++byte) tables[0][byte] += tables[t][byte];
  }
  return tables[0];
}

}  // namespace

TensorStatistics::TensorStatistics(const model::TensorEntry& tensor)
    : tensor_(tensor), min_normal_(min_normal(tensor.dtype)) {
  const auto extents = tensor.shape.extents();
  if (extents.size() < 2) return;
  row_length_ = 1;
  for (const uint64_t extent : extents.subspan(1)) row_length_ *= extent;
  row_left_ = row_length_;
}

void TensorStatistics::add(std::span<const float> values) {
  for (size_t at = 0; at < values.size(); at += kernels::kRunLength) {
    add_run(values.subspan(at, std::min(kernels::kRunLength, values.size() - at)));
  }
}

void TensorStatistics::add_run(std::span<const float> run) {
  const bool finite = kernels::all_finite<simd::Best>(run);
  if (finite) {
    add_finite(run);
  } else {
    finite_.clear();
    for (size_t i = 0; i < run.size(); ++i) {
      if (std::isfinite(run[i])) {
        finite_.push_back(run[i]);
        if (!is_allowed(run[i])) first_invalid_ = std::min(first_invalid_, count_ + i);
        continue;
      }
      ++(std::isnan(run[i]) ? total_.nan : total_.infinite);
      first_not_finite_ = std::min(first_not_finite_, count_ + i);
    }
    if (!finite_.empty()) add_finite(finite_);
  }
  if (row_length_ > 0) add_to_rows(run, finite);
  count_ += run.size();
}

bool TensorStatistics::is_byte_type(DType dtype) {
  return dtype == DType::I8 || dtype == DType::U8 || dtype == DType::Bool;
}

void TensorStatistics::add(Bytes bytes) {
  if (bytes.empty()) return;
  if (tensor_.dtype == DType::I8) {
    add_integers(std::span(reinterpret_cast<const int8_t*>(bytes.data()), bytes.size()));
  } else {
    add_integers(bytes);
  }
}

template <class T>
void TensorStatistics::add_integers(std::span<const T> values) {
  const auto counts = count_bytes({reinterpret_cast<const uint8_t*>(values.data()), values.size()});
  kernels::RunStatistics run;
  run.finite = values.size();
  run.zeros = counts[0];
  bool refused = false;
  for (size_t byte = 0; byte < counts.size(); ++byte) {
    if (counts[byte] == 0) continue;
    const auto x = static_cast<float>(static_cast<T>(byte));
    const auto n = static_cast<double>(counts[byte]);
    run.min = std::min(run.min, x);
    run.max = std::max(run.max, x);
    run.sum += n * static_cast<double>(x);
    run.sum_squares += n * static_cast<double>(x) * static_cast<double>(x);
    histogram_.add(x, counts[byte]);
    refused = refused || !is_allowed(x);
  }
  join(run);
  if (refused && first_invalid_ == kNone) {
    const auto first =
        std::ranges::find_if(values, [&](T x) { return !is_allowed(static_cast<float>(x)); });
    first_invalid_ = count_ + static_cast<uint64_t>(first - values.begin());
  }
  if (row_length_ > 0) add_to_rows(values, true);
  count_ += values.size();
}

void TensorStatistics::add_finite(std::span<const float> values) {
  const auto run = kernels::finite_statistics<simd::Best>(values, min_normal_);
  join(run);
  histogram_.add(values, std::max(std::fabs(run.min), std::fabs(run.max)));
  if (first_invalid_ != kNone || (is_allowed(run.min) && is_allowed(run.max))) return;
  const auto refused = std::ranges::find_if(values, [&](float x) { return !is_allowed(x); });
  first_invalid_ = count_ + static_cast<uint64_t>(refused - values.begin());
}

// Combines moments as Chan, Golub and LeVeque (1979) do.
void TensorStatistics::join(const kernels::RunStatistics& run) {
  const auto n = static_cast<double>(run.finite);
  const auto before = static_cast<double>(total_.finite);
  const double mean = run.shift + run.sum / n;
  const double m2 = std::max(0.0, run.sum_squares - run.sum * run.sum / n);
  const double apart = mean - mean_;
  mean_ += apart * (n / (before + n));
  m2_ += m2 + apart * apart * (before * n / (before + n));
  total_.finite += run.finite;
  total_.zeros += run.zeros;
  total_.denormals += run.denormals;
  total_.min = std::min(total_.min, run.min);
  total_.max = std::max(total_.max, run.max);
}

bool TensorStatistics::is_allowed(float value) const {
  if (tensor_.finite_above && !(value > *tensor_.finite_above)) return false;
  return tensor_.value_limit == 0 ||
         (value >= 0.0F && static_cast<double>(value) < tensor_.value_limit);
}

template <class T>
void TensorStatistics::add_to_rows(std::span<const T> values, bool finite) {
  while (!values.empty()) {
    const auto n = static_cast<size_t>(std::min<uint64_t>(row_left_, values.size()));
    const auto part = values.first(n);
    row_finite_ = row_finite_ && (finite || all_finite(part));
    if (row_finite_) row_squares_ += sum_of_squares(part);
    row_left_ -= n;
    if (row_left_ == 0) end_row();
    values = values.subspan(n);
  }
}

void TensorStatistics::end_row() {
  if (row_finite_) {
    const double norm = std::sqrt(row_squares_);
    min_norm_ = n_norms_ == 0 ? norm : std::min(min_norm_, norm);
    max_norm_ = std::max(max_norm_, norm);
    sum_norms_ += norm;
    ++n_norms_;
    // The square of the smallest float is not zero in double.
    const bool zero = row_squares_ == 0.0;
    if (zero && zero_rows_++ == 0) first_zero_row_ = row_;
    if (!zero && row_ < tensor_.n_unit_rows && std::fabs(norm - 1.0) > kUnitTolerance) {
      if (n_not_unit_rows_++ == 0) first_not_unit_row_ = row_;
    }
  }
  ++row_;
  row_left_ = row_length_;
  row_squares_ = 0.0;
  row_finite_ = true;
}

Json TensorStatistics::document() const {
  Json document = Json::object();
  document.set("tensor", tensor_.name);
  document.set("count", count_);
  document.set("nan", total_.nan);
  document.set("infinite", total_.infinite);
  document.set("zeros", total_.zeros);
  document.set("zeroRows", zero_rows_);
  document.set("denormals", total_.denormals);
  const bool any = total_.finite > 0;
  const auto number = [&](double value) { return any ? Json(value) : Json(); };
  document.set("min", number(static_cast<double>(total_.min)));
  document.set("max", number(static_cast<double>(total_.max)));
  document.set("mean", number(mean_));
  document.set("std", any ? Json(std::sqrt(m2_ / static_cast<double>(total_.finite))) : Json());
  Json norms;
  if (n_norms_ > 0) {
    norms = Json::object();
    norms.set("min", min_norm_);
    norms.set("max", max_norm_);
    norms.set("mean", sum_norms_ / static_cast<double>(n_norms_));
  }
  document.set("rowNorms", std::move(norms));
  document.set("histogram", histogram_.document());
  return document;
}

}  // namespace ambry::api
