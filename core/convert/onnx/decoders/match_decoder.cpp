#include "convert/onnx/decoders/match_decoder.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "convert/onnx/decoders/decoder_walk.h"
#include "convert/onnx/decoders/weight_rows.h"
#include "formats/huggingface/config/decoder_config_json.h"
#include "model/decoder/decoder_config.h"
#include "model/decoder/decoder_tensors.h"

namespace ambry::convert::onnx {
namespace {

using formats::onnx::Node;
using io::Json;
using model::DecoderConfig;
using model::DecoderRole;
using model::DecoderTensor;

// More than any decoder has.
constexpr size_t kMaxDecoderNodes = 65'536;

// What the walk takes for granted: each value has one origin, and operators are those of ONNX and
// onnxruntime.
Result<void> check_graph(const OnnxFile& file) {
  const auto& graph = file.graph();
  if (!file.model().functions.empty()) {
    return make_error(ErrorCode::Unsupported, "functions",
                      "the model has functions of its own; export it without them");
  }
  if (graph.nodes.size() > kMaxDecoderNodes) {
    return make_error(ErrorCode::LimitExceeded, "graph.node",
                      {graph.nodes.size(), " nodes; a decoder has at most ", kMaxDecoderNodes});
  }
  for (const Node& node : graph.nodes) {
    for (const auto name : graph.outputs_of(node)) {
      const bool only = name == formats::onnx::kNoName ||
                        (file.producer(name) == &node &&
                         (file.constant(name) == nullptr || file.model().is(node, "Constant")));
      if (!only) return file.refuse(node, {file.model().names[name], " is made twice"});
    }
  }
  for (const formats::onnx::Tensor& tensor : graph.initializers) {
    if (file.constant(tensor.name) == &tensor) continue;
    return error_at(ErrorCode::BadValue, tensor.byte_offset, file.model().names[tensor.name],
                    "this initializer is there twice");
  }
  return {};
}

Result<DecoderConfig> facts_of(const Json& config) {
  model::Model model;
  model.config = config;
  io::Diagnostics diagnostics;
  return model::decoder_config(model, diagnostics);
}

Failure unsupported(const Text& why) {
  return make_error(
      ErrorCode::Unsupported, "config.json",
      {"a decoder ", why.str(), " is not read from an ONNX file; get its safetensors"});
}

// The parts that the walk knows, beside which a model has no others.
Result<void> check_roles(const DecoderConfig& facts) {
  using enum DecoderRole;
  constexpr DecoderRole kKnown[] = {
      TokenEmbedding,    AttentionNorm, Query, Key, Value, QueryNorm,   KeyNorm,   AttentionOutput,
      PostAttentionNorm, MlpNorm,       Gate,  Up,  Down,  PostMlpNorm, FinalNorm, Output};
  std::set<DecoderRole> missing = {AttentionNorm, MlpNorm, FinalNorm, Query, Gate};
  for (const DecoderTensor& tensor : model::decoder_tensors(facts)) {
    missing.erase(tensor.role);
    const bool is_norm = tensor.role == QueryNorm || tensor.role == KeyNorm;
    const bool of_head = !is_norm || tensor.spec.shape == tensor::Shape{facts.head_dim};
    if (std::ranges::find(kKnown, tensor.role) == std::end(kKnown) || !of_head) {
      return unsupported({"with ", tensor.spec.name});
    }
  }
  if (missing.empty()) return {};
  return unsupported({"of the architecture ", architecture_name(facts.architecture)});
}

Result<void> check_facts(const DecoderConfig& facts) {
  using Scaling = model::RopeScaling::Kind;
  const bool known_activation = facts.activation == model::DecoderActivation::Silu ||
                                facts.activation == model::DecoderActivation::Gelu ||
                                facts.activation == model::DecoderActivation::GeluTanh;
  const std::pair<bool, const char*> kConditions[] = {
      {facts.norm == model::DecoderNorm::Rms && known_activation && facts.gated,
       "with such norms or activations"},
      {facts.positions == model::DecoderPositions::Rope &&
           facts.rope_scaling.kind != Scaling::Dynamic && !facts.norm_after_rope,
       "with such positions (rope_scaling)"},
      {!facts.parallel_residual && !facts.bidirectional && !facts.attn_gate &&
           facts.attn_temperature_scale == 0 && facts.attn_out_scale == 1 &&
           facts.mlp_gate_scale == 1 && facts.mlp_out_scale == 1 &&
           facts.extras == model::DecoderExtras(),
       "of this architecture"},
      {!facts.embedding && !facts.ranks, "that makes embeddings or ranks"}};
  for (const auto& [holds, why] : kConditions) {
    if (!holds) return unsupported(why);
  }
  return check_roles(facts);
}

// What config.json states, in the form whose tensors are apart. Phi-3 is a llama whose checkpoint
// has joined matrices.
Result<DecoderConfig> prepare(Json& config) {
  AMBRY_TRY(const DecoderConfig facts, facts_of(config));
  if (facts.architecture != model::DecoderArchitecture::Phi3) return facts;
  config.set("architecture", "llama");
  return facts_of(config);
}

// What a graph has otherwise than config.json may say.
struct Matched {
  FoundDecoder found;
  DecoderConfig facts;
  std::vector<Error> warnings;
};

// The library's gemma2 has windows in the even layers, and the builder writes them into the odd
// ones.
Result<Matched> match_odd_windows(const OnnxFile& file, const DecoderConfig& facts, Json& config) {
  Json types = Json::array();
  for (uint32_t layer = 0; layer < facts.n_layers; ++layer) {
    types.append(facts.is_local(layer) ? "full_attention" : "sliding_attention");
  }
  Json other = config;
  other.set("layer_types", std::move(types));
  AMBRY_TRY(const DecoderConfig changed, facts_of(other));
  AMBRY_TRY(FoundDecoder found, DecoderWalk(file, changed).walk());
  config = std::move(other);
  Matched matched{std::move(found), changed, {}};
  matched.warnings.push_back(
      make_error(ErrorCode::Mismatch, "config.json",
                 "the layers with a window are those of the graph; the library's are the others"));
  return matched;
}

Result<Matched> match(const OnnxFile& file, Json& config) {
  AMBRY_TRY(const DecoderConfig facts, prepare(config));
  AMBRY_RETURN_IF_ERROR(check_facts(facts));
  auto found = DecoderWalk(file, facts).walk();
  if (found) return Matched{std::move(*found), facts, {}};
  Failure why = found.take_error();
  if (facts.architecture == model::DecoderArchitecture::Gemma2 && facts.sliding_window &&
      why->code != ErrorCode::NeedBytes) {
    auto other = match_odd_windows(file, facts, config);
    if (other || other.error().code == ErrorCode::NeedBytes) return other;
  }
  return why;
}

using WeightKey = std::tuple<DecoderRole, uint32_t, bool>;
using WeightMap = std::map<WeightKey, OnnxWeight>;

WeightMap map_of(FoundDecoder found) {
  WeightMap map;
  for (FoundWeight& one : found.weights) {
    map.emplace(WeightKey(one.role, one.layer, one.bias), std::move(one.weight));
  }
  return map;
}

bool has_bias(const WeightMap& weights, std::initializer_list<DecoderRole> roles) {
  return std::ranges::any_of(weights, [&](const auto& entry) {
    const auto& [role, layer, bias] = entry.first;
    return bias && std::ranges::find(roles, role) != roles.end();
  });
}

// The builder leaves out biases of zeros.
OnnxWeight zeros(const DecoderTensor& wanted) {
  OnnxWeight weight;
  weight.input.tensor.shape = wanted.spec.shape;
  weight.given.resize(static_cast<size_t>(wanted.spec.shape.count().value_or(0)));
  return weight;
}

// States what the graph has otherwise than the checkpoint.
void state_differences(const DecoderConfig& facts, double embed_scale, WeightMap& weights,
                       Json& config) {
  using enum DecoderRole;
  const auto head = weights.find({Output, model::kNoLayer, false});
  const bool tied =
      is_same_weight(head->second, weights.at({TokenEmbedding, model::kNoLayer, false}));
  if (tied) weights.erase(head);
  config.set("tie_word_embeddings", tied);
  config.set("attn_bias", has_bias(weights, {Query, Key, Value}));
  config.set("mlp_bias", has_bias(weights, {Gate, Up, Down}));
  if (facts.norm_offset != 0) config.set("norm_offset", 0);
  if (facts.embed_scale != 1) config.set("embed_scale", embed_scale);
}

Result<SourceModel> named(const OnnxFile& file, const DecoderConfig& facts, WeightMap weights,
                          KeptCodes kept) {
  WeightTensors tensors(file.sources(), kept);
  for (const DecoderTensor& wanted : model::decoder_tensors(facts)) {
    const auto found = weights.find({wanted.role, wanted.layer, wanted.bias});
    if (found == weights.end() && (wanted.spec.optional || !wanted.bias)) continue;
    OnnxWeight weight = found == weights.end() ? zeros(wanted) : std::move(found->second);
    if (weight.shape() != wanted.spec.shape) {
      const model::TensorEntry& tensor = weight.input.tensor;
      return error_at(ErrorCode::Mismatch, tensor.index_offset, tensor.name,
                      {"shape is ", to_string(weight.shape()), ", but ", wanted.spec.name,
                       " of config.json has ", to_string(wanted.spec.shape)});
    }
    const bool is_head = wanted.role == DecoderRole::Output;
    AMBRY_RETURN_IF_ERROR(
        tensors.add(concat({is_head ? "" : "model.", wanted.spec.name}), std::move(weight)));
    if (found != weights.end()) weights.erase(found);
  }
  if (!weights.empty()) {
    const model::TensorEntry& tensor = weights.begin()->second.input.tensor;
    return error_at(ErrorCode::Unsupported, tensor.index_offset, tensor.name,
                    "the model that config.json states has no such weight");
  }
  return tensors.finish();
}

}  // namespace

Result<SourceModel> match_onnx_decoder(const OnnxFile& file, KeptCodes kept) {
  AMBRY_RETURN_IF_ERROR(check_graph(file));
  AMBRY_TRY(auto directory, formats::huggingface::read_decoder_config(file.sources().side(), ""));
  Json config = std::move(directory.config);
  AMBRY_TRY(Matched matched, match(file, config));
  const double embed_scale = matched.found.embed_scale;
  WeightMap weights = map_of(std::move(matched.found));
  state_differences(matched.facts, embed_scale, weights, config);
  AMBRY_TRY(const DecoderConfig now, facts_of(config));
  AMBRY_TRY(SourceModel source, named(file, now, std::move(weights), kept));
  source.model.config = std::move(config);
  for (Error& warning : matched.warnings) source.warnings.push_back(std::move(warning));
  return source;
}

}  // namespace ambry::convert::onnx
