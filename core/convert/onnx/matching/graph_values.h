// Reads a graph from its inputs to its outputs, for token ids of any number of texts and tokens. A
// value is a term of the texts, numbers that depend on no text, or a constant. What is not
// understood is unknown, and so is all that is made of it; Value::node says where that began.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "convert/onnx/graph/numbers.h"
#include "convert/onnx/graph/onnx_file.h"
#include "convert/onnx/matching/terms.h"
#include "convert/onnx/weights/linear.h"

namespace ambry::convert::onnx {

struct Value {
  enum class Kind : uint8_t { Unknown, Constant, Numbers, Term };
  Kind kind = Kind::Unknown;
  uint32_t at = kNone;    // of GraphValues::numbers, or a TermId
  uint32_t node = kNone;  // Unknown: the first node that is not understood
};

class GraphValues {
 public:
  // Numbers are computed for a text of so many tokens.
  GraphValues(const OnnxFile& file, int64_t n_tokens);

  // Reads all inputs and nodes. Unsupported for inputs that no encoder has. On NeedBytes, load the
  // bytes and make a new object.
  [[nodiscard]] Result<void> read();

  [[nodiscard]] const OnnxFile& file() const { return file_; }
  [[nodiscard]] int64_t n_tokens() const { return n_tokens_; }
  [[nodiscard]] const Terms& terms() const { return terms_; }
  [[nodiscard]] const OnnxWeight& weight(uint32_t id) const { return weights_[id]; }
  [[nodiscard]] const Numbers& numbers(uint32_t id) const { return numbers_[id]; }
  [[nodiscard]] Value value(NameId name) const;

  // Below: for the rules of operators (rules.h).
  using Node = formats::onnx::Node;
  [[nodiscard]] Terms& make() { return terms_; }
  [[nodiscard]] Value unknown() const { return {Value::Kind::Unknown, kNone, current_}; }
  [[nodiscard]] static Value term(TermId id) { return {Value::Kind::Term, id, kNone}; }
  Value add(std::optional<Numbers> numbers);
  uint32_t add_weight(OnnxWeight weight);
  void set(NameId name, Value value) { values_[name] = value; }
  [[nodiscard]] std::optional<TermId> term_of(NameId name) const;
  // Numbers, or those of a small constant. nullptr for others.
  [[nodiscard]] Result<const Numbers*> numbers_of(NameId name);
  // A constant of one axis with as many floats. kNone for others.
  [[nodiscard]] Result<uint32_t> vector_of(NameId name, const Dim& size);
  [[nodiscard]] Dims dims_of(NameId name) const;

 private:
  [[nodiscard]] Result<void> read_input(const formats::onnx::ValueInfo& input);
  [[nodiscard]] Value text_input(std::string_view name);
  [[nodiscard]] Result<void> read_node(const Node& node);

  const OnnxFile& file_;
  int64_t n_tokens_;
  Terms terms_;
  std::vector<OnnxWeight> weights_;
  std::map<std::string, uint32_t, std::less<>> weight_ids_;
  std::deque<Numbers> numbers_;
  size_t n_numbers_ = 0;                         // elements of all of them
  std::vector<Value> values_;                    // by name
  std::map<NameId, uint32_t> constant_numbers_;  // those that have been read
  uint32_t current_ = kNone;
};

// Reads the nodes of one operator. Unknown where the node has another form than the rule knows.
using Rule = Result<Value> (*)(GraphValues& values, const formats::onnx::Node& node);
struct RuleRow {
  std::string_view op;
  Rule rule;
};
// nullptr for operators without a row.
[[nodiscard]] Rule find_rule(std::span<const RuleRow> rows, std::string_view op_type);

// nullptr for operators without a rule.
[[nodiscard]] Rule term_rule(std::string_view op_type);    // term_rules.cpp
[[nodiscard]] Rule text_rule(std::string_view op_type);    // text_rules.cpp
[[nodiscard]] Rule move_rule(std::string_view op_type);    // move_rules.cpp
[[nodiscard]] Rule part_rule(std::string_view op_type);    // part_rules.cpp
[[nodiscard]] Rule number_rule(std::string_view op_type);  // number_rules.cpp
[[nodiscard]] Rule fused_rule(std::string_view op_type);   // fused_rules.cpp, com.microsoft

}  // namespace ambry::convert::onnx
