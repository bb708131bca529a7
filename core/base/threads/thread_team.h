// A team whose threads are started by the caller: each of them calls serve(). Between two pieces of
// work they wait by looking again and again, since most pieces follow within microseconds, and then
// sleep.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/threads/work_team.h"

namespace ambry {

// What a platform has for threads that wait.
struct ThreadWaiting {
  // Sleeps while `word` is `value`; may return earlier.
  void (*sleep)(std::atomic<uint32_t>& word, uint32_t value);
  // Wakes all that sleep on `word`.
  void (*wake)(std::atomic<uint32_t>& word);
  // Lets other threads run for some microseconds.
  void (*yield)();
};

class ThreadTeam final : public WorkTeam {
 public:
  // `size` counts the thread that calls run(). A thread that has not come to serve() yet delays
  // nothing: others do its part.
  ThreadTeam(size_t size, const ThreadWaiting& waiting) : size_(size), waiting_(waiting) {}

  [[nodiscard]] size_t size() const override { return size_; }
  // Only one thread may call it.
  void run(Part part, const void* work) override;
  // Does parts of what run() brings, until stop().
  void serve();
  // Makes serve() return, on all threads. run() must not be called any more.
  void stop();

 private:
  bool do_part();
  void wait_for_work();

  const size_t size_;
  const ThreadWaiting waiting_;
  // Valid while parts are not done.
  Part part_ = nullptr;
  const void* work_ = nullptr;
  // The number of the piece of work in the upper half, and the parts that nobody has taken in the
  // lower half. The number keeps a slow thread from taking a part of a later piece.
  std::atomic<uint64_t> parts_left_ = 0;
  std::atomic<uint32_t> parts_not_done_ = 0;
  std::atomic<uint32_t> sleepers_ = 0;
  std::atomic<uint32_t> wakes_ = 0;
  std::atomic<bool> is_stopped_ = false;
};

}  // namespace ambry
