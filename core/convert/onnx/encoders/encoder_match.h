// Compares what a graph computes with an encoder that config.json describes, and finds the weights.
// Every step must be that of the architecture: the order of the operators, their epsilons, the
// activation, the heads, the scale and mask of attention, positions. The first one that differs is
// refused with the name of its node.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "convert/onnx/matching/graph_values.h"
#include "model/encoder/encoder_config.h"

namespace ambry::convert::onnx {

using Role = model::EncoderRole;

class EncoderMatch {
 public:
  // Both must outlive this object. Terms are added to `values`.
  EncoderMatch(GraphValues& values, const model::EncoderConfig& config);

  // The states of the tokens after the last layer. Another term than before is refused.
  [[nodiscard]] Result<void> match_states(TermId term);
  [[nodiscard]] bool has_states() const { return states_ != kNone; }
  [[nodiscard]] TermId states() const { return states_; }

  // Notes that the weight, which `at` uses, has this name. Unsupported if another one has it.
  [[nodiscard]] Result<void> take(const std::string& name, uint32_t weight, TermId at);
  // The input of a linear layer, or of a norm, whose weights have this name.
  [[nodiscard]] Result<TermId> take_linear(TermId term, std::string_view name);
  [[nodiscard]] Result<TermId> take_norm(TermId term, std::string_view name);
  [[nodiscard]] Failure fail(TermId at, const Text& why) const;

  // The weights by the name that the model's library gives them.
  [[nodiscard]] const std::map<std::string, uint32_t>& weights() const { return weights_; }
  [[nodiscard]] GraphValues& values() { return values_; }
  [[nodiscard]] const Terms& terms() const { return values_.terms(); }
  [[nodiscard]] const model::EncoderConfig& config() const { return config_; }

 private:
  [[nodiscard]] Result<std::string_view> name_of(Role role, uint32_t layer, TermId at) const;
  [[nodiscard]] Result<bool> is_zero(const OnnxWeight& weight) const;
  [[nodiscard]] Result<TermId> linear(TermId term, Role role, uint32_t layer);
  [[nodiscard]] Result<TermId> norm(TermId term, Role role, uint32_t layer);
  // The parts of a sum: the linear layer, and what it is added to.
  struct Branch {
    TermId linear = kNone;
    TermId rest = kNone;
  };
  [[nodiscard]] Result<Branch> branch(TermId term) const;
  // `i` is the number of the layer.
  [[nodiscard]] Result<TermId> layer(TermId term, uint32_t i);
  [[nodiscard]] Result<TermId> feed_forward(TermId down, uint32_t i);
  [[nodiscard]] Result<TermId> gated(TermId product, uint32_t i);
  [[nodiscard]] Result<void> embeddings(TermId term);
  [[nodiscard]] Result<void> embedding(TermId term);
  [[nodiscard]] Result<void> position_embedding(TermId term);

  // attention_match.cpp
  [[nodiscard]] Result<TermId> attention(TermId context, uint32_t i);
  struct Scores {
    TermId products = kNone;  // of queries and keys
    double scale = 1;
    TermId bias = kNone;          // of positions, for each head
    std::vector<uint32_t> masks;  // numbers that are added
  };
  [[nodiscard]] Result<Scores> scores(TermId softmax) const;
  [[nodiscard]] Result<void> check_masks(TermId at, const Scores& scores, uint32_t i) const;
  [[nodiscard]] Result<void> relative_bias(TermId term);
  [[nodiscard]] Result<TermId> without_rope(TermId term, uint32_t i);
  [[nodiscard]] Result<void> check_rope(TermId at, uint32_t numbers, bool is_sine,
                                        double theta) const;
  // What a head's rows are taken of, and which part of it.
  [[nodiscard]] Result<TermId> projection(TermId heads, bool keys, uint32_t part, uint32_t i);

  GraphValues& values_;
  const model::EncoderConfig& config_;
  std::map<std::tuple<Role, uint32_t>, std::string> names_;  // without `.weight`
  std::map<std::string, uint32_t> weights_;
  TermId states_ = kNone;
};

// The name of an activation of config.json as a function. Nothing for one that graphs are not
// compared with.
[[nodiscard]] std::optional<Function> activation_function(std::string_view name);

}  // namespace ambry::convert::onnx
