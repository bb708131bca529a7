#include <cassert>

#include "infer/cnn/layers.h"
#include "infer/cnn/patches.h"
#include "kernels/pair_products.h"
#include "kernels/static_quantize.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

using kernels::kPairRows;
using kernels::kPanelColumns;
using V = simd::Baseline;  // equal bits in every flavour

struct Panels {
  const int16_t* pairs;
  size_t n_pairs;
  size_t columns;
};

void multiply(const CnnLayerCall& call, const Panels& panels, uint8_t* to) {
  // In the reference's order: the scales of both sides first.
  const float scale = call.layer.weight_scale * call.in.form().scale;
  const kernels::Requantization result{scale / call.layer.out_scale, call.layer.out_zero_point};
  const int16_t* weights = call.weights.weight.as<int16_t>().data();
  const std::vector<int32_t>& bias = call.weights.whole_bias;
  const auto n_rows = static_cast<size_t>(call.layer.out);
  const auto plane = static_cast<size_t>(call.out.plane());
  const size_t stride = 2 * panels.n_pairs;
  int32_t sums[kPairRows * kPanelColumns];
  uint8_t bytes[kPanelColumns];
  for (size_t row = 0; row < n_rows; row += kPairRows) {
    const size_t rows = std::min(kPairRows, n_rows - row);
    for (size_t c = 0; c < panels.columns; c += kPanelColumns) {
      kernels::multiply_pair_rows<V>(rows, weights + row * stride, stride,
                                     panels.pairs + c * stride, panels.n_pairs, sums);
      for (size_t r = 0; r < rows; ++r) {
        result.apply<V>(sums + r * kPanelColumns, bias.empty() ? 0 : bias[row + r], bytes);
        std::copy_n(bytes, std::min(kPanelColumns, panels.columns - c), to + (row + r) * plane + c);
      }
    }
  }
}

}  // namespace

Result<CnnMap> run_static_layer(const CnnLayerCall& call) {
  assert(call.in.is_bytes());
  const Bytes in = call.in.bytes();
  const int32_t zero_point = call.in.form().zero_point;
  const auto number_of = [&](size_t i) { return static_cast<int16_t>(in[i] - zero_point); };
  AMBRY_TRY(auto patches,
            Patches<int16_t>::create(call.layer, call.in.shape(), call.out, number_of));
  AMBRY_TRY(CnnMap out,
            CnnMap::of_bytes(call.out, {call.layer.out_scale, call.layer.out_zero_point}));
  const size_t n_pairs = (static_cast<size_t>(call.layer.row()) + 1) / 2;
  const auto plane = static_cast<size_t>(call.out.plane());
  const size_t panel = 2 * n_pairs * kPanelColumns;
  const size_t n_panels = panels_at_once(panel * sizeof(int16_t), plane);
  AMBRY_TRY(AlignedBuffer memory,
            AlignedBuffer::allocate(uint64_t{panel} * n_panels * sizeof(int16_t)));
  const std::span<int16_t> block = memory.as<int16_t>();
  for (size_t first = 0; first < plane; first += n_panels * kPanelColumns) {
    const size_t columns = std::min(n_panels * kPanelColumns, plane - first);
    for (size_t c = 0; c < columns; c += kPanelColumns) {
      patches.seek(first + c);
      patches.gather_pairs<V>(&block[c / kPanelColumns * panel]);
    }
    multiply(call, {block.data(), n_pairs, columns}, out.bytes().data() + first);
  }
  return out;
}

}  // namespace ambry::infer
