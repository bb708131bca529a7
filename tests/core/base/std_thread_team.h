// A team of threads of the C++ library. The tests in WebAssembly have none; there web workers make
// a team (tests/web/generator/threads.test.ts).
#pragma once

#ifndef __EMSCRIPTEN__

#include <thread>
#include <vector>

#include "base/thread_team.h"

namespace ambry::testing {

class StdThreadTeam final : public ThreadTeam {
 public:
  // All threads but the caller's are started by start().
  explicit StdThreadTeam(size_t size) : ThreadTeam(size) {}
  StdThreadTeam(const StdThreadTeam&) = delete;
  StdThreadTeam& operator=(const StdThreadTeam&) = delete;
  ~StdThreadTeam() {
    stop();
    for (std::thread& thread : threads_) thread.join();
  }

  void start() {
    while (threads_.size() + 1 < size()) threads_.emplace_back([this] { serve(); });
  }

 private:
  void sleep(std::atomic<uint32_t>& word, uint32_t value) override { word.wait(value); }
  void wake(std::atomic<uint32_t>& word) override { word.notify_all(); }
  void yield() override { std::this_thread::yield(); }

  std::vector<std::thread> threads_;
};

}  // namespace ambry::testing

#endif
