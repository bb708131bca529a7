#include "convert/onnx/decoders/decoder_walk.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "convert/onnx/graph/graph_inputs.h"

namespace ambry::convert::onnx {

using formats::onnx::kNoName;
using formats::onnx::Node;
using formats::onnx::ValueInfo;
using model::DecoderActivation;
using model::kNoLayer;

namespace {

// What a constant of 16 bits may be off.
double rounding_of(double number) { return std::fabs(number) * 5e-4; }

}  // namespace

DecoderWalk::DecoderWalk(const OnnxFile& file, const model::DecoderConfig& facts)
    : nodes_(file), file_(file), facts_(facts) {
  for (const model::DecoderTensor& tensor : model::decoder_tensors(facts)) {
    roles_.insert(tensor.role);
  }
}

void DecoderWalk::found(Role role, uint32_t layer, OnnxWeight weight, bool bias) {
  out_.weights.push_back({role, layer, bias, std::move(weight)});
}

Result<FoundDecoder> DecoderWalk::walk() {
  AMBRY_RETURN_IF_ERROR(check_kind());
  AMBRY_RETURN_IF_ERROR(check_inputs());
  AMBRY_TRY(const NameId last, head());
  AMBRY_TRY(Sum hidden, norm(last, Role::FinalNorm, kNoLayer));
  for (uint32_t layer = facts_.n_layers; layer-- > 0;) {
    AMBRY_TRY(const Sum between, feed_forward(hidden.skip, layer));
    AMBRY_RETURN_IF_ERROR(expect_same(hidden.root, between.value));
    AMBRY_TRY(hidden, attention(between.skip, layer));
    AMBRY_RETURN_IF_ERROR(expect_same(between.root, hidden.value));
  }
  if (hidden.skip != kNoName) {
    return nodes_.refuse_value(
        hidden.value, {"config.json states ", facts_.n_layers, " layers, but the graph has more"});
  }
  AMBRY_RETURN_IF_ERROR(embedding(hidden.root));
  AMBRY_RETURN_IF_ERROR(nodes_.check_all_met());
  AMBRY_RETURN_IF_ERROR(check_outputs());
  return std::move(out_);
}

bool DecoderWalk::is_input(NameId value, std::string_view name) const {
  return value != kNoName && nodes_.name_of(value) == name && file_.producer(value) == nullptr &&
         file_.constant(value) == nullptr;
}

// Other exporters write attention as many small nodes, or two graphs of it in an If.
Result<void> DecoderWalk::check_kind() const {
  const auto& nodes = file_.graph().nodes;
  const auto of_kind = [&](std::string_view op, std::string_view domain) {
    return std::ranges::find_if(
        nodes, [&](const Node& node) { return file_.model().is(node, op, domain); });
  };
  if (of_kind("GroupQueryAttention", kMicrosoft) != nodes.end() || nodes.empty()) return {};
  const auto choice = of_kind("If", {});
  return file_.refuse(choice == nodes.end() ? nodes.front() : *choice,
                      "decoders are read as onnxruntime-genai's model builder writes them, with "
                      "GroupQueryAttention; this graph has none, so open the repository with "
                      "safetensors from which it was made");
}

Result<void> DecoderWalk::check_inputs() const {
  for (const ValueInfo& input : file_.graph().inputs) {
    const std::string_view name = nodes_.name_of(input.name);
    if (is_decoder_input(name) || file_.constant(input.name) != nullptr) continue;
    return error_at(ErrorCode::Unsupported, input.byte_offset, name,
                    "this input of the graph is not known; known are input_ids, attention_mask, "
                    "position_ids and past_key_values");
  }
  return {};
}

Result<void> DecoderWalk::check_outputs() const {
  for (const ValueInfo& output : file_.graph().outputs) {
    const std::string_view name = nodes_.name_of(output.name);
    if (name == "logits" || caches_.contains(output.name)) continue;
    return error_at(ErrorCode::Unsupported, output.byte_offset, name,
                    "this output of the graph is neither logits nor a cache of a layer");
  }
  return {};
}

Result<void> DecoderWalk::expect_same(NameId a, NameId b) {
  if (a == b && a != kNoName) return {};
  return nodes_.refuse_value(a, {"expected the hidden state ", nodes_.name_of(b)});
}

// What the final norm gives.
Result<NameId> DecoderWalk::head() {
  const auto& outputs = file_.graph().outputs;
  const auto logits = std::ranges::find_if(
      outputs, [&](const ValueInfo& output) { return nodes_.name_of(output.name) == "logits"; });
  if (logits == outputs.end()) {
    return error_at(ErrorCode::Unsupported, file_.graph().byte_offset, "logits",
                    "the graph has no output of this name");
  }
  NameId value = nodes_.before_casts(logits->name);
  if (const double cap = facts_.final_softcap; cap != 0) {
    AMBRY_TRY(const NumberMatch times, nodes_.expect_number(value, "Mul", cap, rounding_of(cap)));
    AMBRY_TRY(const Node* tanh, nodes_.expect(times.input, "Tanh", {}, 1));
    AMBRY_TRY(const NumberMatch over,
              nodes_.expect_number(file_.input(*tanh, 0), "Div", cap, rounding_of(cap)));
    value = over.input;
  }
  if (const double scale = facts_.logit_scale; scale != 1) {
    AMBRY_TRY(const NumberMatch times,
              nodes_.expect_number(value, "Mul", scale, rounding_of(scale)));
    value = times.input;
  }
  return linear(value, Role::Output, kNoLayer);
}

Result<void> DecoderWalk::embedding(NameId value) {
  if (const double scale = facts_.embed_scale; scale != 1) {
    // The builder rounds gemma's to two decimals.
    AMBRY_TRY(const NumberMatch times,
              nodes_.expect_number(value, "Mul", scale, rounding_of(scale) + 0.005));
    value = nodes_.before_casts(times.input);
    out_.embed_scale = times.number;
  }
  AMBRY_TRY(LinearMatch match, nodes_.expect_embedding(value));
  if (!is_input(match.input, "input_ids")) {
    return nodes_.refuse_value(value, "its rows are not those of input_ids");
  }
  found(Role::TokenEmbedding, kNoLayer, std::move(match.weight));
  return {};
}

Result<NameId> DecoderWalk::plain_norm(NameId value, Role role, uint32_t layer) {
  value = nodes_.before_casts(value);
  AMBRY_TRY(
      const Node* node,
      nodes_.expect(value, "SimplifiedLayerNormalization", {}, 2,
                    {{"axis", -1, -1}, {"epsilon", facts_.norm_eps, 1e-5}, {"stash_type", 1, 1}}));
  AMBRY_TRY(OnnxWeight weight, nodes_.expect_weight(*node, file_.input(*node, 1)));
  found(role, layer, std::move(weight));
  return nodes_.before_casts(file_.input(*node, 0));
}

Result<DecoderWalk::Sum> DecoderWalk::norm(NameId value, Role role, uint32_t layer) {
  value = nodes_.before_casts(value);
  const bool is_fused = nodes_.is(value, "SkipSimplifiedLayerNormalization", kMicrosoft);
  if (is_fused) {
    AMBRY_TRY(const Node* node, nodes_.expect(value, "SkipSimplifiedLayerNormalization", kMicrosoft,
                                              3, {{"epsilon", facts_.norm_eps, 1e-12}}));
    AMBRY_TRY(OnnxWeight weight, nodes_.expect_weight(*node, file_.input(*node, 2)));
    found(role, layer, std::move(weight));
    return Sum{nodes_.before_casts(file_.input(*node, 0)),
               nodes_.before_casts(file_.input(*node, 1)), file_.output(*node, 3)};
  }
  AMBRY_TRY(const NameId hidden, plain_norm(value, role, layer));
  if (!nodes_.is(hidden, "Add")) return Sum{hidden, kNoName, hidden};
  AMBRY_TRY(const Node* add, nodes_.expect(hidden, "Add", {}, 2));
  return Sum{nodes_.before_casts(file_.input(*add, 0)), nodes_.before_casts(file_.input(*add, 1)),
             hidden};
}

Result<NameId> DecoderWalk::linear(NameId value, Role role, uint32_t layer) {
  AMBRY_TRY(LinearMatch match, nodes_.expect_linear(value));
  found(role, layer, std::move(match.weight));
  if (match.bias) found(role, layer, std::move(*match.bias), true);
  return nodes_.before_casts(match.input);
}

Result<NameId> DecoderWalk::activation(NameId value) {
  const auto input = [&](const Node* node) { return file_.input(*node, 0); };
  if (facts_.activation == DecoderActivation::Silu) {
    if (nodes_.is(value, "QuickGelu", kMicrosoft)) {
      AMBRY_TRY(const Node* node,
                nodes_.expect(value, "QuickGelu", kMicrosoft, 1, {{"alpha", 1, 1.702}}));
      return input(node);
    }
    AMBRY_TRY(const Node* product, nodes_.expect(value, "Mul", {}, 2));
    AMBRY_TRY(const Node* sigmoid, nodes_.expect(file_.input(*product, 1), "Sigmoid", {}, 1));
    AMBRY_RETURN_IF_ERROR(expect_same(input(product), input(sigmoid)));
    return input(product);
  }
  const bool tanh = facts_.activation == DecoderActivation::GeluTanh;
  if (tanh && nodes_.is(value, "FastGelu", kMicrosoft)) {
    AMBRY_TRY(const Node* node, nodes_.expect(value, "FastGelu", kMicrosoft, 1));
    return input(node);
  }
  if (!tanh && nodes_.is(value, "Gelu", kMicrosoft)) {
    AMBRY_TRY(const Node* node, nodes_.expect(value, "Gelu", kMicrosoft, 1));
    return input(node);
  }
  AMBRY_TRY(const Node* node,
            nodes_.expect(value, "Gelu", {}, 1, {{"approximate", kAnyNumber, 0}}));
  if ((file_.text_of(*node, "approximate") == "tanh") != tanh) {
    return file_.refuse(*node, "config.json asks for the other approximation");
  }
  return input(node);
}

Result<NameId> DecoderWalk::before_residual(NameId value, Role norm, uint32_t layer) {
  value = nodes_.before_casts(value);
  if (const double scale = facts_.residual_scale; scale != 1) {
    AMBRY_TRY(const NumberMatch times,
              nodes_.expect_number(value, "Mul", scale, rounding_of(scale)));
    value = nodes_.before_casts(times.input);
  }
  return has(norm) ? plain_norm(value, norm, layer) : Result<NameId>(value);
}

Result<DecoderWalk::Sum> DecoderWalk::feed_forward(NameId value, uint32_t layer) {
  AMBRY_TRY(value, before_residual(value, Role::PostMlpNorm, layer));
  AMBRY_TRY(value, linear(value, Role::Down, layer));
  AMBRY_TRY(const Node* product, nodes_.expect(value, "Mul", {}, 2));
  AMBRY_TRY(const NameId gate, activation(nodes_.before_casts(file_.input(*product, 0))));
  AMBRY_TRY(const NameId read, linear(gate, Role::Gate, layer));
  AMBRY_TRY(const NameId also, linear(file_.input(*product, 1), Role::Up, layer));
  AMBRY_RETURN_IF_ERROR(expect_same(also, read));
  return norm(read, Role::MlpNorm, layer);
}

Result<DecoderWalk::Sum> DecoderWalk::attention(NameId value, uint32_t layer) {
  AMBRY_TRY(value, before_residual(value, Role::PostAttentionNorm, layer));
  AMBRY_TRY(value, linear(value, Role::AttentionOutput, layer));
  const double usual = 1 / std::sqrt(static_cast<double>(facts_.head_dim));
  const double scale = facts_.attn_scale == 0 ? usual : facts_.attn_scale;
  const auto style = static_cast<double>(facts_.rope_style);
  AMBRY_TRY(const Node* node,
            nodes_.expect(value, "GroupQueryAttention", kMicrosoft, 16,
                          {{"num_heads", static_cast<double>(facts_.n_heads), 0},
                           {"kv_num_heads", static_cast<double>(facts_.n_kv_heads), 0},
                           {"scale", scale, usual},
                           {"softcap", facts_.attn_softcap, 0},
                           {"rotary_interleaved", style, 0},
                           {"smooth_softmax", 0, 0},
                           {"local_window_size", kAnyNumber, 0},
                           {"do_rotary", kAnyNumber, 0},
                           {"qk_norm_epsilon", kAnyNumber, 0}}));
  AMBRY_RETURN_IF_ERROR(check_window(*node, layer));
  AMBRY_RETURN_IF_ERROR(mask(*node));
  AMBRY_RETURN_IF_ERROR(cache(*node, layer));
  AMBRY_TRY(const Heads heads, heads_of(*node, layer));
  AMBRY_TRY(const NameId read, projections(heads, layer));
  return norm(read, Role::AttentionNorm, layer);
}

}  // namespace ambry::convert::onnx
