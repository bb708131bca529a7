// What a conversion will write: the target's facts, and for each of its tensors the inputs and the
// method that makes it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "io/json/json.h"
#include "model/file/file_layout.h"
#include "model/file/model.h"
#include "tensor/codec/precision_budget.h"

namespace ambry::convert {

// The matrices of a quantized checkpoint (checkpoint_quantization/decoded_file.h).
struct DecodedFile;

// How a tensor of the target is made.
enum class Method : uint8_t {
  Copy,      // the same bytes
  Repack,    // the same codes and scales in another format's order (tensor/codec/repack.h)
  Convert,   // another element type, dequantized and transposed as needed
  Encode,    // AMB's quantized payload or ggml's blocks, by the target's dtype and quantization
  Quantize,  // int8 with one scale for each row
  Scales,    // the scales of the Quantize output before it
  Given,     // `given`, as f32
  Groups,    // group-quantized integers or their parameters, by `groups` (tensor/group_encoder.h)
};

// A tensor in one of the source files.
struct Input {
  model::TensorEntry tensor;
  uint32_t file = 0;
  // How many elements lie between neighbours along each axis in storage
  // (tensor/order/stride_order.h). Empty: they follow each other row after row.
  // NOLINTNEXTLINE(readability-redundant-member-init)
  std::vector<uint64_t> strides = {};
  // The columns of a matrix in the file, whose first ones are `tensor`. 0: it has no others.
  uint64_t stored_columns = 0;
};

// Reorders the rows of query and key matrices within each head: rotary positions rotate row i with
// row i + n/2 (Half) or row 2i with row 2i + 1 (Interleaved).
struct RopePermutation {
  enum class Change : uint8_t { None, ToHalf, ToInterleaved };
  Change change = Change::None;
  uint32_t head_dim = 0;
};

// How the blocks of an ADAPTIVE tensor get their precisions.
struct Adaptive {
  const tensor::PrecisionBudget* budget = nullptr;
  size_t tensor = 0;  // index in the budget
  tensor::ErrorWeights weights;
};

// Changes the inputs' rows with the values of other tensors, before anything else.
struct RowChange {
  using Values = std::vector<std::vector<float>>;  // of each companion
  std::vector<Input> companions;                   // tensors that are read whole
  // `first_row` is the first of `rows` in the tensor.
  std::function<void(const Values& companions, uint64_t first_row, uint64_t n_cols,
                     std::span<float> rows)>
      apply;
};

// Consecutive elements of the inputs that share a scale. A group divides a row, or a vector.
struct GroupCoding {
  // Codes, Scales and ZeroPoints are fitted to each group. StaticCodes and StaticBiases use
  // `scale`.
  enum class Part : uint8_t { Codes, Scales, ZeroPoints, StaticCodes, StaticBiases };
  Part part = Part::Codes;
  bool asymmetric = false;
  uint64_t size = 1;
  float scale = 0;
};

struct Output {
  Method method = Method::Copy;
  std::vector<Input> inputs;  // concatenated along their rows; none for Scales and Given
  // For integers that become floats: real = (q - zero_point) * scale, with one scale for the
  // tensor, for each row, or for each group of elements. Repack writes the scales before the codes.
  std::optional<Input> scale;
  std::optional<Input> zero_point;
  bool transpose = false;  // inputs are stored as [in, out], the target as [out, in]
  RopePermutation rope;
  Adaptive adaptive;  // for Encode
  // For blocks of ggml: how much the square of an error counts, for each column. Empty: alike.
  std::vector<float> importance;
  RowChange change;
  GroupCoding groups;
  std::vector<float> given;
};

struct Plan {
  model::Model target;
  std::vector<Output> outputs;  // one for each tensor of the target
  model::FileLayout layout;     // of the target file
  bool rewrites = false;        // the same content in the same format
  std::vector<Error> warnings;
  // For a network whose graph the target cannot hold: its plan (model/cnn/cnn_plan.h). Else null.
  io::Json network;
  // A further file, whose bytes are made of those of the others. May be null.
  std::shared_ptr<const DecodedFile> decoded;
};

// Adds a tensor to the target. The layout sets its offset and size.
void add_output(Plan& plan, model::TensorEntry target, Output output);

// Rows `first` to `first + n` of a tensor as a tensor of their own, for sources that store several
// tensors in one. Unsupported when the type does not store row after row (AMB's INT8, INT4, INT5,
// ADAPTIVE). Mismatch when there are not enough rows.
[[nodiscard]] Result<model::TensorEntry> row_range(const model::TensorEntry& tensor, uint64_t first,
                                                   uint64_t n);

// The input with the first `n` columns of a matrix of plain elements, of those that it has.
[[nodiscard]] Input first_columns(Input input, uint64_t n);

// The tensor as the file has it, with the columns that are not read.
[[nodiscard]] model::TensorEntry stored_tensor(const Input& input);

// The bytes of one row, if rows lie one after another from the start of the payload.
[[nodiscard]] std::optional<uint64_t> stored_row_bytes(const model::TensorEntry& tensor);

}  // namespace ambry::convert
