#include "infer/cnn/ops/conv.h"
#include "infer/cnn/ops/im2col.h"
#include "kernels/gemm/groups/group_tile_int16.h"
#include "kernels/quantize/dynamic_quantize.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

using kernels::GroupShape;
using kernels::kIntegerTileRows;
using kernels::kPanelColumns;
using kernels::QuantizedGroups;
using Fixed = simd::Baseline;  // equal bits in every build

// A few panels of quantized patches.
class QuantizedPanels {
 public:
  QuantizedPanels(const GroupShape& shape, size_t group, bool asymmetric)
      : shape_(shape), group_(group), asymmetric_(asymmetric) {}

  Result<void> reserve(size_t n_panels) {
    const uint64_t columns = uint64_t{n_panels} * kPanelColumns;
    AMBRY_TRY(pairs_, AlignedBuffer::allocate(columns * shape_.row_size() * sizeof(int16_t)));
    for (AlignedBuffer* words : {&scales_, &zero_points_, &sums_}) {
      AMBRY_TRY(*words, AlignedBuffer::allocate(columns * shape_.n_groups * sizeof(int32_t)));
    }
    AMBRY_TRY(floats_, AlignedBuffer::allocate(uint64_t{shape_.n_groups} * group_ * kPanelColumns *
                                               sizeof(float)));
    return {};
  }

  void quantize(const Im2col<float>& patches, size_t panel) {
    float* floats = floats_.as<float>().data();
    patches.gather(floats);
    int16_t* pairs = &pairs_.as<int16_t>()[panel * shape_.row_size() * kPanelColumns];
    for (size_t g = 0; g < shape_.n_groups; ++g) {
      const size_t at = (panel * shape_.n_groups + g) * kPanelColumns;
      kernels::quantize_group<Fixed>(
          floats + g * group_ * kPanelColumns, group_,
          {pairs + g * shape_.n_pairs * 2 * kPanelColumns, &scales_.as<float>()[at],
           asymmetric_ ? &zero_points_.as<int32_t>()[at] : nullptr, &sums_.as<int32_t>()[at]});
    }
  }

  [[nodiscard]] QuantizedGroups view(size_t panel) const {
    const size_t at = panel * shape_.n_groups * kPanelColumns;
    return {&pairs_.as<int16_t>()[panel * shape_.row_size() * kPanelColumns],
            &scales_.as<float>()[at], asymmetric_ ? &zero_points_.as<int32_t>()[at] : nullptr,
            &sums_.as<int32_t>()[at]};
  }
  [[nodiscard]] CnnCodes codes(size_t panel, size_t columns) const {
    const QuantizedGroups groups = view(panel);
    return {columns, shape_.n_groups, group_, groups.pairs, groups.scales, groups.zero_points};
  }

 private:
  GroupShape shape_;
  size_t group_;
  bool asymmetric_;
  AlignedBuffer pairs_;
  AlignedBuffer scales_;
  AlignedBuffer zero_points_;
  AlignedBuffer sums_;
  AlignedBuffer floats_;  // one panel
};

class Dq8Conv {
 public:
  Dq8Conv(const ConvCall& call, bool asymmetric, CnnObserver* observer)
      : call_(call),
        group_(static_cast<size_t>(call.layer.weight_group)),
        shape_{static_cast<size_t>(call.layer.row()) / group_, (group_ + 1) / 2},
        plane_(static_cast<size_t>(call.out.plane())),
        panels_(shape_, group_, asymmetric),
        observer_(observer) {
    const CnnParameters& weights = call.weights;
    weights_ = {weights.weight.as<int16_t>().data(), weights.scales.data(),
                asymmetric ? weights.zero_points.data() : nullptr, weights.sums.data()};
  }

  Result<FeatureMap> run() {
    const std::span<const float> in = call_.in.floats();
    AMBRY_TRY(auto patches, Im2col<float>::create(call_, 0.0F, [&](size_t i) { return in[i]; }));
    AMBRY_TRY(FeatureMap out, FeatureMap::f32(call_.out));
    const size_t panel_bytes = shape_.row_size() * kPanelColumns * sizeof(int16_t);
    const size_t n_panels = panels_at_once(panel_bytes, plane_);
    AMBRY_RETURN_IF_ERROR(panels_.reserve(n_panels));
    for (size_t first = 0; first < plane_; first += n_panels * kPanelColumns) {
      const size_t columns = std::min(n_panels * kPanelColumns, plane_ - first);
      for (size_t c = 0; c < columns; c += kPanelColumns) {
        patches.seek(first + c);
        panels_.quantize(patches, c / kPanelColumns);
        if (observer_ != nullptr) {
          observer_->on_codes(panels_.codes(c / kPanelColumns, patches.columns()));
        }
      }
      multiply(columns, out.floats().data() + first);
    }
    return out;
  }

 private:
  void multiply(size_t columns, float* to) const {
    float sums[kIntegerTileRows * kPanelColumns];
    const auto n_rows = static_cast<size_t>(call_.layer.out);
    for (size_t row = 0; row < n_rows; row += kIntegerTileRows) {
      const size_t rows = std::min(kIntegerTileRows, n_rows - row);
      for (size_t c = 0; c < columns; c += kPanelColumns) {
        kernels::multiply_groups<Fixed>(shape_, weights_, row, rows,
                                        panels_.view(c / kPanelColumns), sums);
        const size_t n = std::min(kPanelColumns, columns - c);
        for (size_t r = 0; r < rows; ++r) {
          const std::vector<float>& bias = call_.weights.bias;
          const float more = bias.empty() ? 0.0F : bias[row + r];
          for (size_t i = 0; i < n; ++i) {
            to[(row + r) * plane_ + c + i] = sums[r * kPanelColumns + i] + more;
          }
        }
      }
    }
  }

  const ConvCall& call_;
  size_t group_;
  GroupShape shape_;
  size_t plane_;
  QuantizedPanels panels_;
  QuantizedGroups weights_{};
  CnnObserver* observer_;
};

}  // namespace

Result<FeatureMap> run_dq8_conv(const ConvCall& call, bool asymmetric, CnnObserver* observer) {
  return Dq8Conv(call, asymmetric, observer).run();
}

}  // namespace ambry::infer
