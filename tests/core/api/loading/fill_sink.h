// Gives a sink the bytes of a file in small pieces.
#pragma once

#include <algorithm>
#include <vector>

#include "api/loading/byte_sink.h"

namespace ambry::api::testing {

inline Result<void> fill_sink(ByteSink& sink, const std::vector<uint8_t>& file) {
  constexpr size_t kPiece = 4099;
  while (sink.wanted() > 0) {
    const auto from = file.begin() + static_cast<std::ptrdiff_t>(sink.start());
    const MutableBytes window = sink.window();
    const size_t n = std::min(window.size(), kPiece);
    std::copy_n(from, n, window.begin());
    AMBRY_RETURN_IF_ERROR(sink.commit(n));
  }
  return {};
}

}  // namespace ambry::api::testing
