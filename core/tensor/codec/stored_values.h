// The elements of a stored tensor that lies in memory whole, any run of any row: what StreamDecoder
// makes of a payload that goes by once.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "tensor/codec/codes/codec_layout.h"

namespace ambry::tensor {

class StoredValues {
 public:
  // Whether a type's elements can be read so: those that AMB holds, and blocks of ggml that a
  // decoder can run (blocks.h).
  [[nodiscard]] static bool can_read(DType dtype);

  // Unsupported for types that it cannot read. Checks all that could be wrong with the payload,
  // which is borrowed: Mismatch when shape and type take another number of bytes; BadValue at a
  // byte of a mask that means nothing, and at `scales[i]` for a scale or minimum that is not
  // finite.
  [[nodiscard]] static Result<StoredValues> create(DType dtype, uint64_t rows, uint64_t cols,
                                                   const std::optional<Quantization>& quantization,
                                                   Bytes payload);

  // Elements [col, col + to.size()) of a row. AMB's are what scale_codes() gives, blocks what
  // decode_blocks() does.
  void read(uint64_t row, uint64_t col, std::span<float> to) const;
  // Reads the codes of a quantized type of AMB without the scales, and the scale of one element.
  void read_codes(uint64_t row, uint64_t col, std::span<float> to) const;
  [[nodiscard]] BlockScale scale_at(uint64_t row, uint64_t col) const {
    return run_at(row, col).scale;
  }

 private:
  // Adjacent codes that share a scale.
  struct Run {
    DType code;
    const uint8_t* codes;  // of the row or block, which starts on a byte
    uint64_t first;        // of the run's codes among them
    uint64_t count;
    BlockScale scale;
  };

  StoredValues() = default;

  Result<void> find_blocks();
  [[nodiscard]] Result<void> check_scales() const;
  [[nodiscard]] uint64_t n_blocks() const;
  [[nodiscard]] uint64_t block_at(uint64_t index) const;
  [[nodiscard]] BlockScale scale(uint64_t index) const;
  void read_blocks(uint64_t row, uint64_t col, std::span<float> to) const;
  [[nodiscard]] Run run_at(uint64_t row, uint64_t col) const;
  template <class Finish>
  void read_runs(uint64_t row, uint64_t col, std::span<float> to, const Finish& finish) const;

  DType dtype_ = DType::F32;
  Bytes payload_;
  uint64_t cols_ = 0;
  bool across_rows_ = false;
  PayloadLayout layout_;
  // ADAPTIVE: where every kBlocksPerMark-th block starts in the payload.
  static constexpr uint64_t kBlocksPerMark = 32;
  std::vector<uint64_t> marks_;
};

}  // namespace ambry::tensor
