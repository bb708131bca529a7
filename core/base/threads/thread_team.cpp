#include "base/threads/thread_team.h"

namespace ambry {
namespace {

// About a millisecond: longer than what lies between two tokens of an answer. Waking a thread takes
// up to a tenth of that.
constexpr uint32_t kLooksBeforeSleep = 1'000'000;
// A part that takes so much longer than one's own is done by a thread that has no processor at the
// moment.
constexpr uint32_t kLooksBeforeYield = 1'000'000;
constexpr uint64_t kPieceStep = uint64_t{1} << 32U;

uint32_t left_in(uint64_t parts) { return static_cast<uint32_t>(parts); }

}  // namespace

void ThreadTeam::run(Part part, const void* work) {
  part_ = part;
  work_ = work;
  parts_not_done_ = static_cast<uint32_t>(size_);
  const uint64_t piece = parts_left_ / kPieceStep + 1;
  parts_left_ = piece * kPieceStep + size_;
  if (sleepers_ != 0) {
    ++wakes_;
    waiting_.wake(wakes_);
  }
  while (do_part()) {
  }
  for (uint32_t looks = 1; parts_not_done_ != 0; ++looks) {
    if (looks % kLooksBeforeYield == 0) waiting_.yield();
  }
}

// Returns false when there is nothing to do.
bool ThreadTeam::do_part() {
  uint64_t parts = parts_left_;
  while (left_in(parts) != 0) {
    if (!parts_left_.compare_exchange_weak(parts, parts - 1)) continue;
    part_(work_, left_in(parts) - 1);
    --parts_not_done_;
    return true;
  }
  return false;
}

void ThreadTeam::serve() {
  while (!is_stopped_) {
    if (!do_part()) wait_for_work();
  }
}

void ThreadTeam::wait_for_work() {
  const auto has_news = [&] { return left_in(parts_left_) != 0 || is_stopped_; };
  for (uint32_t looks = 0; looks < kLooksBeforeSleep; ++looks) {
    if (has_news()) return;
  }
  ++sleepers_;
  const uint32_t seen = wakes_;
  // run() looks at sleepers_ after it has published the parts, so one of the two sees the other.
  if (!has_news()) waiting_.sleep(wakes_, seen);
  --sleepers_;
}

void ThreadTeam::stop() {
  is_stopped_ = true;
  ++wakes_;
  waiting_.wake(wakes_);
}

}  // namespace ambry
