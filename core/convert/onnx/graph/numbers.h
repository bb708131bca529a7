// Numbers of a graph that depend on no text: constants, shapes, positions, and what is made of the
// attention mask. They are computed for one text of a certain length, once where the mask is 1 and
// once where it is 0. Floats are rounded after each step, as a runtime rounds them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "convert/onnx/graph/dim.h"

namespace ambry::convert::onnx {

struct Numbers {
  enum class Type : uint8_t { Float, Int, Bool };
  static constexpr size_t kNoAxis = SIZE_MAX;

  Type type = Type::Float;
  Dims dims;
  std::vector<double> on;
  std::vector<double> off;     // where the mask is 0; empty: the mask does not matter
  size_t mask_axis = kNoAxis;  // along which the mask's tokens run; the batch is axis 0
  std::vector<Dim> exact;      // for integers of rank 0 or 1: for any number of texts and tokens

  [[nodiscard]] bool has_mask() const { return !off.empty(); }
  // The one number of a scalar that needs no mask. Nothing for others.
  [[nodiscard]] std::optional<double> scalar() const;
};

// Fills `exact` of integers that are the same for all texts.
void set_exact(Numbers& numbers);
[[nodiscard]] Numbers integers(std::vector<Dim> values, bool is_scalar, int64_t n_tokens);

enum class NumberOp : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Pow,
  Min,
  Max,
  Mod,
  And,
  Or,
  Equal,
  Less,
  Greater,
  LessOrEqual,
  GreaterOrEqual,
  // These take one number.
  Neg,
  Abs,
  Not,
  Sqrt,
  Reciprocal,
  Log,
  Exp,
  Cos,
  Sin,
  Floor,
  Ceil,
  Sign,
  IsNan,
};
[[nodiscard]] std::optional<NumberOp> number_op(std::string_view op_type);
[[nodiscard]] inline bool takes_one(NumberOp op) { return op >= NumberOp::Neg; }

// Each is nothing where the extents do not go together, or the result would be too large.
[[nodiscard]] std::optional<Numbers> combined(NumberOp op, const Numbers& a, const Numbers& b,
                                              int64_t n_tokens);
[[nodiscard]] std::optional<Numbers> of_each(NumberOp op, Numbers a);
[[nodiscard]] std::optional<Numbers> chosen(const Numbers& condition, const Numbers& yes,
                                            const Numbers& no, int64_t n_tokens);
[[nodiscard]] std::optional<Numbers> as_type(Numbers numbers, Numbers::Type type);

// Elements of `from`: those at `begin` plus the strides of the new axes. `mask_axis` is that of the
// result.
[[nodiscard]] std::optional<Numbers> viewed(const Numbers& from, Dims dims, int64_t begin,
                                            std::span<const int64_t> strides, size_t mask_axis,
                                            int64_t n_tokens);
// How far neighbours along each axis lie apart.
[[nodiscard]] std::vector<int64_t> row_strides(const Dims& dims, int64_t n_tokens);

}  // namespace ambry::convert::onnx
