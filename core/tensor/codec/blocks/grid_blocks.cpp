#include "tensor/codec/blocks/grid_blocks.h"

#include <bit>
#include <cassert>
#include <cstddef>

#include "base/bytes.h"
#include "tensor/codec/blocks/block_decoders.h"
#include "tensor/codec/blocks/grid_tables.h"

namespace ambry::tensor {
namespace {

// The fourth bit of a code is the sign, or of IQ1 whether an eighth is taken away or added.
constexpr GridNumbers kIq2Numbers = {{8, 25, 43, 0, 0, 0, 0, 0, -8, -25, -43}, 0x1p-3F};
constexpr GridNumbers kIq3XxsNumbers = {
    {4, 12, 20, 28, 36, 44, 52, 62, -4, -12, -20, -28, -36, -44, -52, -62}, 0x1p-2F};
constexpr GridNumbers kIq3SNumbers = {
    {1, 3, 5, 7, 9, 11, 13, 15, -1, -3, -5, -7, -9, -11, -13, -15}, 1};
constexpr GridNumbers kIq1Numbers = {{-7, 1, 9, 0, 0, 0, 0, 0, -9, -1, 7}, 0x1p-3F};

struct Grid {
  std::span<const uint8_t> bitmap;
  uint32_t base;       // how many codes a number has
  uint32_t n_numbers;  // of a point
  uint32_t n_points;
};

enum GridId : uint8_t { kIq2Xxs, kIq2Xs, kIq2S, kIq1, kIq3Xxs, kIq3S };

constexpr std::array<Grid, 6> kGrids = {{
    {kIq2XxsPoints, 3, 8, 256},
    {kIq2XsPoints, 3, 8, 512},
    {kIq2SPoints, 3, 8, 1024},
    {kIq1Points, 3, 8, 2048},
    {kIq3XxsPoints, 8, 4, 256},
    {kIq3SPoints, 8, 4, 512},
}};

constexpr size_t first_point(size_t grid) {
  size_t first = 0;
  for (size_t i = 0; i < grid; ++i) first += kGrids[i].n_points;
  return first;
}
constexpr size_t kPoints = first_point(kGrids.size());

constexpr bool is_whole(const Grid& grid) {
  uint32_t n = 0;
  for (const uint8_t byte : grid.bitmap) n += static_cast<uint32_t>(std::popcount(byte));
  return n == grid.n_points;
}
static_assert([] {
  for (const Grid& grid : kGrids) {
    if (!is_whole(grid)) return false;
  }
  return true;
}());

uint16_t point_at(uint32_t place, const Grid& grid) {
  const uint32_t bits = grid.base == 3 ? 2 : 3;
  uint32_t point = 0;
  for (uint32_t i = 0; i < grid.n_numbers; ++i, place /= grid.base) {
    point |= place % grid.base << i * bits;
  }
  return static_cast<uint16_t>(point);
}

std::array<uint16_t, kPoints> make_points() {
  std::array<uint16_t, kPoints> points;
  size_t n = 0;
  for (const Grid& grid : kGrids) {
    for (uint32_t place = 0; place < grid.bitmap.size() * 8; ++place) {
      if ((grid.bitmap[place / 8] >> place % 8 & 1) != 0) points[n++] = point_at(place, grid);
    }
  }
  assert(n == kPoints);
  return points;
}

// The points of all grids, one after another.
const uint16_t* points_of(GridId grid) {
  static const std::array<uint16_t, kPoints> points = make_points();
  return points.data() + first_point(grid);
}

// The codes of eight numbers, of `bits` bits each, and their signs.
void put_eight(uint32_t numbers, uint32_t bits, uint32_t signs, uint8_t* codes) {
  for (size_t i = 0; i < 8; ++i, numbers >>= bits, signs >>= 1U) {
    codes[i] = static_cast<uint8_t>((numbers & ((1U << bits) - 1)) | (signs & 1U) << 3U);
  }
}

// Seven signs, and an eighth that makes the number of negative ones even.
uint32_t with_eighth(uint32_t signs) {
  signs &= 127U;
  return signs | (static_cast<uint32_t>(std::popcount(signs)) & 1U) << 7U;
}

// Scales are stored as s for 2s + 1.
int8_t odd_scale(uint32_t stored) { return static_cast<int8_t>(2 * stored + 1); }

void put_half_byte_scales(const uint8_t* from, KQuantBlock& to) {
  for (size_t g = 0; g < 16; ++g) to.scales[g] = odd_scale(from[g / 2] >> g % 2 * 4 & 15U);
}

void read_iq2_xxs(const uint8_t* from, KQuantBlock& to) {
  const uint16_t* points = points_of(kIq2Xxs);
  to.d = load_le<uint16_t>(from);
  for (size_t run = 0; run < 8; ++run) {
    const uint8_t* places = from + 2 + run * 8;
    const auto rest = load_le<uint32_t>(places + 4);
    to.scales[2 * run] = to.scales[2 * run + 1] = odd_scale(rest >> 28U);
    for (size_t i = 0; i < 4; ++i) {
      put_eight(points[places[i]], 2, with_eighth(rest >> 7 * i), &to.codes[run * 32 + i * 8]);
    }
  }
}

void read_iq2_xs(const uint8_t* from, KQuantBlock& to) {
  const uint16_t* points = points_of(kIq2Xs);
  to.d = load_le<uint16_t>(from);
  put_half_byte_scales(from + 66, to);
  for (size_t i = 0; i < 32; ++i) {
    const uint32_t both = load_le<uint16_t>(from + 2 + i * 2);
    put_eight(points[both & 511U], 2, with_eighth(both >> 9U), &to.codes[i * 8]);
  }
}

void read_iq2_s(const uint8_t* from, KQuantBlock& to) {
  const uint16_t* points = points_of(kIq2S);
  to.d = load_le<uint16_t>(from);
  put_half_byte_scales(from + 74, to);
  for (size_t i = 0; i < 32; ++i) {
    const uint32_t high = uint32_t{from[66 + i / 4]} >> i % 4 * 2 & 3U;
    put_eight(points[from[2 + i] | high << 8U], 2, from[34 + i], &to.codes[i * 8]);
  }
}

void read_iq3_xxs(const uint8_t* from, KQuantBlock& to) {
  const uint16_t* points = points_of(kIq3Xxs);
  to.d = load_le<uint16_t>(from);
  for (size_t i = 0; i < 32; ++i) {
    const auto rest = load_le<uint32_t>(from + 66 + i / 4 * 4);
    const uint8_t* places = from + 2 + i * 2;
    to.scales[i / 2] = odd_scale(rest >> 28U);
    put_eight(points[places[0]] | uint32_t{points[places[1]]} << 12U, 3,
              with_eighth(rest >> i % 4 * 7), &to.codes[i * 8]);
  }
}

void read_iq3_s(const uint8_t* from, KQuantBlock& to) {
  const uint16_t* points = points_of(kIq3S);
  to.d = load_le<uint16_t>(from);
  for (size_t i = 0; i < 32; ++i) {
    const uint32_t high = uint32_t{from[66 + i / 4]} >> i % 4 * 2;
    const uint8_t* places = from + 2 + i * 2;
    const size_t run = i / 4;
    to.scales[i / 2] = odd_scale(from[106 + run / 2] >> run % 2 * 4 & 15U);
    put_eight(points[places[0] | (high & 1U) << 8U] |
                  uint32_t{points[places[1] | (high & 2U) << 7U]} << 12U,
              3, from[74 + i], &to.codes[i * 8]);
  }
}

// Whether an eighth is taken away from all eight numbers, as their signs.
uint32_t all_signs(uint32_t bit) { return bit != 0 ? 255U : 0U; }

void read_iq1_s(const uint8_t* from, KQuantBlock& to) {
  const uint16_t* points = points_of(kIq1);
  to.d = load_le<uint16_t>(from);
  for (size_t i = 0; i < 32; ++i) {
    const uint32_t rest = load_le<uint16_t>(from + 34 + i / 4 * 2);
    to.scales[i / 2] = odd_scale(rest >> 12U & 7U);
    put_eight(points[from[2 + i] | (rest >> i % 4 * 3 & 7U) << 8U], 2, all_signs(rest & 0x8000U),
              &to.codes[i * 8]);
  }
}

void read_iq1_m(const uint8_t* from, KQuantBlock& to) {
  const uint16_t* points = points_of(kIq1);
  to.d = iq1_m_half(from);
  for (size_t i = 0; i < 32; ++i) {
    const uint32_t rest = uint32_t{from[32 + i / 2]} >> i % 2 * 4;
    const size_t g = i / 2;
    to.scales[g] = odd_scale(load_le<uint16_t>(from + 48 + g / 4 * 2) >> g % 4 * 3 & 7U);
    put_eight(points[from[i] | (rest & 7U) << 8U], 2, all_signs(rest & 8U), &to.codes[i * 8]);
  }
}

struct GridRow {
  DType dtype;
  GridId grid;
  const GridNumbers* numbers;
  void (*read)(const uint8_t*, KQuantBlock&);
};

constexpr std::array<GridRow, 7> kGridRows = {{
    {DType::IQ2_XXS, kIq2Xxs, &kIq2Numbers, read_iq2_xxs},
    {DType::IQ2_XS, kIq2Xs, &kIq2Numbers, read_iq2_xs},
    {DType::IQ2_S, kIq2S, &kIq2Numbers, read_iq2_s},
    {DType::IQ3_XXS, kIq3Xxs, &kIq3XxsNumbers, read_iq3_xxs},
    {DType::IQ3_S, kIq3S, &kIq3SNumbers, read_iq3_s},
    {DType::IQ1_S, kIq1, &kIq1Numbers, read_iq1_s},
    {DType::IQ1_M, kIq1, &kIq1Numbers, read_iq1_m},
}};

const GridRow* grid_row(DType dtype) {
  for (const GridRow& row : kGridRows) {
    if (row.dtype == dtype) return &row;
  }
  return nullptr;
}

void decode_grid(DType dtype, const uint8_t* from, float* out) {
  const GridNumbers& table = *grid_numbers(dtype);
  KQuantBlock block;
  read_grid_block(dtype, from, block);
  const float d = f16_to_f32(block.d) * table.unit;
  for (size_t i = 0; i < kSuperBlock; ++i) {
    const float step = d * static_cast<float>(block.scales[i / 16]);
    out[i] = step * static_cast<float>(table.numbers[block.codes[i]]);
  }
}

}  // namespace

const GridNumbers* grid_numbers(DType dtype) {
  const GridRow* row = grid_row(dtype);
  return row == nullptr ? nullptr : row->numbers;
}

void read_grid_block(DType dtype, const uint8_t* from, KQuantBlock& to) {
  grid_row(dtype)->read(from, to);
}

std::span<const uint16_t> grid_points(DType dtype) {
  const GridRow* row = grid_row(dtype);
  return {points_of(row->grid), kGrids[row->grid].n_points};
}

// Four bits in each of the last four words.
uint16_t iq1_m_half(const uint8_t* block) {
  uint32_t half = 0;
  for (size_t i = 0; i < 4; ++i) half |= uint32_t{block[49 + 2 * i]} >> 4U << 4 * i;
  return static_cast<uint16_t>(half);
}

void decode_iq1_s(const uint8_t* block, float* out) { decode_grid(DType::IQ1_S, block, out); }
void decode_iq1_m(const uint8_t* block, float* out) { decode_grid(DType::IQ1_M, block, out); }
void decode_iq2_xxs(const uint8_t* block, float* out) { decode_grid(DType::IQ2_XXS, block, out); }
void decode_iq2_xs(const uint8_t* block, float* out) { decode_grid(DType::IQ2_XS, block, out); }
void decode_iq2_s(const uint8_t* block, float* out) { decode_grid(DType::IQ2_S, block, out); }
void decode_iq3_xxs(const uint8_t* block, float* out) { decode_grid(DType::IQ3_XXS, block, out); }
void decode_iq3_s(const uint8_t* block, float* out) { decode_grid(DType::IQ3_S, block, out); }

}  // namespace ambry::tensor
