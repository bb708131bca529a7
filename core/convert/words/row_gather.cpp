#include "convert/words/row_gather.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/order.h"

namespace ambry::convert {
namespace {

// A gap of at most this many bytes between two rows is read along with them.
constexpr uint64_t kMaxGap = uint64_t{4} * 1024;
// The most bytes in one read, unless a single row is longer.
constexpr uint64_t kMaxRun = uint64_t{1} << 20;

}  // namespace

Result<void> RowGather::ask(std::vector<uint64_t> rows) {
  sort_items(rows, std::less<>());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  rows_ = std::move(rows);
  run_begin_ = 0;
  run_end_ = 0;
  gathered_ = AlignedBuffer();  // free the old memory first
  AMBRY_TRY(gathered_, AlignedBuffer::allocate(rows_.size() * row_bytes_));
  return {};
}

Result<std::optional<RowGather::Read>> RowGather::next() {
  take_run();
  if (run_begin_ == rows_.size()) return std::optional<Read>();
  const uint64_t first = rows_[run_begin_];
  const auto fits = [&](uint64_t row) {
    return (row - rows_[run_end_ - 1] - 1) * row_bytes_ <= kMaxGap &&
           (row + 1 - first) * row_bytes_ <= kMaxRun;
  };
  run_end_ = run_begin_ + 1;
  while (run_end_ < rows_.size() && fits(rows_[run_end_])) ++run_end_;
  const uint64_t size = (rows_[run_end_ - 1] + 1 - first) * row_bytes_;
  if (run_.size() < size) {
    run_ = AlignedBuffer();
    AMBRY_TRY(run_, AlignedBuffer::allocate(size));
  }
  return std::optional(
      Read{offset_ + first * row_bytes_, run_.bytes().first(static_cast<size_t>(size))});
}

// Copies the rows of the last read to their places.
void RowGather::take_run() {
  const auto width = static_cast<size_t>(row_bytes_);
  for (size_t i = run_begin_; i < run_end_; ++i) {
    const auto from = static_cast<size_t>(rows_[i] - rows_[run_begin_]) * width;
    std::ranges::copy(Bytes(run_.bytes()).subspan(from, width),
                      gathered_.bytes().subspan(i * width).begin());
  }
  run_begin_ = run_end_;
}

Bytes RowGather::row(uint64_t number) const {
  const auto at = std::ranges::lower_bound(rows_, number) - rows_.begin();
  const auto width = static_cast<size_t>(row_bytes_);
  return gathered_.bytes().subspan(static_cast<size_t>(at) * width, width);
}

}  // namespace ambry::convert
