// Reads a matrix of a quantized checkpoint as the type that was chosen for it. The packed form of
// one matrix is held at a time, because some libraries pack along columns.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "convert/checkpoint_quantization/packed_matrix.h"
#include "convert/tensor/tensor_transform.h"

namespace ambry::convert {

class MatrixReader {
 public:
  // `matrix` must outlive the reader.
  explicit MatrixReader(const PackedMatrix& matrix);

  [[nodiscard]] const PackedMatrix& matrix() const { return matrix_; }
  // The next bytes to read before fill() can work. Nothing: all are here.
  [[nodiscard]] Result<std::optional<TransformStep>> next_read();
  // The bytes from `offset` on of the matrix as `entry` says. BadValue for numbers that are not
  // finite, and for codes that the type cannot hold.
  [[nodiscard]] Result<void> fill(uint64_t offset, MutableBytes out);

 private:
  struct Part {
    const Input* input = nullptr;
    AlignedBuffer bytes;
  };
  [[nodiscard]] Bytes bytes_of(const Input& input) const;
  Result<void> prepare();
  Result<std::vector<float>> numbers_of(const SharedNumbers& numbers) const;
  Result<void> prepare_scales();
  Result<void> prepare_table();
  Result<void> check_finite(const Input& input, std::span<const float> numbers) const;
  void find_groups(uint64_t row);
  void unpack_row(uint64_t row);
  void read_row(uint64_t row);
  [[nodiscard]] bool make_even_floats();
  [[nodiscard]] bool make_any_floats();
  Result<void> make_floats(uint64_t row);
  Result<void> make_codes(uint64_t row);
  void copy_numbers(uint64_t offset, MutableBytes out);
  Result<void> make_bytes(uint64_t row);
  [[nodiscard]] uint8_t* put_scale(size_t group, uint8_t* to) const;
  [[nodiscard]] Failure code_out_of_range(uint64_t row, int code) const;
  Result<void> make_blocks(uint64_t row);
  // Copies what `out` wants of rows that lie from `begin` on. `make` puts a row into row_.
  template <class Make>
  Result<void> copy_rows(uint64_t begin, uint64_t row_bytes, uint64_t offset, MutableBytes out,
                         const Make& make);

  const PackedMatrix& matrix_;
  std::vector<Part> parts_;
  size_t n_read_ = 0;
  bool prepared_ = false;
  std::vector<float> scales_;
  std::vector<int> zeros_;  // of each group; empty: all are zero_offset
  std::vector<float> biases_;
  std::array<float, 256> table_{};
  // The row that is being read.
  size_t first_group_ = 0;
  std::vector<uint32_t> group_of_;  // of each column, from first_group_ on
  std::vector<uint8_t> strip_;      // the codes of some rows
  uint64_t strip_begin_ = 0;
  std::span<const uint8_t> codes_;
  std::vector<int> numbers_;  // less their zero points
  std::vector<int8_t> signed_;
  std::vector<uint8_t> row_;
};

}  // namespace ambry::convert
