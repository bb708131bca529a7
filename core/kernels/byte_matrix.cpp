#include "kernels/byte_matrix.h"

#include <algorithm>

namespace ambry::kernels {
namespace {

// Where number i of a block lies among the eight bytes of its two lanes.
constexpr size_t kPlaces[kByteBlock] = {0, 2, 4, 6, 1, 3, 5, 7};
constexpr size_t kLaneBytes = 4;

}  // namespace

Result<ByteMatrix> ByteMatrix::pack(const int8_t* weight, size_t n, size_t k,
                                    std::span<const float> scales,
                                    std::span<const float> zero_points) {
  assert(scales.size() == n && zero_points.size() == n && k <= kMaxByteColumns);
  ByteMatrix matrix;
  matrix.n_ = n;
  matrix.k_ = k;
  const uint64_t columns = uint64_t{n_panels(n)} * kPanelColumns * 2 * sizeof(float);
  AMBRY_TRY(matrix.panels_, AlignedBuffer::allocate(uint64_t{n_panels(n)} * matrix.panel_size()));
  AMBRY_TRY(matrix.columns_, AlignedBuffer::allocate(columns));
  std::ranges::fill(matrix.panels_.bytes(), uint8_t{0});
  std::ranges::fill(matrix.columns_.as<float>(), 0.0F);
  for (size_t i = 0; i < n; ++i) matrix.pack_output(i, weight + i * k, scales[i], zero_points[i]);
  return matrix;
}

void ByteMatrix::pack_output(size_t output, const int8_t* row, float scale, float zero_point) {
  const size_t column = output % kPanelColumns;
  auto* lanes = panels_.as<int8_t>().data() + output / kPanelColumns * panel_size();
  for (size_t i = 0; i < k_; ++i) {
    const size_t place = kPlaces[i % kByteBlock];
    const size_t lane = i / kByteBlock * 2 + place / kLaneBytes;
    lanes[(lane * kPanelColumns + column) * kLaneBytes + place % kLaneBytes] = row[i];
  }
  float* facts = columns_.as<float>().data() + output / kPanelColumns * 2 * kPanelColumns + column;
  facts[0] = scale;
  facts[kPanelColumns] = zero_point;
}

}  // namespace ambry::kernels
