// ONNX files that are changed by chance.
#include <gtest/gtest.h>

#include "formats/allocation_meter.h"
#include "formats/onnx/byte_mutants.h"
#include "formats/onnx/make_onnx.h"
#include "formats/read_format.h"

namespace ambry::formats::onnx {
namespace {

using formats::testing::Outcome;
using testing::File;

TEST(OnnxMutants, AreRefusedAtAPlaceOrReadInLittleMemory) {
  constexpr uint64_t kMutants = 50'000;
  constexpr size_t kFixed = 64 << 10;  // the report and up to 64 problems
  const File file = testing::make_onnx();
  const Format& format = *find_format("onnx");
  size_t n_refused = 0;
  for (uint64_t seed = 0; seed < kMutants; ++seed) {
    const File mutant = testing::byte_mutant(file, seed);
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
