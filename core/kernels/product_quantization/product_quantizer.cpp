#include "kernels/product_quantization/product_quantizer.h"

#include <algorithm>
#include <array>

#include "kernels/product_quantization/nearest_centroid.h"
#include "simd/isa.h"
#include "tensor/word_norm.h"

namespace ambry::kernels {

void ProductQuantizer::reconstruct(const uint8_t* codes, std::span<float> vector,
                                   std::span<float> scratch) const {
  assert(vector.size() == shape.dims && scratch.size() == shape.dims);
  const size_t width = shape.slice_dims();
  const std::span<float> joined = projection.empty() ? vector : scratch;
  for (size_t slice = 0; slice < shape.n_slices; ++slice) {
    const auto centroid = codebook(slice).subspan(codes[slice] * width, width);
    std::ranges::copy(centroid, joined.begin() + static_cast<std::ptrdiff_t>(slice * width));
  }
  if (projection.empty()) return;
  for (size_t i = 0; i < shape.dims; ++i) {
    vector[i] = tensor::word_dot(joined, std::span(projection).subspan(i * shape.dims, shape.dims));
  }
}

void encode_slice(const QuantizerShape& shape, size_t slice, std::span<const float> codebook,
                  const float* rows, size_t n_rows, uint8_t* codes, size_t stride) {
  const size_t width = shape.slice_dims();
  std::vector<float> panel(kPanelColumns * width);
  std::array<uint8_t, kPanelColumns> found{};
  for (size_t row = 0; row < n_rows; row += kPanelColumns) {
    const size_t n = std::min(kPanelColumns, n_rows - row);
    pack_f32<simd::Baseline>({rows + row * shape.dims + slice * width, shape.dims, 1}, n, width,
                             panel.data());
    nearest_of_panel<simd::Baseline>(panel.data(), codebook, width, found.data());
    for (size_t i = 0; i < n; ++i) codes[(row + i) * stride] = found[i];
  }
}

Result<VectorEncoder> VectorEncoder::begin(const ProductQuantizer& quantizer) {
  VectorEncoder encoder;
  encoder.quantizer_ = &quantizer;
  if (quantizer.projection.empty()) return encoder;
  AMBRY_TRY(encoder.rotation_, RowRotation::pack(quantizer.projection, quantizer.shape.dims));
  return encoder;
}

void VectorEncoder::encode(const float* rows, size_t n_rows, uint8_t* codes) {
  const QuantizerShape& shape = quantizer_->shape;
  if (!quantizer_->projection.empty()) {
    rotated_.resize(n_rows * shape.dims);
    rotation_.apply(rows, n_rows, rotated_.data());
    rows = rotated_.data();
  }
  for (size_t slice = 0; slice < shape.n_slices; ++slice) {
    encode_slice(shape, slice, quantizer_->codebook(slice), rows, n_rows, codes + slice,
                 shape.n_slices);
  }
}

}  // namespace ambry::kernels
