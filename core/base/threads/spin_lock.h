// A lock for sections of a few instructions. It waits by trying again, which every thread may do: a
// browser's page may not sleep. When another thread has ended while it held the lock, the program
// aborts after half a minute instead of waiting for ever.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>

namespace ambry {

class SpinLock {
 public:
  void lock() {
    uint64_t tries = 0;
    while (is_locked_.test_and_set(std::memory_order_acquire)) {
      while (is_locked_.test(std::memory_order_relaxed)) {
        if (++tries == kMaxTries) std::abort();
      }
    }
  }
  // Whether the caller has the lock now.
  [[nodiscard]] bool try_lock() { return !is_locked_.test_and_set(std::memory_order_acquire); }
  void unlock() { is_locked_.clear(std::memory_order_release); }

 private:
  static constexpr uint64_t kMaxTries = uint64_t{1} << 34U;

  std::atomic_flag is_locked_;
};

}  // namespace ambry
