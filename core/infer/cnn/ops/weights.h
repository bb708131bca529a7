// The weights of a network's layers in the form that its kernels read.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "model/cnn/cnn_table.h"
#include "model/file/model.h"
#include "simd/isa.h"

namespace ambry::infer {

// The parameters of one layer or batch norm.
struct CnnParameters {
  // Vanilla: floats, row by row. Quantized: int16 pairs, or fours of int8 where runs_on_int8()
  // (kernels/gemm/layout/integer_microkernel.h). The last of each group is padded with 0. In SQ8's
  // pairs the zero point is subtracted.
  AlignedBuffer weight;
  // DQ8: indexed by output and group.
  std::vector<float> scales;
  std::vector<int32_t> zero_points;   // empty when symmetric
  std::vector<int32_t> sums;          // Σ (code - zero point); also of SQ8's int8 weights
  std::vector<float> bias;            // empty where the layer has none
  std::vector<int32_t> integer_bias;  // SQ8: in units of the integer sums
  // Batch norms; their weight is in `scales`.
  std::vector<float> mean;
  std::vector<float> variance;
};

// Whether this build runs an SQ8 layer on bytes. A zero point of the weights would need the sums of
// all patches; no known writer has one.
[[nodiscard]] inline bool runs_on_int8(const model::CnnLayer& layer) {
  return simd::Best::kFastInt8Dot && layer.weight_zero_point == 0;
}

struct CnnWeights {
  model::CnnTable table;
  std::array<std::vector<CnnParameters>, std::size(model::kCnnKinds)> layers;

  [[nodiscard]] std::vector<CnnParameters>& of(model::CnnKind kind) {
    return layers[static_cast<size_t>(kind)];
  }
  [[nodiscard]] const std::vector<CnnParameters>& of(model::CnnKind kind) const {
    return layers[static_cast<size_t>(kind)];
  }
};

// Converts a model's tensors as they arrive, each layer as soon as it is complete.
class CnnWeightsBuilder {
 public:
  // BadValue for an invalid table, NotFound for a missing tensor.
  [[nodiscard]] static Result<CnnWeightsBuilder> plan(const model::Model& model);

  // Whether tensor `index` of the model belongs to the network.
  [[nodiscard]] bool wants(size_t index) const { return places_[index].part != Part::None; }
  [[nodiscard]] Result<void> accept(size_t index, AlignedBuffer bytes);
  // Call when every wanted tensor has been accepted.
  [[nodiscard]] CnnWeights finish() &&;

  [[nodiscard]] const model::CnnTable& table() const { return weights_.table; }

 private:
  // In the order of the names in cnn_tensors().
  enum class Part : uint8_t {
    Weight,
    WeightScale,
    WeightZeroPoint,
    Bias,
    BiasScale,
    BiasZeroPoint,
    Mean,
    Variance,
    None,
  };
  struct Place {
    model::CnnKind kind = model::CnnKind::Conv;
    size_t layer = 0;
    Part part = Part::None;
  };
  struct Raw {
    std::array<AlignedBuffer, static_cast<size_t>(Part::None)> parts;
    size_t missing = 0;

    [[nodiscard]] const AlignedBuffer& of(Part part) const {
      return parts[static_cast<size_t>(part)];
    }
  };

  [[nodiscard]] static Part part_of(std::string_view name);
  [[nodiscard]] Result<void> pack(const Place& place, Raw& raw);
  [[nodiscard]] Result<void> pack_int16(const model::CnnLayer& layer, const Raw& raw,
                                        CnnParameters& to) const;
  [[nodiscard]] static Result<void> pack_int8(const model::CnnLayer& layer, const Raw& raw,
                                              CnnParameters& to);
  void pack_dq8_parameters(const model::CnnLayer& layer, const Raw& raw, CnnParameters& to) const;

  CnnWeights weights_;
  std::vector<Place> places_;  // indexed by tensor of the model
  std::array<std::vector<Raw>, std::size(model::kCnnKinds)> raw_;
};

}  // namespace ambry::infer
