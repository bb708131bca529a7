// The numbers of a network's layers as its kernels read them.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "model/cnn/cnn_table.h"
#include "model/model.h"
#include "simd/isa.h"

namespace ambry::infer {

// Of one layer, or of a batch norm.
struct CnnParameters {
  // Vanilla: floats, row by row. Quantised: pairs or, as runs_on_int8() says, fours of codes
  // (kernels/gemm/integer_microkernel.h), the last of each group filled up with 0; in SQ8's pairs
  // the zero point is taken off.
  AlignedBuffer weight;
  // DQ8, by output and group.
  std::vector<float> scales;
  std::vector<int32_t> zero_points;   // empty when symmetric
  std::vector<int32_t> sums;          // of the codes minus their zero point; also of SQ8's fours
  std::vector<float> bias;            // empty where the layer has none
  std::vector<int32_t> integer_bias;  // SQ8, in units of its sums
  // Batch norms, whose weight is in `scales`.
  std::vector<float> mean;
  std::vector<float> variance;
};

// Whether this build runs such a layer of SQ8 on bytes. Zero points of weights, which no known
// writer has, would ask for the sums of all patches.
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

// Makes them of a model's tensors as these arrive, a layer as soon as it is complete.
class CnnWeightsBuilder {
 public:
  // BadValue for a table that makes no sense, NotFound for a tensor that is missing.
  [[nodiscard]] static Result<CnnWeightsBuilder> plan(const model::Model& model);

  // Whether tensor `index` of the model belongs to the network.
  [[nodiscard]] bool wants(size_t index) const { return places_[index].part != Part::None; }
  [[nodiscard]] Result<void> accept(size_t index, AlignedBuffer bytes);
  // When every wanted tensor has been accepted.
  [[nodiscard]] CnnWeights finish() &&;

  [[nodiscard]] const model::CnnTable& table() const { return weights_.table; }

 private:
  // In the order of cnn_tensors()' names.
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
  std::vector<Place> places_;  // by tensor of the model
  std::array<std::vector<Raw>, std::size(model::kCnnKinds)> raw_;
};

}  // namespace ambry::infer
