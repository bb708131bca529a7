#include "kernels/gemm/layout/read_ahead.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/aligned_buffer.h"

namespace ambry::kernels {
namespace {

constexpr size_t kRowBytes = kPanelColumns * sizeof(float);

// The rows that four tiles of panel i pass.
std::vector<size_t> passed_rows(const StoredPanels& panels, size_t i, size_t rows, bool several) {
  std::vector<size_t> passed;
  ReadAhead ahead(panels, i, rows, several);
  for (int tile = 0; tile < 4; ++tile) {
    ahead.for_rows([&](size_t row) { passed.push_back(row); });
    ahead.next_tile();
  }
  return passed;
}

// Rows and panels around one turn, one group and the size of small panels. The sanitizer allows no
// read beyond the memory.
TEST(ReadAheadTest, PassesEachRowOnceAndStaysWithinThePanels) {
  for (const size_t rows : {0U, 1U, 2U, 15U, 16U, 17U, 31U, 32U, 50U, 64U, 383U, 384U, 399U}) {
    std::vector<size_t> expected;
    for (size_t i = 0; i < 4 * rows; ++i) expected.push_back(i % rows);
    for (size_t n = 1; n <= 13; ++n) {
      const auto memory = AlignedBuffer::allocate(n * rows * kRowBytes);
      ASSERT_TRUE(memory);
      const StoredPanels panels{memory->data(), rows * kRowBytes, n};
      for (size_t i = 0; i < n; ++i) {
        EXPECT_EQ(passed_rows(panels, i, rows, true), expected);
        EXPECT_EQ(passed_rows(panels, i, rows, false), expected);
      }
    }
  }
}

TEST(ReadAheadTest, PassesAllRowsOfAWidenedPanel) {
  const auto memory = AlignedBuffer::allocate(8 * 37 * kRowBytes);
  ASSERT_TRUE(memory);
  const ReadAhead ahead({memory->data(), 37 * kRowBytes, 8}, 1, 37, true);
  size_t n = 0;
  ahead.for_rows<2>([&](size_t i) { EXPECT_EQ(i, n++); });
  EXPECT_EQ(n, 74U);
}

TEST(ReadAheadTest, ReadsNothingWhereNoPanelsLieInMemory) {
  EXPECT_EQ(passed_rows({nullptr, 0, 0}, 3, 40, true).size(), 160U);
}

}  // namespace
}  // namespace ambry::kernels
