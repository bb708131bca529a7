// Decodes a tensor's values while its bytes stream by in chunks.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "model/file/model.h"
#include "tensor/codec/stream_decoder.h"

namespace ambry::api {

class ValueStream {
 public:
  // Unsupported when the type cannot be decoded.
  [[nodiscard]] static Result<ValueStream> create(const model::TensorEntry& tensor);

  // Calls `use` with the values of the tensor's next bytes, one run at a time.
  template <class Use>
  [[nodiscard]] Result<void> pass(Bytes bytes, Use use) {
    values_.resize(kRun);
    while (!bytes.empty()) {
      AMBRY_TRY(const size_t n, decoder_.decode(bytes, values_));
      use(std::span<const float>(values_).first(n));
    }
    return {};
  }

 private:
  static constexpr size_t kRun = size_t{16} * 1024;

  explicit ValueStream(tensor::StreamDecoder decoder) : decoder_(std::move(decoder)) {}

  tensor::StreamDecoder decoder_;
  std::vector<float> values_;
};

}  // namespace ambry::api
