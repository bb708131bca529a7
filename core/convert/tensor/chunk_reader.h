// The bytes of a tensor's inputs, one after another, in chunks that never cross from one input to
// the next.
#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "convert/plan.h"
#include "convert/tensor/tensor_transform.h"

namespace ambry::convert {

class ChunkReader {
 public:
  // `inputs` must outlive the reader.
  explicit ChunkReader(const std::vector<Input>& inputs) : inputs_(inputs) { skip_empty(); }

  [[nodiscard]] bool at_end() const { return next_ == inputs_.size(); }
  // The input that comes next, or goes on; not at the end.
  [[nodiscard]] size_t next_input() const { return next_; }
  // Asks for the next at most `limit` bytes; not at the end. An input whose elements are stored in
  // another order than its shape's comes whole.
  [[nodiscard]] Result<TransformStep> read(uint64_t limit);
  // What was asked for last, in the order of the shape, and of which input.
  [[nodiscard]] MutableBytes chunk();
  [[nodiscard]] size_t input() const { return input_; }
  void restart();

 private:
  void skip_empty();

  const std::vector<Input>& inputs_;
  size_t next_ = 0;    // the input that is read next, or goes on
  uint64_t done_ = 0;  // bytes of it that were asked for
  size_t input_ = 0;
  AlignedBuffer buffer_;
  AlignedBuffer stored_;  // to be brought into order; else empty
};

// The same for a tensor that is wanted whole.
[[nodiscard]] Result<TransformStep> read_whole(const Input& input, AlignedBuffer& buffer);

}  // namespace ambry::convert
