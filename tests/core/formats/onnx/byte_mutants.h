// Files in which a few bytes are changed by chance.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.h"

namespace ambry::formats::onnx::testing {

// Changes, removes or repeats a few bytes.
inline std::vector<uint8_t> byte_mutant(const std::vector<uint8_t>& file, uint64_t seed) {
  Random random(seed);
  std::vector<uint8_t> mutant = file;
  const auto below = [&](size_t n) { return static_cast<size_t>(random.below(n)); };
  for (size_t changes = 1 + below(4); changes > 0; --changes) {
    const size_t at = below(mutant.size());
    const size_t size = std::min(1 + below(40), mutant.size() - at);
    const auto begin = mutant.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = begin + static_cast<std::ptrdiff_t>(size);
    switch (below(4)) {
      case 0:
        *begin = static_cast<uint8_t>(random.next());
        break;
      case 1:
        *begin = static_cast<uint8_t>(*begin ^ 1U << below(8));
        break;
      case 2:
        if (mutant.size() > size) mutant.erase(begin, end);
        break;
      default: {
        const std::vector<uint8_t> piece(begin, end);
        const auto to = mutant.begin() + static_cast<std::ptrdiff_t>(below(mutant.size()));
        mutant.insert(to, piece.begin(), piece.end());
      }
    }
  }
  return mutant;
}

}  // namespace ambry::formats::onnx::testing
