// The numbers of a tensor of any type that can be decoded, while its bytes pass by in chunks.
#pragma once

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "model/model.h"
#include "tensor/blocks.h"
#include "tensor/stream_decoder.h"

namespace ambry::api {

class NumberStream {
 public:
  // Unsupported when nothing here decodes the type.
  [[nodiscard]] static Result<NumberStream> create(const model::TensorEntry& tensor);

  // Calls `use` with the numbers of the tensor's next bytes, a run at a time.
  template <class Use>
  [[nodiscard]] Result<void> pass(Bytes bytes, Use use) {
    numbers_.resize(kRun);
    while (!bytes.empty()) {
      AMBRY_TRY(const size_t n, decode(bytes));
      use(std::span<const float>(numbers_).first(n));
    }
    return {};
  }

 private:
  static constexpr size_t kRun = size_t{16} * 1024;

  // ggml's types in whole blocks; a block that a chunk's end cuts waits in `cut`.
  struct Blocks {
    tensor::DType dtype;
    tensor::Block block;
    std::vector<uint8_t> cut;
  };

  explicit NumberStream(std::variant<tensor::StreamDecoder, Blocks> decoder)
      : decoder_(std::move(decoder)) {}
  // Takes bytes from the front; returns how many numbers they made.
  [[nodiscard]] Result<size_t> decode(Bytes& bytes);
  [[nodiscard]] Result<size_t> decode_whole_blocks(Blocks& blocks, Bytes& bytes);

  std::variant<tensor::StreamDecoder, Blocks> decoder_;
  std::vector<float> numbers_;
};

}  // namespace ambry::api
