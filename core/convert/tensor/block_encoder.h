// Encodes a tensor's elements, or its stored bytes, as the target's bytes, block by block.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "convert/tensor/tensor_transform.h"
#include "model/file/model.h"

namespace ambry::convert {

// T is float for elements and uint8_t for stored bytes.
template <class T>
class BlockEncoder {
 public:
  BlockEncoder() = default;
  BlockEncoder(const BlockEncoder&) = delete;
  BlockEncoder& operator=(const BlockEncoder&) = delete;
  virtual ~BlockEncoder() = default;

  // How many passes over the whole tensor it needs.
  [[nodiscard]] virtual unsigned passes() const { return 1; }
  // Takes the next rows of the tensor. Appends to `out` what can be written now.
  [[nodiscard]] virtual Result<void> take(std::span<const T> rows, std::vector<uint8_t>& out) = 0;
  // Call after the last rows of each pass.
  [[nodiscard]] virtual Result<void> end_pass(std::vector<uint8_t>& /*out*/) { return {}; }
  // Whether take() accepts such an element; used to find the element that it rejected.
  [[nodiscard]] virtual bool fits(T value) const {
    return std::isfinite(static_cast<float>(value));
  }
};

using FloatEncoder = BlockEncoder<float>;
using ByteEncoder = BlockEncoder<uint8_t>;

// For Convert, Quantize, Encode and Groups. Unsupported for a dtype that cannot be written. The
// arguments must outlive the encoder.
[[nodiscard]] Result<std::unique_ptr<FloatEncoder>> make_float_encoder(
    const Output& output, const model::TensorEntry& target, RowScales& scales);

}  // namespace ambry::convert
