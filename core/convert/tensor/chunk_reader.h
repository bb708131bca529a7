// Reads the bytes of a tensor's inputs one after another, in chunks that never cross two inputs.
#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "convert/plan/plan.h"
#include "convert/tensor/tensor_transform.h"

namespace ambry::convert {

class ChunkReader {
 public:
  // `inputs` must outlive the reader.
  explicit ChunkReader(const std::vector<Input>& inputs) : inputs_(inputs) { skip_empty(); }

  [[nodiscard]] bool at_end() const { return next_ == inputs_.size(); }
  // The input of the next chunk. Not valid at the end.
  [[nodiscard]] size_t next_input() const { return next_; }
  // Asks for the next chunk of at most `limit` bytes. Not valid at the end. An input that must be
  // reordered comes as one chunk.
  [[nodiscard]] Result<TransformStep> read(uint64_t limit);
  // The last chunk, in the order of the shape and without columns that are not kept, and the input
  // that it belongs to.
  [[nodiscard]] MutableBytes chunk();
  [[nodiscard]] size_t input() const { return input_; }
  void restart();

 private:
  void skip_empty();

  const std::vector<Input>& inputs_;
  size_t next_ = 0;    // the input of the next chunk
  uint64_t done_ = 0;  // bytes of it that were requested, of those that are kept
  size_t input_ = 0;
  size_t kept_ = 0;       // bytes of the last chunk
  bool as_read_ = false;  // whether it is still as it lay in the file
  AlignedBuffer buffer_;
  AlignedBuffer stored_;  // the input before it is reordered; else empty
};

// Reads a whole tensor.
[[nodiscard]] Result<TransformStep> read_whole(const Input& input, AlignedBuffer& buffer);

}  // namespace ambry::convert
