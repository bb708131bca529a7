// A matrix as a quantizing library stores it: packed codes, and beside them the numbers that groups
// of weights share. A weight is (code - zero point) * scale + bias, or table[code] * scale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "convert/checkpoint_quantization/packed_codes.h"
#include "convert/plan/plan.h"
#include "model/file/model.h"

namespace ambry::convert {

// Numbers that groups share. One serves `rows_each` rows, and the columns of one group.
struct SharedNumbers {
  Input input;
  // Whether all groups' first row comes first, in place of the first row's groups.
  bool groups_first = false;
  // For zero points that are packed. Not set: numbers of the tensor's own type.
  std::optional<PackedCodes> packed;
  // The numbers, if they are known already. Then the input has no bytes.
  std::vector<float> given = {};
};

// Codes that stand for numbers of a table. Fp8: the float type of the code tensor; Stored: f32
// numbers beside the codes; Fp4 and Nf4: the tables of bitsandbytes.
enum class CodeTable : uint8_t { None, Fp8, Stored, Fp4, Nf4 };

// What is read of a matrix. Scales and ZeroPoints are f32, a number for each row or one for all.
enum class MatrixPart : uint8_t { Weights, Scales, ZeroPoints };

struct PackedMatrix {
  MatrixPart part = MatrixPart::Weights;
  std::string name;    // of the weight, such as `model.layers.0.mlp.up_proj.weight`
  std::string method;  // for reports, such as `gptq 4-bit`
  tensor::Shape shape;
  uint64_t rows = 0;  // the product of all extents but the last
  uint64_t cols = 0;
  // The first of the rows that are stored together. Codes and shared numbers have all of them.
  uint64_t first_row = 0;
  PackedCodes codes;
  Input code_input;

  uint64_t group = 1;      // columns that share a scale, or elements where `flat`
  uint64_t rows_each = 1;  // rows that share it
  bool flat = false;       // groups run over the elements, whatever the rows
  SharedNumbers scale;
  float scale_factor = 1;  // of every scale
  // The zero point of a group is the stored number, if any, plus this; of its bits, those of the
  // mask count.
  int zero_offset = 0;
  int zero_mask = -1;
  std::optional<SharedNumbers> zero_point;
  std::optional<SharedNumbers> bias;
  std::optional<Input> group_of_column;  // GPTQ's g_idx
  bool groups_follow = true;             // whether g_idx must be column / group

  CodeTable table = CodeTable::None;
  std::optional<Input> table_input;
  // bitsandbytes: the scales are codes, too, with a table and scales of groups of their own.
  std::optional<Input> scale_table;
  std::optional<Input> scale_of_scales;
  uint64_t scales_each = 0;  // scales that share one
  float scale_offset = 0;

  // The least and the largest of code - zero point.
  int least = 0;
  int largest = 0;
  // Why the codes are not kept. Empty where they are.
  std::string why_decoded;

  // As which the matrix is read: floats, or AMB's quantized types.
  model::TensorEntry entry;

  [[nodiscard]] uint64_t groups() const { return (cols + group - 1) / group; }
  [[nodiscard]] uint64_t scale_rows() const { return (rows + rows_each - 1) / rows_each; }
  // All tensors of the files that the part is made of.
  [[nodiscard]] std::vector<const Input*> inputs() const;
  [[nodiscard]] uint64_t stored_bytes() const;
};

// Sets the type and size of `entry`: a type of AMB with the same codes and scales where there is
// one and `keeps_codes`, else f32, which holds every product exactly.
[[nodiscard]] Result<void> choose_type(bool keeps_codes, PackedMatrix& matrix);

// Whether EMBD's integer weights hold the same numbers: i8 with a scale and a zero point for each
// row or for the matrix. Sets the reason to decode where they do not.
[[nodiscard]] bool fits_int8_rows(PackedMatrix& matrix);

// Whether rows and columns can be exchanged: codes are Bytes or LowFirst, and groups are none that
// run over rows or are listed.
[[nodiscard]] bool is_transposable(const PackedMatrix& matrix);
// The matrix with rows and columns exchanged, which must be transposable.
[[nodiscard]] PackedMatrix transposed(PackedMatrix matrix);

}  // namespace ambry::convert
