// Reading panels of B into the cache while others are multiplied. With few rows of A a product is
// over before memory has brought a weight that is larger than the cache.
//
// WebAssembly has no instruction that asks for a line without waiting for it. But a processor that
// sees lines read in order fetches some that follow, for several such streams at once. One stream
// brings a line in about 30 cycles, which is twice what 8 rows of A need for it. So there are four
// streams, and a line of each is read every few rows of B: the quarters of the next panel, or, as
// short streams are no use, four small panels while the four before them are multiplied. Two
// streams, or lines read more slowly along more tiles, are slower.
#pragma once

#include <cstddef>

#include "base/unroll.h"
#include "kernels/gemm/layout/packed_f32_matrix.h"

namespace ambry::kernels {

// Panels that lie in memory, `stride` bytes apart; first is nullptr for others.
struct StoredPanels {
  const void* first;
  size_t stride;
  size_t n;
};

class ReadAhead {
 public:
  // For panel i, of which each has so many rows of 32 bytes. With a single tile nothing is read: it
  // ends before memory could have brought much.
  ReadAhead(const StoredPanels& panels, size_t i, size_t rows, bool several_tiles) : rows_(rows) {
    if (!several_tiles || panels.first == nullptr) return;
    const bool small = rows * kRowBytes < kSmallPanel;
    const size_t together = small ? kStreams : 1;
    const auto is_read_ahead = [&](size_t first) { return first + together <= panels.n; };
    const auto at = [&](size_t panel) {
      return static_cast<const char*>(panels.first) + panel * panels.stride;
    };
    const size_t group = i / together * together;
    if (group == 0 || !is_read_ahead(group)) read_all(at(i));
    if (!is_read_ahead(group + together)) return;
    const size_t quarter = rows / kRowsPerTurn * kTiles * kLine;
    line_ = at(group + together) + (i - group) * quarter;
    stride_ = small ? panels.stride : quarter;
    tiles_left_ = kTiles;
  }

  // Calls multiply(i) for each row i of B, and reads between them. The panel that is multiplied has
  // kWidening times as many rows of 32 bytes as those that are read.
  template <size_t kWidening = 1, class Multiply>
  [[gnu::always_inline]] void for_rows(const Multiply& multiply) const {
    constexpr size_t kStep = kWidening * kRowsPerTurn;
    const size_t end = kWidening * rows_;
    const char* line = line_;
    size_t i = 0;
    for (size_t stop = tiles_left_ > 0 ? end % kStep : end;; stop += kStep) {
      for (; i < stop; ++i) multiply(i);
      if (i == end) return;
      unroll<kStreams>([&](auto s) { touch(line + s * stride_); });
      line += kLine;
    }
  }

  // After each tile.
  void next_tile() {
    if (tiles_left_ == 0) return;
    --tiles_left_;
    line_ += rows_ / kRowsPerTurn * kLine;
  }

 private:
  static constexpr size_t kStreams = 4;
  static constexpr size_t kTiles = 2;
  static constexpr size_t kLine = 64;
  static constexpr size_t kRowBytes = kPanelColumns * sizeof(float);
  static constexpr size_t kSmallPanel = 12288;
  static constexpr size_t kRowsPerTurn = kTiles * kStreams * kLine / kRowBytes;

  static void touch(const volatile char* at) { static_cast<void>(*at); }
  void read_all(const char* panel) const {
    for (size_t i = 0; i < rows_ * kRowBytes; i += kLine) touch(panel + i);
  }

  const char* line_ = nullptr;  // of the first stream
  size_t rows_;
  size_t stride_ = 0;      // bytes from stream to stream
  size_t tiles_left_ = 0;  // that read
};

}  // namespace ambry::kernels
