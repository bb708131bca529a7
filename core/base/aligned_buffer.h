// Heap memory aligned for vector loads. Allocation can fail with an Error instead of a trap: model
// sizes come from files, and a 4 GiB WebAssembly heap fills up easily.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/result.h"

namespace ambry {

class AlignedBuffer {
 public:
  static constexpr size_t kAlignment = 64;

  AlignedBuffer() = default;
  AlignedBuffer(AlignedBuffer&& other) noexcept
      : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
  AlignedBuffer& operator=(AlignedBuffer&& other) noexcept {
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  ~AlignedBuffer() = default;

  // `size` bytes, uninitialized. LimitExceeded when the heap cannot hold them.
  [[nodiscard]] static Result<AlignedBuffer> allocate(uint64_t size) {
    AlignedBuffer buffer;
    if (size == 0) return buffer;
    if (size > SIZE_MAX - kAlignment) return out_of_memory(size);
    const auto n_bytes = static_cast<size_t>(size);
    const size_t padded = (n_bytes + kAlignment - 1) / kAlignment * kAlignment;
    buffer.data_.reset(static_cast<uint8_t*>(std::aligned_alloc(kAlignment, padded)));
    if (buffer.data_ == nullptr) return out_of_memory(size);
    buffer.size_ = n_bytes;
    return buffer;
  }

  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] uint8_t* data() { return data_.get(); }
  [[nodiscard]] const uint8_t* data() const { return data_.get(); }
  [[nodiscard]] MutableBytes bytes() { return {data_.get(), size_}; }
  [[nodiscard]] Bytes bytes() const { return {data_.get(), size_}; }

  // The memory as values of T. Trailing bytes that do not fill a T are left out.
  template <class T>
  [[nodiscard]] std::span<T> as() {
    return {reinterpret_cast<T*>(data_.get()), size_ / sizeof(T)};
  }
  template <class T>
  [[nodiscard]] std::span<const T> as() const {
    return {reinterpret_cast<const T*>(data_.get()), size_ / sizeof(T)};
  }

 private:
  struct Free {
    void operator()(uint8_t* memory) const { std::free(memory); }
  };

  [[nodiscard]] static Error out_of_memory(uint64_t size) {
    return make_error(ErrorCode::LimitExceeded, "memory",
                      std::to_string(size) + " bytes do not fit into this machine's heap");
  }

  std::unique_ptr<uint8_t, Free> data_;
  size_t size_ = 0;
};

}  // namespace ambry
