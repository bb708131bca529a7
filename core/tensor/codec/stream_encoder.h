// Quantizes a tensor into a payload of codec_layout.h while its elements go by twice, in row-major
// order and in chunks of any size: once to be measured, once to be coded. What it keeps is the
// scales of types that store them first, or one block.
//
//   AMBRY_TRY(StreamEncoder encoder, StreamEncoder::create(dtype, shape, block_size, scale_type));
//   for each chunk: AMBRY_RETURN_IF_ERROR(encoder.measure(chunk));
//   AMBRY_RETURN_IF_ERROR(encoder.settle());
//   write(encoder.head());
//   for each chunk again: AMBRY_TRY(const Bytes codes, encoder.encode(chunk)); write(codes);
//
// A scale is the largest magnitude over 127 for INT8, and the element of largest magnitude over -8
// (INT4) or -16 (INT5), so that this element is exact; codes are rounded half to even against the
// scale as stored. A block of zeros has scale 0.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "tensor/codec/codes/codec_layout.h"

namespace ambry::tensor {

class StreamEncoder {
 public:
  // Without `scale_type`, scales are F16 unless one of them overflows it or vanishes in it
  // (core/formats/amb/README.md#scale-type). BadValue for a block size that the type cannot have.
  [[nodiscard]] static Result<StreamEncoder> create(DType dtype, const Shape& shape,
                                                    uint16_t block_size,
                                                    std::optional<DType> scale_type);

  // Whether measure() must see the tensor before settle(): all but types that keep each scale
  // beside its block, once the scales' type is chosen.
  [[nodiscard]] bool needs_measuring() const { return !by_block() || !chosen_scale_type_; }

  // BadValue for NaN or infinity, with the path `element N`.
  [[nodiscard]] Result<void> measure(std::span<const float> values);

  // Ends measuring. `precisions`, for ADAPTIVE: F16, Int8, Int4 or Int5 for every block in order.
  // BadValue for precisions that do not match the blocks, Overflow when a scale does not fit the
  // chosen type.
  [[nodiscard]] Result<void> settle(std::span<const DType> precisions = {});

  // After settle().
  [[nodiscard]] const Quantization& quantization() const { return quantization_; }
  // Prefix, mask and the scales that come before all codes.
  [[nodiscard]] Bytes head() const { return head_; }
  [[nodiscard]] uint64_t total_bytes() const { return total_bytes_; }

  // The payload's next bytes, valid until the next call. Elements wait until their byte, or where
  // the scale stands beside the block their block, is whole. BadValue as in measure(), Overflow for
  // a number that does not fit an F16 block.
  [[nodiscard]] Result<Bytes> encode(std::span<const float> values);

 private:
  StreamEncoder() = default;

  // Whether scales lie between the codes.
  [[nodiscard]] bool by_block() const {
    return arrangement_of(dtype_) == Arrangement::ScaleInBlock;
  }
  // How many of the next `n` elements belong together: to one block, and to one row where rows
  // start on a byte.
  [[nodiscard]] size_t run_length(size_t n) const;
  [[nodiscard]] bool ends_block(size_t n) const;
  [[nodiscard]] bool ends_row(size_t n) const { return col_ + n == layout_.cols; }
  void advance(size_t n);
  void restart();
  void end_measured_block();
  Result<void> settle_mask(std::span<const DType> precisions);
  Result<void> settle_scales();
  float put_scale(float scale);

  Result<void> encode_block(std::span<const float> values);
  void encode_codes(DType code, std::span<const float> values);
  Result<void> encode_halves(std::span<const float> values);
  uint8_t* grow(uint64_t n);

  DType dtype_ = DType::Int8;
  std::optional<DType> chosen_scale_type_;
  Quantization quantization_;
  PayloadLayout layout_;
  uint64_t n_elements_ = 0;
  uint64_t total_bytes_ = 0;
  std::vector<uint8_t> head_;
  std::vector<uint8_t> mask_;  // ADAPTIVE
  // Of each block whose scale comes before the codes: its extreme while measuring, then its scale.
  std::vector<float> scales_;
  bool fit_half_ = true;  // all scales measured so far
  uint64_t misfit_ = 0;   // the first block whose scale does not

  // Where the next element is, in the pass that goes on.
  uint64_t element_ = 0;
  uint64_t col_ = 0;
  uint64_t block_ = 0;
  uint64_t in_block_ = 0;
  float extreme_ = 0;          // of the block that is being measured, so far
  std::vector<float> held_;    // the start of a block that a chunk's end cut
  std::vector<int8_t> codes_;  // the first n_codes_ of them wait until their byte is whole
  size_t n_codes_ = 0;
  std::vector<uint8_t> out_;
};

}  // namespace ambry::tensor
