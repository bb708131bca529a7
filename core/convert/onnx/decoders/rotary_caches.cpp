#include "convert/onnx/decoders/rotary_caches.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "convert/onnx/graph/graph_constants.h"
#include "convert/plan/source_model.h"
#include "tensor/dtype/convert.h"

namespace ambry::convert::onnx {
namespace {

using formats::onnx::Node;
using model::RopeFrequencies;

// Exporters compute the frequencies and angles in f32.
constexpr double kAngleError = 2e-6;

struct Cache {
  model::TensorEntry tensor;
  Bytes bytes;
  double rounding = 0;
};

Result<Cache> cache_of(const OnnxFile& file, const Node& user,
                       const formats::onnx::Tensor& constant, size_t n_pairs) {
  const std::string_view name = file.model().names[constant.name];
  AMBRY_TRY(const auto input, stored_input(file, constant));
  if (!input || !is_float(input->tensor.dtype)) {
    return file.refuse(user, {name, " is no table of floats in a file"});
  }
  const model::TensorEntry& tensor = input->tensor;
  if (tensor.shape.rank() != 2 || tensor.shape[0] < 2 || tensor.shape[1] != n_pairs) {
    return file.refuse(user, {name, " has the shape ", to_string(tensor.shape),
                              ", but config.json rotates ", n_pairs, " pairs of each head"});
  }
  double rounding = 1e-6;
  if (tensor.dtype == tensor::DType::F16) rounding = 1e-3;
  if (tensor.dtype == tensor::DType::BF16) rounding = 8e-3;
  auto bytes =
      file.sources().files()[input->file].source->view(tensor.offset, tensor.bytes, tensor.name);
  if (!bytes) return in_source_file(bytes.take_error(), file.sources(), input->file);
  return Cache{tensor, *bytes, rounding};
}

// The rotations of one position after another, each from the one before. The error of 2^17 steps in
// double is far below that of the numbers that are compared.
class Rotations {
 public:
  explicit Rotations(const RopeFrequencies& frequencies) : frequencies_(frequencies) {
    for (const double angle : frequencies.inv_freq) {
      steps_.emplace_back(std::cos(angle), std::sin(angle));
      at_.emplace_back(1, 0);
    }
  }
  void advance() {
    for (size_t i = 0; i < at_.size(); ++i) {
      const auto [c, s] = at_[i];
      const auto [step_c, step_s] = steps_[i];
      at_[i] = {c * step_c - s * step_s, s * step_c + c * step_s};
    }
    ++position_;
  }
  [[nodiscard]] double cosine(size_t i) const {
    return at_[i].first * frequencies_.attention_scaling;
  }
  [[nodiscard]] double sine(size_t i) const {
    return at_[i].second * frequencies_.attention_scaling;
  }
  [[nodiscard]] double error(size_t i) const {
    return kAngleError * static_cast<double>(position_) * frequencies_.inv_freq[i] *
           frequencies_.attention_scaling;
  }

 private:
  const RopeFrequencies& frequencies_;
  std::vector<std::pair<double, double>> steps_;
  std::vector<std::pair<double, double>> at_;
  uint64_t position_ = 0;
};

Result<void> read_row(const Cache& cache, uint64_t row, std::vector<float>& out) {
  const auto size = static_cast<size_t>(cache.tensor.bytes / cache.tensor.shape[0]);
  return tensor::to_f32(cache.tensor.dtype,
                        cache.bytes.subspan(static_cast<size_t>(row) * size, size), out);
}

}  // namespace

Result<void> check_rotary_caches(const OnnxFile& file, const Node& user, const RotaryCaches& caches,
                                 const RopeFrequencies& frequencies) {
  const size_t n_pairs = frequencies.inv_freq.size();
  AMBRY_TRY(const Cache cosine, cache_of(file, user, *caches.cosines, n_pairs));
  AMBRY_TRY(const Cache sine, cache_of(file, user, *caches.sines, n_pairs));
  if (sine.tensor.shape != cosine.tensor.shape) {
    return file.refuse(user, "the tables of cosines and sines have different shapes");
  }
  const double rounding = std::max(cosine.rounding, sine.rounding);
  Rotations rotations(frequencies);
  std::vector<float> c(n_pairs);
  std::vector<float> s(n_pairs);
  for (uint64_t row = 0; row < cosine.tensor.shape[0]; ++row, rotations.advance()) {
    AMBRY_RETURN_IF_ERROR(read_row(cosine, row, c));
    AMBRY_RETURN_IF_ERROR(read_row(sine, row, s));
    for (size_t i = 0; i < n_pairs; ++i) {
      const double error = rotations.error(i) + frequencies.attention_scaling * rounding;
      const bool same = std::fabs(double{c[i]} - rotations.cosine(i)) <= error &&
                        std::fabs(double{s[i]} - rotations.sine(i)) <= error;
      if (same) continue;
      return file.refuse(
          user, {"row ", row, ", column ", i, " of ", cosine.tensor.name, " or ", sine.tensor.name,
                 " is not the rotation of config.json (rope_theta, rope_scaling)"});
    }
  }
  return {};
}

}  // namespace ambry::convert::onnx
