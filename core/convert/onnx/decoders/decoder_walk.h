// Finds the weights of a language model in a graph of onnxruntime-genai's model builder: from the
// logits back to the ids, layer by layer, along the one form that config.json allows.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "convert/onnx/decoders/node_matcher.h"
#include "model/decoder/decoder_config.h"
#include "model/decoder/decoder_tensors.h"

namespace ambry::convert::onnx {

struct FoundWeight {
  model::DecoderRole role = model::DecoderRole::TokenEmbedding;
  uint32_t layer = model::kNoLayer;
  bool bias = false;
  OnnxWeight weight;
};

struct FoundDecoder {
  std::vector<FoundWeight> weights;
  double embed_scale = 1;  // as the graph has it, which may be rounded
};

class DecoderWalk {
 public:
  // `facts` are of an architecture with queries, keys and values apart. Both must outlive this
  // object.
  DecoderWalk(const OnnxFile& file, const model::DecoderConfig& facts);

  // Unsupported, with the node, for the first one that differs from the model of the facts.
  [[nodiscard]] Result<FoundDecoder> walk();

 private:
  using Role = model::DecoderRole;
  // A hidden state: root + skip, or a value that is no sum.
  struct Sum {
    NameId root = formats::onnx::kNoName;
    NameId skip = formats::onnx::kNoName;
    NameId value = formats::onnx::kNoName;  // kNoName: nothing else uses the sum
  };
  struct Heads {
    NameId query = formats::onnx::kNoName;
    NameId key = formats::onnx::kNoName;  // with the value: kNoName where `query` has all three
    NameId value = formats::onnx::kNoName;
  };

  [[nodiscard]] bool has(Role role) const { return roles_.contains(role); }
  void found(Role role, uint32_t layer, OnnxWeight weight, bool bias = false);
  Result<void> check_kind() const;
  Result<void> check_inputs() const;
  Result<void> check_outputs() const;
  [[nodiscard]] bool is_input(NameId value, std::string_view name) const;
  Result<void> expect_same(NameId a, NameId b);
  Result<NameId> head();
  Result<void> embedding(NameId value);

  // Each returns what the layer or norm was applied to.
  Result<NameId> plain_norm(NameId value, Role role, uint32_t layer);
  Result<Sum> norm(NameId value, Role role, uint32_t layer);
  Result<NameId> linear(NameId value, Role role, uint32_t layer);
  Result<NameId> activation(NameId value);
  // The change that a part of a layer makes, without the norm and the factor after it.
  Result<NameId> before_residual(NameId value, Role norm, uint32_t layer);
  // Each returns the hidden state that the part of the layer reads.
  Result<Sum> feed_forward(NameId value, uint32_t layer);
  Result<Sum> attention(NameId value, uint32_t layer);

  Result<void> mask(const formats::onnx::Node& node);
  Result<void> mask_length(NameId value);
  Result<void> cache(const formats::onnx::Node& node, uint32_t layer);
  Result<void> check_window(const formats::onnx::Node& node, uint32_t layer) const;
  Result<Heads> heads_of(const formats::onnx::Node& node, uint32_t layer);
  Result<NameId> rotary(NameId value, uint32_t layer, uint32_t n_heads);
  Result<void> rotations(const formats::onnx::Node& node, NameId cosines, NameId sines,
                         uint32_t layer);
  Result<void> long_rotations(const formats::onnx::Node& node, NameId cosines, NameId sines);
  Result<NameId> head_norm(NameId value, Role role, uint32_t layer, uint32_t n_heads);
  Result<void> fused_norms(const formats::onnx::Node& node, uint32_t layer);
  Result<NameId> projections(Heads heads, uint32_t layer);
  Result<NameId> packed_projection(NameId value, uint32_t layer);

  NodeMatcher nodes_;
  const OnnxFile& file_;
  const model::DecoderConfig& facts_;
  std::set<Role> roles_;
  std::set<NameId> caches_;  // of outputs
  // The tables of rotations that were checked, and whether for local layers.
  std::set<std::tuple<NameId, NameId, bool>> rotations_;
  FoundDecoder out_;
};

}  // namespace ambry::convert::onnx
