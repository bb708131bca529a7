#include "kernels/gemm/layout/packed_int8_weights.h"

#include <algorithm>

#include "base/bytes.h"
#include "simd/isa.h"

namespace ambry::kernels {
namespace {

// The position of element i of a block among the eight bytes of its two lanes.
constexpr size_t kByteOrder[kInt8Block] = {0, 2, 4, 6, 1, 3, 5, 7};
constexpr size_t kLaneBytes = 4;
static_assert(sizeof(float) == kLaneBytes && sizeof(int32_t) == kLaneBytes);

// Moves four bytes to the even bytes of eight.
uint64_t spread(uint64_t four) {
  four = (four | four << 16) & 0x0000FFFF0000FFFF;
  return (four | four << 8) & 0x00FF00FF00FF00FF;
}

// Packs eight weights of one output into its two lanes.
void pack_block(const uint8_t* from, uint8_t* to) {
  const uint64_t even = spread(load_le<uint32_t>(from));
  const uint64_t lanes = even | spread(load_le<uint32_t>(from + kLaneBytes)) << 8;
  store_le(to, static_cast<uint32_t>(lanes));
  store_le(to + kPanelColumns * kLaneBytes, static_cast<uint32_t>(lanes >> 32));
}

}  // namespace

PackedPosition packed_position(size_t i) {
  const size_t place = kByteOrder[i % kInt8Block];
  const size_t lane = i / kInt8Block * 2 + place / kLaneBytes;
  return {static_cast<uint32_t>(lane * kPanelColumns * kLaneBytes),
          static_cast<uint32_t>(8 * (kLaneBytes - 1 - place % kLaneBytes))};
}

Result<PackedInt8Weights> PackedInt8Weights::pack(const int8_t* weight, size_t n, size_t k,
                                                  std::span<const float> scales,
                                                  std::span<const float> zero_points) {
  assert(scales.size() == n && zero_points.size() == n && k <= kMaxInt8Columns);
  PackedInt8Weights matrix;
  matrix.n_ = n;
  matrix.k_ = k;
  const uint64_t columns = uint64_t{n_panels(n)} * kPanelColumns * kParameters * sizeof(float);
  AMBRY_TRY(matrix.panels_, AlignedBuffer::allocate(uint64_t{n_panels(n)} * matrix.panel_size()));
  AMBRY_TRY(matrix.quantization_, AlignedBuffer::allocate(columns));
  // Outputs that pad the last panel are 0.
  const size_t last = n_panels(n) > 0 ? (n_panels(n) - 1) * matrix.panel_size() : 0;
  std::ranges::fill(matrix.panels_.bytes().subspan(last), uint8_t{0});
  std::ranges::fill(matrix.quantization_.as<float>(), 0.0F);
  for (size_t i = 0; i < n; ++i) matrix.pack_output(i, weight + i * k, scales[i], zero_points[i]);
  for (size_t i = 0; i < n_panels(n); ++i) matrix.sum_panel(i);
  return matrix;
}

void PackedInt8Weights::pack_output(size_t output, const int8_t* row, float scale,
                                    float zero_point) {
  const size_t panel = output / kPanelColumns;
  const size_t column = output % kPanelColumns;
  uint8_t* to = panels_.data() + panel * panel_size() + column * kLaneBytes;
  const auto* from = reinterpret_cast<const uint8_t*>(row);
  for (size_t i = 0; i < k_; i += kInt8Block) {
    uint8_t rest[kInt8Block] = {};
    const bool whole = k_ - i >= kInt8Block;
    if (!whole) std::copy(from + i, from + k_, rest);
    pack_block(whole ? from + i : rest, to + i * kPanelColumns);
  }
  const size_t at = panel * kParameters * kPanelColumns + column;
  quantization_.as<float>()[at] = scale;
  quantization_.as<float>()[at + kPanelColumns] = zero_point;
}

// Sums the codes of all outputs of a panel.
void PackedInt8Weights::sum_panel(size_t i) {
  using V = simd::Best;
  const int8_t* lanes = panel(i);
  int32_t* sums = quantization_.as<int32_t>().data() + (i * kParameters + 2) * kPanelColumns;
  for (size_t c = 0; c < kPanelColumns; c += V::kLanes) {
    auto sum = V::splat_i32(0);
    for (size_t at = c * kLaneBytes; at < panel_size(); at += kPanelColumns * kLaneBytes) {
      sum = V::add_dot_i8x4(V::load_i8x4(lanes + at), V::splat_i32(0x01010101), sum);
    }
    V::store_i32(sums + c, sum);
  }
}

}  // namespace ambry::kernels
