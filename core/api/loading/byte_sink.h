// Takes the bytes of a file in order, as they arrive from a disk or a network. The caller writes
// into `window()`, which is where the bytes are needed (a tensor's aligned memory, or a small
// chunk), and commits them. Checksums are computed on the way. The derived class handles full
// chunks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "io/range_crcs.h"
#include "model/file/model.h"

namespace ambry::api {

class ByteSink {
 public:
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  virtual ~ByteSink() = default;

  // File offset of the next byte.
  [[nodiscard]] uint64_t start() const { return position_; }
  // How many bytes are still needed from there on; 0 when the stream is complete.
  [[nodiscard]] uint64_t wanted() const { return end_ - position_; }
  // Where to write next. Empty when nothing is needed.
  [[nodiscard]] MutableBytes window();
  // Call when the first `n` bytes of the window are written.
  [[nodiscard]] Result<void> commit(size_t n);

 protected:
  static constexpr size_t kNoTensor = SIZE_MAX;
  static constexpr uint64_t kChunkBytes = uint64_t{256} * 1024;

  // A run of bytes that belong together: one tensor, or what lies between two tensors.
  struct Segment {
    uint64_t offset = 0;
    uint64_t bytes = 0;
    size_t tensor = kNoTensor;
  };
  enum class TensorMemory : uint8_t { Whole, Chunks };

  explicit ByteSink(TensorMemory tensor_memory) : tensor_memory_(tensor_memory) {}

  // Plans the stream over [begin, end): the tensors given by their indices in `model.tensors`,
  // which must not overlap, and the gaps between them. Call once, before the first window().
  [[nodiscard]] Result<void> lay_out(const model::Model& model, const std::vector<size_t>& tensors,
                                     uint64_t begin, uint64_t end);

  // Called with each full chunk: all of a tensor (TensorMemory::Whole) or up to kChunkBytes of a
  // segment. It may move the buffer away. `offset` is where the chunk starts in the segment.
  [[nodiscard]] virtual Result<void> on_chunk(const Segment& segment, uint64_t offset,
                                              AlignedBuffer& chunk) = 0;
  // Called when a checksum differs from the stored one, or when the file does not end as it must.
  [[nodiscard]] virtual Result<void> on_mismatch(Failure mismatch) = 0;

 private:
  void add_gap(uint64_t from, uint64_t to);
  [[nodiscard]] Result<void> next_chunk();
  [[nodiscard]] Result<void> update_checksums(Bytes bytes);
  [[nodiscard]] Result<void> check_closing_magic(Bytes bytes);

  TensorMemory tensor_memory_;
  std::vector<Segment> segments_;
  std::vector<model::ByteRangeCrc> checksums_;
  io::RangeCrcs crcs_;
  std::optional<model::ClosingMagic> closing_magic_;
  size_t segment_ = 0;
  uint64_t position_ = 0;  // file offset of the next byte
  uint64_t end_ = 0;
  AlignedBuffer chunk_;
  uint64_t chunk_start_ = 0;  // in the segment
  size_t filled_ = 0;
};

}  // namespace ambry::api
