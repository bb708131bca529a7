// What a conversion will write: the target's facts, and for each of its tensors where it comes
// from and how it is made.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "model/file_layout.h"
#include "model/model.h"
#include "tensor/codec/precision_budget.h"

namespace ambry::convert {

// How a tensor of the target is made.
enum class Method : uint8_t {
  Copy,      // the same bytes
  Repack,    // the same codes and scales in another format's order (repack.h)
  Convert,   // another element type, dequantised and turned as needed
  Encode,    // AMB's quantised payloads, as the target's dtype and quantization say
  Quantize,  // int8, one scale a row
  Scales,    // the scales of the Quantize before it
  Groups,    // integers by groups, or what belongs to them, as `groups` says (make_group_encoder.h)
};

// A tensor of one of the source's files.
struct Input {
  model::TensorEntry tensor;
  uint32_t file = 0;
  // The axes of the shape as the elements are stored, outermost first (stored_axes.h); empty: as
  // the shape has them. NOLINTNEXTLINE(readability-redundant-member-init)
  std::vector<uint8_t> stored_axes = {};
};

// Rows of query and key matrices in another order within each head: rotary positions turn row i
// with row i + n/2 (Half) or row 2i with row 2i + 1 (Interleaved).
struct RopePermutation {
  enum class Change : uint8_t { None, ToHalf, ToInterleaved };
  Change change = Change::None;
  uint32_t head_dim = 0;
};

// How the blocks of an ADAPTIVE tensor get their precisions.
struct Adaptive {
  const tensor::PrecisionBudget* budget = nullptr;
  size_t tensor = 0;  // its number in the budget
  tensor::ErrorWeights weights;
};

// Numbers of further tensors that change the inputs' rows before anything is made of them.
struct RowChange {
  using Values = std::vector<std::vector<float>>;  // of each companion
  std::vector<Input> companions;                   // read whole
  void (*apply)(const Values& companions, uint64_t first_row, uint64_t n_cols,
                std::span<float> rows) = nullptr;
};

// Groups of consecutive elements of the inputs that share a scale. They divide a row, or a vector.
struct GroupCoding {
  // Codes, Scales and ZeroPoints are fitted to each group; Static are coded against `scale`.
  enum class Part : uint8_t { Codes, Scales, ZeroPoints, StaticCodes, StaticBiases };
  Part part = Part::Codes;
  bool asymmetric = false;
  uint64_t size = 1;
  float scale = 0;
};

struct Output {
  Method method = Method::Copy;
  std::vector<Input> inputs;  // joined along their rows; none for Scales
  // Of integers that become floats: real = (q - zero_point) * scale, of the tensor, of each row, or
  // of each group of as many consecutive elements. Repack puts the scales before the codes.
  std::optional<Input> scale;
  std::optional<Input> zero_point;
  bool transpose = false;  // the inputs are stored as [in, out], the target as [out, in]
  RopePermutation rope;
  Adaptive adaptive;  // of Encode
  RowChange change;
  GroupCoding groups;
};

struct Plan {
  model::Model target;
  std::vector<Output> outputs;  // one for each tensor of the target
  model::FileLayout layout;     // of the target
  std::vector<Error> warnings;
};

// Adds a tensor of the target, whose offset and size come with its layout.
void add_output(Plan& plan, model::TensorEntry target, Output output);

// Rows `first` to `first + n` of a tensor as one of their own, for sources in which several lie in
// one. Unsupported where the type does not store row after row (AMB's INT8, INT4, INT5, ADAPTIVE),
// Mismatch when there are not so many.
[[nodiscard]] Result<model::TensorEntry> row_range(const model::TensorEntry& tensor, uint64_t first,
                                                   uint64_t n);

// Bytes of one row, where rows lie one after another from the payload's start on.
[[nodiscard]] std::optional<uint64_t> stored_row_bytes(const model::TensorEntry& tensor);

}  // namespace ambry::convert
