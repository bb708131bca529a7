// A value that is made at the first use and lives as long as the program. Threads may use it at the
// same time. A static variable in a function would do the same, but Emscripten guards those only in
// programs that are linked with its own threads.
#pragma once

#include <atomic>
#include <memory>

namespace ambry {

template <class T>
class Lazy {
 public:
  // `make` returns a std::unique_ptr<T>. When two threads make the value at the same time, the
  // second one's is thrown away.
  template <class Make>
  [[nodiscard]] const T& get(const Make& make) {
    const T* held = value_.load(std::memory_order_acquire);
    if (held != nullptr) return *held;
    std::unique_ptr<const T> made = make();
    if (!value_.compare_exchange_strong(held, made.get(), std::memory_order_acq_rel)) return *held;
    return *made.release();
  }

 private:
  std::atomic<const T*> value_ = nullptr;
};

}  // namespace ambry
