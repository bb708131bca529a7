// A team of threads of the C++ library. The tests in WebAssembly have none; there web workers make
// a team (tests/web/generator/threads.test.ts).
#pragma once

#ifndef __EMSCRIPTEN__

#include <thread>
#include <vector>

#include "base/threads/thread_team.h"

namespace ambry::testing {

inline constexpr ThreadWaiting kStdWaiting = {
    [](std::atomic<uint32_t>& word, uint32_t value) { word.wait(value); },
    [](std::atomic<uint32_t>& word) { word.notify_all(); }, [] { std::this_thread::yield(); }};

class StdThreadTeam {
 public:
  // All threads but the caller's are started by start().
  explicit StdThreadTeam(size_t size) : team_(size, kStdWaiting) {}
  StdThreadTeam(const StdThreadTeam&) = delete;
  StdThreadTeam& operator=(const StdThreadTeam&) = delete;
  ~StdThreadTeam() {
    team_.stop();
    for (std::thread& thread : threads_) thread.join();
  }

  void start() {
    while (threads_.size() + 1 < size()) threads_.emplace_back([this] { team_.serve(); });
  }
  [[nodiscard]] size_t size() const { return team_.size(); }
  [[nodiscard]] WorkTeam* get() { return &team_; }

 private:
  ThreadTeam team_;
  std::vector<std::thread> threads_;
};

}  // namespace ambry::testing

#endif
