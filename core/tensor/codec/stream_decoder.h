// The elements of a stored tensor as floats in row-major order, while its bytes go by in chunks of
// any size; of plain types, AMB's, and those of blocks.h. Of a quantized tensor whose scales come
// first it keeps scales and mask, of every other a few bytes.
//
//   AMBRY_TRY(StreamDecoder decoder, StreamDecoder::create(dtype, shape, quantization, bytes));
//   for each chunk:
//     while (!chunk.empty()) {
//       AMBRY_TRY(const size_t n, decoder.decode(chunk, out));   // takes from the front of chunk
//       use(out.first(n));
//     }
//   AMBRY_RETURN_IF_ERROR(decoder.finish());
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "tensor/codec/codes/codec_layout.h"

namespace ambry::tensor {

class StreamDecoder {
 public:
  // `bytes` is what the file states for the payload, which starts at `offset` of it, for errors.
  // Mismatch when shape and type take another number of bytes; LimitExceeded when the scales alone
  // pass what an array can hold; Unsupported for a type that cannot be decoded.
  [[nodiscard]] static Result<StreamDecoder> create(DType dtype, const Shape& shape,
                                                    const std::optional<Quantization>& quantization,
                                                    uint64_t bytes, uint64_t offset = 0);

  // Decodes from the front of `bytes` until they are used up or `out` is full; returns how many
  // elements it wrote and leaves the unused bytes in `bytes`. Bytes past the payload are never
  // taken once it is complete. BadValue for a mask byte that means nothing, Mismatch when the mask
  // makes the payload another size.
  [[nodiscard]] Result<size_t> decode(Bytes& bytes, std::span<float> out);

  [[nodiscard]] bool is_complete() const { return position_ == end_ && n_pending_ == 0; }
  // Truncated unless all bytes came and all elements were taken.
  [[nodiscard]] Result<void> finish() const;

 private:
  StreamDecoder() = default;

  Result<void> take_head(Bytes& bytes);
  Result<void> check_mask() const;
  Result<size_t> decode_units(Bytes& bytes, std::span<float> out);
  size_t decode_codes(Bytes& bytes, std::span<float> out);
  bool begin_segment(Bytes& bytes);
  size_t finish_codes(std::span<float> codes);
  void scale_row(std::span<float> codes) const;
  void end_segment();
  size_t take_pending(std::span<float> out);
  bool fill_carry(Bytes& bytes, size_t size);
  void take(Bytes& bytes, size_t size);
  [[nodiscard]] BlockScale scale_at(uint64_t index) const;

  DType dtype_ = DType::F32;
  uint64_t offset_ = 0;
  uint64_t position_ = 0;  // of the next byte in the payload
  uint64_t end_ = 0;
  Block unit_;  // stored together, of types whose size is a matter of the type alone; else {0, 0}
  PayloadLayout layout_;
  std::vector<uint8_t> head_;  // mask and scales as stored
  bool head_done_ = false;

  // A segment is a run of codes that starts on a byte: a row, or a block.
  DType code_ = DType::Int8;
  uint64_t block_ = 0;  // the number of the block, over all rows
  uint64_t row_ = 0;    // where the first element of the segment belongs
  uint64_t col_ = 0;
  uint64_t stored_ = 0;  // codes in it; 0 between segments
  uint64_t real_ = 0;    // those that are elements of the tensor
  uint64_t at_ = 0;      // codes of it that are decoded
  BlockScale scale_;     // of a block

  // The start of a unit, scale or element cut by a chunk's end.
  std::array<uint8_t, kLargestBlock.bytes> carry_{};
  size_t n_carry_ = 0;
  // Decoded, waiting for room in `out`: the last n_pending_ of the first pending_end_.
  std::array<float, kLargestBlock.elements> pending_{};
  size_t pending_end_ = 0;
  size_t n_pending_ = 0;
};

}  // namespace ambry::tensor
