#include "infer/cnn/ops/conv.h"
#include "infer/cnn/ops/conv_winograd.h"
#include "infer/cnn/ops/im2col.h"
#include "kernels/gemm/f32_gemm.h"
#include "kernels/gemm/tiles/epilogue.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

using kernels::kPanelColumns;

void multiply_block(const ConvCall& call, const kernels::PanelView& patches, bool fast, float* to) {
  const auto rows = static_cast<size_t>(call.layer.out);
  const kernels::MatrixView weights{call.weights.weight.as<float>().data(), rows, patches.k};
  const auto plane = static_cast<size_t>(call.out.plane());
  const float* bias = call.weights.bias.empty() ? nullptr : call.weights.bias.data();
  if (fast) {
    kernels::fused_f32_gemm<simd::Best>(weights, patches, to, plane, kernels::RowBias{bias});
  } else {
    kernels::f32_gemm<simd::Best>(weights, patches, to, plane, kernels::RowBias{bias});
  }
}

}  // namespace

Result<FeatureMap> run_f32_conv(const ConvCall& call, bool fast) {
  if (fast && suits_winograd(call)) return run_winograd_conv(call);
  const std::span<const float> in = call.in.floats();
  AMBRY_TRY(auto patches, Im2col<float>::create(call, 0.0F, [&](size_t i) { return in[i]; }));
  AMBRY_TRY(FeatureMap out, FeatureMap::f32(call.out));
  const auto row = static_cast<size_t>(call.layer.row());
  const auto plane = static_cast<size_t>(call.out.plane());
  const size_t panel = row * kPanelColumns;
  const size_t n_panels = panels_at_once(panel * sizeof(float), plane);
  AMBRY_TRY(AlignedBuffer memory,
            AlignedBuffer::allocate(uint64_t{panel} * n_panels * sizeof(float)));
  float* block = memory.as<float>().data();
  const size_t step = n_panels * kPanelColumns;
  for (size_t first = 0; first < plane; first += step) {
    const size_t columns = std::min(step, plane - first);
    for (size_t c = 0; c < columns; c += kPanelColumns) {
      patches.seek(first + c);
      patches.gather(block + c * row);
    }
    const kernels::PanelView view{columns, row, block};
    multiply_block(call, view, fast, out.floats().data() + first);
  }
  return out;
}

}  // namespace ambry::infer
