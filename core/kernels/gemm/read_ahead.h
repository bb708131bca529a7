// Reading the next panel of B into the cache while one is multiplied. With few rows of A a product
// is over before memory has brought a weight that is larger than the cache.
//
// WebAssembly has no instruction that asks for a line without waiting for it. But a processor that
// sees lines read in order fetches some that follow, for several such streams at once. One stream
// brings a line in about 30 cycles, which is twice what 8 rows of A need for it. So the panel is
// read as kStreams streams, a line of each every few rows of B. 8 tokens pass an encoder of 42 MB
// in 15 % less time than with the whole panel read first. Two streams or eight, or lines read more
// slowly along more tiles, are slower.
#pragma once

#include <cstddef>

#include "kernels/gemm/packed_f32_matrix.h"
#include "kernels/unroll.h"

namespace ambry::kernels {

class ReadAhead {
 public:
  // The first two tiles of a panel read `next`, which has so many rows of 32 bytes. A single tile
  // does not: it ends before memory could have brought much. `next` may be nullptr.
  ReadAhead(const void* next, size_t rows, bool several_tiles)
      : line_(static_cast<const float*>(next)),
        rows_(rows),
        part_(rows / kRowsPerTurn * kTiles * kLine),
        tiles_left_(next != nullptr && several_tiles ? kTiles : 0) {}

  // Calls multiply(i) for each row i of B, and reads between them. The panel that is multiplied has
  // kWidening times as many rows of 32 bytes as the next one.
  template <size_t kWidening = 1, class Multiply>
  [[gnu::always_inline]] void for_rows(const Multiply& multiply) const {
    constexpr size_t kStep = kWidening * kRowsPerTurn;
    const size_t end = kWidening * rows_;
    const float* line = line_;
    size_t i = 0;
    for (size_t stop = tiles_left_ > 0 ? end % kStep : end;; stop += kStep) {
      for (; i < stop; ++i) multiply(i);
      if (i == end) return;
      unroll<kStreams>([&](auto s) { touch(line + s * part_); });
      line += kLine;
    }
  }

  // After each tile.
  void next_tile() {
    if (tiles_left_ == 0) return;
    --tiles_left_;
    line_ += rows_ / kRowsPerTurn * kLine;
  }

  // Reads n floats at once, of a panel that was not read ahead.
  static void all(const float* from, size_t n) {
    for (size_t i = 0; i < n; i += kLine) touch(from + i);
  }

 private:
  static constexpr size_t kStreams = 4;
  static constexpr size_t kTiles = 2;
  static constexpr size_t kLine = 64 / sizeof(float);
  static constexpr size_t kRowsPerTurn = kTiles * kStreams * kLine / kPanelColumns;

  static void touch(const volatile float* at) { static_cast<void>(*at); }

  const float* line_;  // of the first stream
  size_t rows_;
  size_t part_;  // floats from stream to stream
  size_t tiles_left_;
};

}  // namespace ambry::kernels
