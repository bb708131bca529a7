// Receives tensors one by one, when a file is not streamed from start to end. Call window(), write
// all of it, then call put().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "model/file/model.h"

namespace ambry::api {

class TensorReceiver {
 public:
  TensorReceiver() = default;
  TensorReceiver(TensorReceiver&&) noexcept = default;
  TensorReceiver& operator=(TensorReceiver&&) noexcept = default;
  virtual ~TensorReceiver() = default;

  // The memory for the bytes of this tensor of Model::tensors. NotFound when there is none.
  [[nodiscard]] Result<MutableBytes> window(uint64_t tensor);
  // Call when the bytes are written. BadValue without a window.
  [[nodiscard]] Result<void> put();

 protected:
  [[nodiscard]] virtual const model::Model& described() const = 0;
  [[nodiscard]] virtual Result<void> receive(size_t tensor, AlignedBuffer bytes) = 0;

 private:
  static constexpr size_t kNone = SIZE_MAX;

  size_t tensor_ = kNone;
  AlignedBuffer bytes_;
};

// JSON [[tensor, offset, bytes]] of the tensors to read from the file.
[[nodiscard]] std::string tensor_ranges_text(const model::Model& model,
                                             const std::vector<size_t>& tensors);

}  // namespace ambry::api
