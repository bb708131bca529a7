#include "convert/onnx/graph/dim.h"

#include <algorithm>
#include <utility>

namespace ambry::convert::onnx {
namespace {

constexpr size_t kMaxSample = size_t{1} << 20;
constexpr uint8_t kMaxPower = 4;

}  // namespace

int64_t Dim::at(int64_t n_tokens) const {
  int64_t value = factor;
  for (uint8_t i = 0; i < tokens; ++i) {
    if (__builtin_mul_overflow(value, n_tokens, &value)) return INT64_MAX;
  }
  return value;
}

std::optional<Dim> times(const Dim& a, const Dim& b) {
  Dim out{0, static_cast<uint8_t>(a.batches + b.batches),
          static_cast<uint8_t>(a.tokens + b.tokens)};
  if (__builtin_mul_overflow(a.factor, b.factor, &out.factor)) return std::nullopt;
  if (out.batches > kMaxPower || out.tokens > kMaxPower) return std::nullopt;
  if (out.factor == 0) return number_dim(0);
  return out;
}

std::optional<Dim> divided(const Dim& a, const Dim& b) {
  if (b.factor == 0 || a.factor % b.factor != 0) return std::nullopt;
  if (a.factor == 0) return number_dim(0);
  if (a.batches < b.batches || a.tokens < b.tokens) return std::nullopt;
  return Dim{a.factor / b.factor, static_cast<uint8_t>(a.batches - b.batches),
             static_cast<uint8_t>(a.tokens - b.tokens)};
}

std::optional<Dim> plus(const Dim& a, const Dim& b, bool minus) {
  if (b.factor == 0) return a;
  if (a.factor != 0 && (a.batches != b.batches || a.tokens != b.tokens)) return std::nullopt;
  Dim out{0, b.batches, b.tokens};
  const bool overflows = minus ? __builtin_sub_overflow(a.factor, b.factor, &out.factor)
                               : __builtin_add_overflow(a.factor, b.factor, &out.factor);
  if (overflows) return std::nullopt;
  if (out.factor == 0) return number_dim(0);
  return out;
}

std::optional<Dim> product(const Dims& dims) {
  Dim out = number_dim(1);
  for (const Dim& dim : dims) {
    const auto next = times(out, dim);
    if (!next) return std::nullopt;
    out = *next;
  }
  return out;
}

std::optional<size_t> sample_count(const Dims& dims, int64_t n_tokens) {
  size_t count = 1;
  for (const Dim& dim : dims) {
    const int64_t extent = dim.at(n_tokens);
    if (extent < 0 || static_cast<uint64_t>(extent) > kMaxSample) return std::nullopt;
    count *= static_cast<size_t>(extent);
    if (count > kMaxSample) return std::nullopt;
  }
  return count;
}

std::optional<Dims> broadcast(const Dims& a, const Dims& b) {
  if (a.size() < b.size()) return broadcast(b, a);
  Dims out = a;
  for (size_t i = 0; i < b.size(); ++i) {
    Dim& mine = out[a.size() - b.size() + i];
    if (mine.is(1)) {
      mine = b[i];
    } else if (!b[i].is(1) && mine != b[i]) {
      return std::nullopt;
    }
  }
  return out;
}

std::optional<size_t> axis_of(int64_t axis, size_t rank) {
  const auto n = static_cast<int64_t>(rank);
  if (axis < -n || axis >= n) return std::nullopt;
  return static_cast<size_t>(axis < 0 ? axis + n : axis);
}

}  // namespace ambry::convert::onnx
