#include "infer/cnn/conv.h"
#include "infer/cnn/im2col.h"
#include "kernels/gemm/group_tile_int16.h"
#include "kernels/quantize/dynamic_quantize.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

using kernels::GroupForm;
using kernels::kPairRows;
using kernels::kPanelColumns;
using kernels::PairGroups;
using V = simd::Baseline;  // equal bits in every flavour

// A few panels of patches, quantised.
class CodePanels {
 public:
  CodePanels(const GroupForm& form, size_t group, bool asymmetric)
      : form_(form), group_(group), asymmetric_(asymmetric) {}

  Result<void> reserve(size_t n_panels) {
    const uint64_t columns = uint64_t{n_panels} * kPanelColumns;
    AMBRY_TRY(pairs_, AlignedBuffer::allocate(columns * form_.row() * sizeof(int16_t)));
    for (AlignedBuffer* words : {&scales_, &zero_points_, &sums_}) {
      AMBRY_TRY(*words, AlignedBuffer::allocate(columns * form_.n_groups * sizeof(int32_t)));
    }
    AMBRY_TRY(floats_, AlignedBuffer::allocate(uint64_t{form_.n_groups} * group_ * kPanelColumns *
                                               sizeof(float)));
    return {};
  }

  void quantize(const Patches<float>& patches, size_t panel) {
    float* floats = floats_.as<float>().data();
    patches.gather(floats);
    int16_t* pairs = &pairs_.as<int16_t>()[panel * form_.row() * kPanelColumns];
    for (size_t g = 0; g < form_.n_groups; ++g) {
      const size_t at = (panel * form_.n_groups + g) * kPanelColumns;
      kernels::quantize_group<V>(
          floats + g * group_ * kPanelColumns, group_,
          {pairs + g * form_.n_pairs * 2 * kPanelColumns, &scales_.as<float>()[at],
           asymmetric_ ? &zero_points_.as<int32_t>()[at] : nullptr, &sums_.as<int32_t>()[at]});
    }
  }

  [[nodiscard]] PairGroups view(size_t panel) const {
    const size_t at = panel * form_.n_groups * kPanelColumns;
    return {&pairs_.as<int16_t>()[panel * form_.row() * kPanelColumns], &scales_.as<float>()[at],
            asymmetric_ ? &zero_points_.as<int32_t>()[at] : nullptr, &sums_.as<int32_t>()[at]};
  }
  [[nodiscard]] CnnCodes codes(size_t panel, size_t columns) const {
    const PairGroups groups = view(panel);
    return {columns, form_.n_groups, group_, groups.pairs, groups.scales, groups.zero_points};
  }

 private:
  GroupForm form_;
  size_t group_;
  bool asymmetric_;
  AlignedBuffer pairs_;
  AlignedBuffer scales_;
  AlignedBuffer zero_points_;
  AlignedBuffer sums_;
  AlignedBuffer floats_;  // of one panel
};

class DynamicLayer {
 public:
  DynamicLayer(const CnnLayerCall& call, bool asymmetric, CnnWatcher* watcher)
      : call_(call),
        group_(static_cast<size_t>(call.layer.weight_group)),
        form_{static_cast<size_t>(call.layer.row()) / group_, (group_ + 1) / 2},
        plane_(static_cast<size_t>(call.out.plane())),
        panels_(form_, group_, asymmetric),
        watcher_(watcher) {
    const CnnParameters& weights = call.weights;
    weights_ = {weights.weight.as<int16_t>().data(), weights.scales.data(),
                asymmetric ? weights.zero_points.data() : nullptr, weights.sums.data()};
  }

  Result<CnnMap> run() {
    const std::span<const float> in = call_.in.floats();
    AMBRY_TRY(auto patches, Patches<float>::create(call_, 0.0F, [&](size_t i) { return in[i]; }));
    AMBRY_TRY(CnnMap out, CnnMap::of_floats(call_.out));
    const size_t panel_bytes = form_.row() * kPanelColumns * sizeof(int16_t);
    const size_t n_panels = panels_at_once(panel_bytes, plane_);
    AMBRY_CHECK(panels_.reserve(n_panels));
    for (size_t first = 0; first < plane_; first += n_panels * kPanelColumns) {
      const size_t columns = std::min(n_panels * kPanelColumns, plane_ - first);
      for (size_t c = 0; c < columns; c += kPanelColumns) {
        patches.seek(first + c);
        panels_.quantize(patches, c / kPanelColumns);
        if (watcher_ != nullptr) {
          watcher_->on_codes(panels_.codes(c / kPanelColumns, patches.columns()));
        }
      }
      multiply(columns, out.floats().data() + first);
    }
    return out;
  }

 private:
  void multiply(size_t columns, float* to) const {
    float sums[kPairRows * kPanelColumns];
    const auto n_rows = static_cast<size_t>(call_.layer.out);
    for (size_t row = 0; row < n_rows; row += kPairRows) {
      const size_t rows = std::min(kPairRows, n_rows - row);
      for (size_t c = 0; c < columns; c += kPanelColumns) {
        kernels::multiply_groups<V>(form_, weights_, row, rows, panels_.view(c / kPanelColumns),
                                    sums);
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

  const CnnLayerCall& call_;
  size_t group_;
  GroupForm form_;
  size_t plane_;
  CodePanels panels_;
  PairGroups weights_{};
  CnnWatcher* watcher_;
};

}  // namespace

Result<CnnMap> run_dynamic_layer(const CnnLayerCall& call, bool asymmetric, CnnWatcher* watcher) {
  return DynamicLayer(call, asymmetric, watcher).run();
}

}  // namespace ambry::infer
