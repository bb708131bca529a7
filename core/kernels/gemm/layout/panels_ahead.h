// Reading the next panels of a weight into the cache while one is multiplied by a row or a few. An
// answer reads all weights for each token, and a processor brings lines of several streams that are
// read in order sooner than those of one. So while four panels are multiplied, lines of the four
// after them are read as four streams, a quarter of each for each panel.
#pragma once

#include <cstddef>

#include "base/unroll.h"
#include "kernels/gemm/layout/packed_f32_matrix.h"

namespace ambry::kernels {

class PanelsAhead {
 public:
  PanelsAhead() = default;
  // While `panel` of the range is multiplied. Panels lie from `first` on, `size` bytes each.
  PanelsAhead(const void* first, size_t size, size_t panel, const PanelRange& range) : size_(size) {
    const size_t turn = (panel - range.begin) % kStreams;
    const size_t next = panel - turn + kStreams;
    if (next + kStreams > range.end) return;
    at_ = static_cast<const char*>(first) + next * size + turn * (size / kStreams);
  }

  // Reads what belongs to these bytes of the panel.
  [[gnu::always_inline]] void touch(size_t offset, size_t bytes) const {
    if (at_ == nullptr) return;
    const char* from = at_ + offset / kStreams;
    for (size_t i = 0; i < bytes / kStreams; i += kLine) {
      unroll<kStreams>([&](auto s) { read(from + i + s * size_); });
    }
  }

 private:
  static constexpr size_t kStreams = 4;
  static constexpr size_t kLine = 64;

  static void read(const volatile char* at) { static_cast<void>(*at); }

  const char* at_ = nullptr;  // nullptr: nothing is read
  size_t size_ = 0;
};

}  // namespace ambry::kernels
