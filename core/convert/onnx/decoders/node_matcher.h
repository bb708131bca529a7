// Follows the nodes of a graph from their results back to their inputs. Each node must be the one
// that is expected, with every attribute, and at the end each node must have been met.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "convert/onnx/graph/onnx_file.h"
#include "convert/onnx/weights/linear.h"

namespace ambry::convert::onnx {

inline constexpr std::string_view kMicrosoft = "com.microsoft";

// An attribute that a node may have, the number that it must be, and the one that counts where the
// node does not have it. Numbers are compared as f32.
struct AttributeRule {
  std::string_view name;
  double expected = 0;
  double without = 0;
};
// Any value of the attribute will do, or another function looks at it.
inline constexpr double kAnyNumber = -1e300;

// The other input of a node with a constant of one number.
struct NumberMatch {
  NameId input = formats::onnx::kNoName;
  double number = 0;
};

class NodeMatcher {
 public:
  // `file` must outlive this object.
  explicit NodeMatcher(const OnnxFile& file);

  [[nodiscard]] const OnnxFile& file() const { return file_; }
  // The name of a value, for comparisons and errors.
  [[nodiscard]] std::string_view name_of(NameId value) const { return file_.model().names[value]; }
  // Whether the value is the first result of such a node.
  [[nodiscard]] bool is(NameId value, std::string_view op, std::string_view domain = {}) const;
  // The value before the Casts between floats that made this one.
  [[nodiscard]] NameId before_casts(NameId value);

  // The node whose first result is this value. Unsupported unless it is such a node with at most
  // `n_inputs` inputs and no other attributes than those of the rules, which hold.
  [[nodiscard]] Result<const formats::onnx::Node*> expect(
      NameId value, std::string_view op, std::string_view domain, size_t n_inputs,
      std::initializer_list<AttributeRule> rules = {});
  // As above, for a node with two inputs of which one is a constant of one number: the divisor, or
  // either factor.
  [[nodiscard]] Result<NumberMatch> expect_number(NameId value, std::string_view op, double number,
                                                  double tolerance);
  // The integers of a constant.
  [[nodiscard]] Result<void> expect_integers(const formats::onnx::Node& user, NameId value,
                                             std::initializer_list<int64_t> numbers) const;
  // The linear layer, or the embedding, whose result this is. All nodes of the match count as met.
  [[nodiscard]] Result<LinearMatch> expect_linear(NameId value);
  [[nodiscard]] Result<LinearMatch> expect_embedding(NameId value);
  // The weight that this value is. Its nodes count as met.
  [[nodiscard]] Result<OnnxWeight> expect_weight(const formats::onnx::Node& user, NameId value);

  // Unsupported for the first node that was not met.
  [[nodiscard]] Result<void> check_all_met() const;
  // Unsupported at the node that makes the value, or at the value.
  [[nodiscard]] Failure refuse_value(NameId value, const Text& why) const;

 private:
  [[nodiscard]] Result<void> check_attributes(const formats::onnx::Node& node,
                                              std::initializer_list<AttributeRule> rules) const;
  // Empty where there are too many, or none.
  [[nodiscard]] Result<std::vector<double>> numbers_of(const formats::onnx::Tensor& constant) const;
  void meet(const formats::onnx::Node& node);
  // Meets all nodes between this value and `end`.
  void meet_until(NameId value, NameId end);

  const OnnxFile& file_;
  std::vector<uint8_t> met_;  // of each node
};

}  // namespace ambry::convert::onnx
