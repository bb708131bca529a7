// ONNX files that are changed by chance.
#include <gtest/gtest.h>

#include "base/random.h"
#include "formats/allocation_meter.h"
#include "formats/onnx/make_onnx.h"
#include "formats/read_format.h"

namespace ambry::formats::onnx {
namespace {

using formats::testing::Outcome;
using testing::File;

// Changes, removes or repeats a few bytes.
File mutant_of(const File& file, uint64_t seed) {
  Random random(seed);
  File mutant = file;
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
        const File piece(begin, end);
        const auto to = mutant.begin() + static_cast<std::ptrdiff_t>(below(mutant.size()));
        mutant.insert(to, piece.begin(), piece.end());
      }
    }
  }
  return mutant;
}

TEST(OnnxMutants, AreRefusedAtAPlaceOrReadInLittleMemory) {
  constexpr uint64_t kMutants = 5'000;
  constexpr size_t kFixed = 64 << 10;  // the report and up to 64 problems
  const File file = testing::make_onnx();
  const Format& format = *find_format("onnx");
  size_t n_refused = 0;
  for (uint64_t seed = 0; seed < kMutants; ++seed) {
    const File mutant = mutant_of(file, seed);
    const ambry::testing::AllocationMeter meter;
    const Outcome outcome = formats::testing::read(mutant, format);
    EXPECT_LE(meter.peak(), 3 * mutant.size() + kFixed) << seed;
    if (!outcome.accepted()) ++n_refused;
    if (outcome.model) {
      for (const auto& tensor : outcome.model->tensors) {
        EXPECT_LE(tensor.offset, mutant.size()) << seed;
        EXPECT_LE(tensor.bytes, mutant.size() - tensor.offset) << seed;
      }
    } else {
      EXPECT_LE(outcome.model.error().byte_offset, mutant.size()) << seed << outcome.text();
      EXPECT_FALSE(outcome.model.error().path.empty()) << seed;
    }
  }
  EXPECT_GT(n_refused, kMutants / 20);
}

}  // namespace
}  // namespace ambry::formats::onnx
