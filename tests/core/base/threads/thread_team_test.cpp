#include "base/threads/thread_team.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "base/std_thread_team.h"

namespace ambry {
namespace {

TEST(ShareWork, IsOneCallWithoutATeam) {
  std::vector<std::array<size_t, 2>> calls;
  share_work(nullptr, [&](size_t i, size_t n) { calls.push_back({i, n}); });
  EXPECT_EQ(calls, (std::vector<std::array<size_t, 2>>{{0, 1}}));
}

#ifndef __EMSCRIPTEN__

using testing::StdThreadTeam;

constexpr size_t kSizes[] = {1, 2, 3, 5};

// Counts how often each part was called, in pieces of different length.
void expect_each_part_once(StdThreadTeam& team, size_t pieces) {
  std::vector<uint32_t> calls(team.size());
  uint64_t sum = 0;
  std::vector<uint64_t> sums(team.size());
  for (size_t piece = 0; piece < pieces; ++piece) {
    share_work(team.get(), [&](size_t i, size_t n) {
      EXPECT_EQ(n, team.size());
      ++calls[i];
      for (size_t k = 0; k < piece % 7 * 100; ++k) sums[i] += k ^ piece;
    });
    for (const uint32_t count : calls) ASSERT_EQ(count, piece + 1);
    for (size_t k = 0; k < piece % 7 * 100; ++k) sum += k ^ piece;
    for (const uint64_t of_part : sums) ASSERT_EQ(of_part, sum);
  }
}

TEST(ThreadTeam, DoesEachPartOnce) {
  for (const size_t size : kSizes) {
    SCOPED_TRACE(size);
    StdThreadTeam team(size);
    team.start();
    expect_each_part_once(team, 3000);
  }
}

TEST(ThreadTeam, DoesAllPartsBeforeItsThreadsHaveCome) {
  for (const size_t size : kSizes) {
    StdThreadTeam team(size);
    expect_each_part_once(team, 10);
    team.start();
    expect_each_part_once(team, 100);
  }
}

TEST(ThreadTeam, WakesThreadsThatSleep) {
  StdThreadTeam team(3);
  team.start();
  for (int i = 0; i < 20; ++i) {
    // Long enough for the threads to fall asleep.
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    expect_each_part_once(team, 5);
  }
}

// Each of two parts waits for the other one, so they can only end side by side.
TEST(ThreadTeam, RunsPartsAtTheSameTime) {
  StdThreadTeam team(2);
  team.start();
  for (int i = 0; i < 50; ++i) {
    std::atomic<uint32_t> begun = 0;
    share_work(team.get(), [&](size_t, size_t) {
      ++begun;
      while (begun != 2) std::this_thread::yield();
    });
    EXPECT_EQ(begun, 2U);
  }
}

TEST(ThreadTeam, StopsThreadsThatWait) {
  for (int i = 0; i < 50; ++i) {
    StdThreadTeam team(4);
    team.start();
    if (i % 2 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

#endif

}  // namespace
}  // namespace ambry
