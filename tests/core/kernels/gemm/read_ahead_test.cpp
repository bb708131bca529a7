#include "kernels/gemm/read_ahead.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/aligned_buffer.h"

namespace ambry::kernels {
namespace {

// Panels around the rows of one turn, as long as the sanitizer allows no read beyond them.
TEST(ReadAheadTest, PassesEachRowOnceAndStaysWithinThePanel) {
  for (size_t rows = 0; rows < 70; ++rows) {
    const auto next = AlignedBuffer::allocate(rows * kPanelColumns * sizeof(float));
    ASSERT_TRUE(next);
    for (const bool several : {false, true}) {
      ReadAhead ahead(next->data(), rows, several);
      for (int tile = 0; tile < 4; ++tile) {
        std::vector<size_t> passed;
        ahead.for_rows([&](size_t i) { passed.push_back(i); });
        ASSERT_EQ(passed.size(), rows);
        for (size_t i = 0; i < rows; ++i) EXPECT_EQ(passed[i], i);
        ahead.next_tile();
      }
    }
  }
}

TEST(ReadAheadTest, PassesAllRowsOfAWidenedPanel) {
  const auto next = AlignedBuffer::allocate(37 * kPanelColumns * sizeof(float));
  ASSERT_TRUE(next);
  const ReadAhead ahead(next->data(), 37, true);
  size_t n = 0;
  ahead.for_rows<2>([&](size_t i) { EXPECT_EQ(i, n++); });
  EXPECT_EQ(n, 74U);
}

TEST(ReadAheadTest, ReadsNothingWithoutANextPanel) {
  ReadAhead ahead(nullptr, 40, true);
  size_t n = 0;
  ahead.for_rows([&](size_t) { ++n; });
  ahead.next_tile();
  EXPECT_EQ(n, 40U);
}

}  // namespace
}  // namespace ambry::kernels
