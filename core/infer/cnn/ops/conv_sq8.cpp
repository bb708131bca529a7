#include <cassert>

#include "infer/cnn/ops/conv.h"
#include "infer/cnn/ops/sq8_panels.h"
#include "kernels/quantize/static_quantize.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

using kernels::kIntegerTileRows;
using kernels::kPanelColumns;
using V = simd::Best;  // equal bits in every build, because nothing here is fused

// Computes the first `columns` of the outputs whose patches are in the panels.
template <class Panels>
void multiply(const ConvCall& call, Panels& panels, size_t columns, uint8_t* to) {
  // Multiplies the scales of both sides first, as the reference does.
  const float scale = call.layer.weight_scale * call.in.quantization().scale;
  const kernels::Requantization result{scale / call.layer.out_scale, call.layer.out_zero_point};
  const std::vector<int32_t>& bias = call.weights.integer_bias;
  const auto n_rows = static_cast<size_t>(call.layer.out);
  const auto plane = static_cast<size_t>(call.out.plane());
  int32_t sums[kIntegerTileRows * kPanelColumns];
  uint8_t bytes[kPanelColumns];
  for (size_t row = 0; row < n_rows; row += kIntegerTileRows) {
    const size_t rows = std::min(kIntegerTileRows, n_rows - row);
    for (size_t c = 0; c < columns; c += kPanelColumns) {
      panels.multiply(row, rows, c / kPanelColumns, sums);
      for (size_t r = 0; r < rows; ++r) {
        const auto lacking = static_cast<uint32_t>(panels.correction(row + r));
        const uint32_t more = bias.empty() ? 0 : static_cast<uint32_t>(bias[row + r]);
        result.apply<V>(sums + r * kPanelColumns, static_cast<int32_t>(lacking + more), bytes);
        std::copy_n(bytes, std::min(kPanelColumns, columns - c), to + (row + r) * plane + c);
      }
    }
  }
}

template <class Panels>
Result<FeatureMap> run_on(const ConvCall& call) {
  AMBRY_TRY(Panels panels, Panels::create(call));
  AMBRY_TRY(FeatureMap out,
            FeatureMap::quantized(call.out, {call.layer.out_scale, call.layer.out_zero_point}));
  const auto plane = static_cast<size_t>(call.out.plane());
  const size_t step = panels.count() * kPanelColumns;
  for (size_t first = 0; first < plane; first += step) {
    const size_t columns = std::min(step, plane - first);
    for (size_t c = 0; c < columns; c += kPanelColumns) {
      panels.gather(c / kPanelColumns, first + c);
    }
    multiply(call, panels, columns, out.bytes().data() + first);
  }
  return out;
}

}  // namespace

Result<FeatureMap> run_sq8_conv(const ConvCall& call) {
  assert(call.in.is_quantized());
  if constexpr (V::kFastInt8Dot) {
    if (runs_on_int8(call.layer)) return run_on<Int8Panels<V>>(call);
  }
  return run_on<Int16Panels<V>>(call);
}

}  // namespace ambry::infer
