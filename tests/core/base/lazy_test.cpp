#include "base/lazy.h"

#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/threads/spin_lock.h"

namespace ambry {
namespace {

TEST(Lazy, MakesTheValueOnce) {
  static constinit Lazy<int> lazy;
  int made = 0;
  const auto make = [&] { return std::make_unique<int>(++made); };
  EXPECT_EQ(lazy.get(make), 1);
  EXPECT_EQ(&lazy.get(make), &lazy.get(make));
  EXPECT_EQ(made, 1);
}

#ifndef __EMSCRIPTEN__  // Tests in WebAssembly have no threads.
TEST(Lazy, GivesAllThreadsOneValue) {
  static constinit Lazy<int> lazy;
  std::vector<const int*> seen(8);
  std::vector<std::thread> threads;
  for (const int*& value : seen) {
    threads.emplace_back([&value] { value = &lazy.get([] { return std::make_unique<int>(7); }); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int* value : seen) EXPECT_EQ(value, seen[0]);
  EXPECT_EQ(*seen[0], 7);
}

TEST(SpinLock, LetsOneThreadInAtATime) {
  SpinLock lock;
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int step = 0; step < 10'000; ++step) {
        const std::lock_guard guard(lock);
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 40'000);
}
#endif

}  // namespace
}  // namespace ambry
