// Makes a tensor from its elements: decodes the inputs, scales integers, transposes matrices,
// reorders rows, and passes blocks of whole rows to a BlockEncoder.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "convert/tensor/block_encoder.h"
#include "convert/tensor/chunk_reader.h"
#include "convert/tensor/error_meter.h"
#include "convert/tensor/tensor_transform.h"
#include "tensor/codec/stream_decoder.h"

namespace ambry::convert {

class FloatTransform final : public TensorTransform {
 public:
  // Mismatch when the inputs and the target have different numbers of elements. There must be at
  // least one element.
  [[nodiscard]] static Result<std::unique_ptr<TensorTransform>> begin(
      const Output& output, const model::TensorEntry& target, RowScales& scales, ErrorSums& errors);
  // For another kind of encoder. Without a meter, the output is not checked.
  [[nodiscard]] static Result<std::unique_ptr<TensorTransform>> begin(
      const Output& output, const model::TensorEntry& target, std::unique_ptr<FloatEncoder> encoder,
      std::optional<ErrorMeter> meter);

  FloatTransform(const Output& output, const model::TensorEntry& target,
                 std::unique_ptr<FloatEncoder> encoder, std::optional<ErrorMeter> meter);
  Result<TransformStep> next() override;

 private:
  // A small tensor that belongs to the inputs and is read whole.
  struct Companion {
    const Input* input = nullptr;
    std::vector<float>* values = nullptr;
  };

  Result<void> finish_reading();
  Result<std::optional<TransformStep>> fill_block();
  Result<void> begin_block();
  Result<void> make_block();
  void dequantize(std::span<float> rows) const;
  std::span<float> transpose_rows(uint64_t n_rows);
  void next_pass();
  [[nodiscard]] Failure locate(Failure error, std::span<const float> rows) const;

  const Output& output_;
  const model::TensorEntry& target_;
  std::unique_ptr<FloatEncoder> encoder_;
  std::optional<ErrorMeter> meter_;
  uint64_t rows_ = 1;  // of the target
  uint64_t cols_ = 1;
  uint64_t block_rows_ = 1;   // rows that are made at once
  std::vector<float> scale_;  // scales of integers
  std::vector<float> zero_point_;
  RowChange::Values changes_;
  std::vector<Companion> unread_;  // the last one is being read into companion_bytes_
  bool companion_asked_ = false;
  AlignedBuffer companion_bytes_;
  ChunkReader reader_;
  bool chunk_asked_ = false;
  Bytes chunk_;  // read but not decoded yet
  std::optional<tensor::StreamDecoder> decoder_;
  size_t decoding_ = 0;  // the input that decoder_ decodes
  AlignedBuffer block_;  // decoded rows; the whole matrix if it must be transposed
  size_t filled_ = 0;    // elements in block_
  std::vector<float> transposed_;
  uint64_t row_ = 0;  // the target's next row to make
  unsigned pass_ = 0;
  std::vector<uint8_t> out_;
};

}  // namespace ambry::convert
