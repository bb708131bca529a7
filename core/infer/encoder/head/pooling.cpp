#include "infer/encoder/head/pooling.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "kernels/norm/l2_normalize.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

constexpr std::array<std::pair<std::string_view, Pooling>, 6> kNames = {{
    {"mean", Pooling::Mean},
    {"cls", Pooling::Cls},
    {"max", Pooling::Max},
    {"mean_sqrt_len", Pooling::MeanSqrtLen},
    {"lasttoken", Pooling::LastToken},
    {"none", Pooling::None},
}};

// Sums in double: texts may have thousands of tokens, and it costs next to nothing.
void pool_sum(std::span<const float> rows, double divisor, std::span<float> out) {
  using V = simd::Best;
  size_t j = 0;
  for (; j + V::kLanes <= out.size(); j += V::kLanes) {
    auto sums = V::splat64(0);
    for (size_t at = j; at < rows.size(); at += out.size()) {
      sums = V::add64(sums, V::widen(V::load(&rows[at])));
    }
    double lanes[V::kLanes];
    V::store64(lanes, sums);
    for (size_t i = 0; i < V::kLanes; ++i) out[j + i] = static_cast<float>(lanes[i] / divisor);
  }
  for (; j < out.size(); ++j) {
    double sum = 0;
    for (size_t at = j; at < rows.size(); at += out.size()) sum += double{rows[at]};
    out[j] = static_cast<float>(sum / divisor);
  }
}

// sentence-transformers gives masked tokens -1e9, so that is the maximum of no rows.
void pool_max(std::span<const float> rows, std::span<float> out) {
  std::ranges::fill(out, -1e9F);
  for (size_t at = 0; at < rows.size(); at += out.size()) {
    for (size_t j = 0; j < out.size(); ++j) out[j] = std::max(out[j], rows[at + j]);
  }
}

// Copies the row, or clears `out` where a text has no row.
void copy_or_clear(std::span<const float> row, std::span<float> out) {
  if (row.empty()) {
    std::ranges::fill(out, 0.0F);
  } else {
    std::ranges::copy(row, out.begin());
  }
}

}  // namespace

std::optional<Pooling> pooling_by_name(std::string_view name) {
  for (const auto& [known, pooling] : kNames) {
    if (known == name) return pooling;
  }
  return std::nullopt;
}

void pool(Pooling pooling, std::span<const float> hidden, size_t n_prompt, std::span<float> out) {
  assert(pooling != Pooling::None && hidden.size() % out.size() == 0);
  const size_t width = out.size();
  const size_t n_rows = hidden.size() / width;
  const std::span<const float> rows = hidden.subspan(std::min(n_prompt, n_rows) * width);
  const size_t n_kept = rows.size() / width;
  const double n_pooled = std::max(static_cast<double>(n_kept), 1e-9);
  switch (pooling) {
    case Pooling::Mean:
      return pool_sum(rows, n_pooled, out);
    case Pooling::MeanSqrtLen:
      return pool_sum(rows, std::sqrt(n_pooled), out);
    case Pooling::Max:
      return pool_max(rows, out);
    case Pooling::Cls:
      return copy_or_clear(hidden.first(std::min(width, hidden.size())), out);
    case Pooling::LastToken:
      return copy_or_clear(rows.last(std::min(width, rows.size())), out);
    case Pooling::None:
      return;
  }
}

void normalize(std::span<float> vector) { kernels::l2_normalize(vector, 1e-12); }

}  // namespace ambry::infer
