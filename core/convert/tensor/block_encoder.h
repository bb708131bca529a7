// Turns a tensor's elements, or its stored bytes, into the bytes of the target, block by block.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "convert/tensor/tensor_transform.h"
#include "model/model.h"

namespace ambry::convert {

// T is float for elements, uint8_t for stored bytes.
template <class T>
class BlockEncoder {
 public:
  BlockEncoder() = default;
  BlockEncoder(const BlockEncoder&) = delete;
  BlockEncoder& operator=(const BlockEncoder&) = delete;
  virtual ~BlockEncoder() = default;

  // How often the whole tensor has to go by.
  [[nodiscard]] virtual unsigned passes() const { return 1; }
  // The next rows of the tensor. Appends to `out` what can be written by now.
  [[nodiscard]] virtual Result<void> take(std::span<const T> rows, std::vector<uint8_t>& out) = 0;
  // After the last rows of each pass.
  [[nodiscard]] virtual Result<void> end_pass(std::vector<uint8_t>& /*out*/) { return {}; }
  // Whether take() can hold such an element, to find the one that it refused.
  [[nodiscard]] virtual bool fits(T value) const {
    return std::isfinite(static_cast<float>(value));
  }
};

using FloatEncoder = BlockEncoder<float>;
using ByteEncoder = BlockEncoder<uint8_t>;

// For Convert, Quantize, Encode and Groups. Unsupported for a dtype that is not written. What it is
// given must outlive the encoder.
[[nodiscard]] Result<std::unique_ptr<FloatEncoder>> make_float_encoder(
    const Output& output, const model::TensorEntry& target, RowScales& scales);

}  // namespace ambry::convert
