#include "convert/onnx/encoders/encoder_match.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "convert/plan/source_model.h"
#include "model/encoder/encoder_tensors.h"

namespace ambry::convert::onnx {
namespace {

constexpr std::string_view kWeight = ".weight";
// The least positive number that converters to halves leave.
constexpr double kLeastHalf = 1.3e-7;

struct ActivationName {
  std::string_view name;
  Function function;
};
constexpr std::array kActivations = {ActivationName{"gelu", Function::Gelu},
                                     ActivationName{"gelu_new", Function::GeluTanh},
                                     ActivationName{"gelu_tanh", Function::GeluTanh},
                                     ActivationName{"relu", Function::Relu},
                                     ActivationName{"gelu_pytorch_tanh", Function::GeluTanh},
                                     ActivationName{"silu", Function::Silu}};

}  // namespace

std::optional<Function> activation_function(std::string_view name) {
  const auto* const found = std::ranges::find(kActivations, name, &ActivationName::name);
  if (found == kActivations.end()) return std::nullopt;
  return found->function;
}

EncoderMatch::EncoderMatch(GraphValues& values, const model::EncoderConfig& config)
    : values_(values), config_(config) {
  for (const model::EncoderTensor& tensor : model::encoder_tensors(config)) {
    if (tensor.bias || tensor.part != 0 || !tensor.spec.name.ends_with(kWeight)) continue;
    std::string name = tensor.spec.name.substr(0, tensor.spec.name.size() - kWeight.size());
    names_.emplace(std::tuple(tensor.role, tensor.layer), std::move(name));
  }
}

Failure EncoderMatch::fail(TermId at, const Text& why) const {
  const uint32_t node = terms()[at].node;
  const OnnxFile& file = values_.file();
  if (node < file.graph().nodes.size()) return file.refuse(file.graph().nodes[node], why);
  return make_error(ErrorCode::Unsupported, "graph", why.str());
}

Result<void> EncoderMatch::take(const std::string& name, uint32_t weight, TermId at) {
  const auto [known, is_new] = weights_.emplace(name, weight);
  if (is_new || known->second == weight) return {};
  return fail(at, {"two different tensors would both be ", name});
}

Result<TermId> EncoderMatch::take_linear(TermId term, std::string_view name) {
  const Term* found = terms().is(term, Op::Linear);
  if (found == nullptr) return fail(term, {"expected the linear layer ", name});
  AMBRY_RETURN_IF_ERROR(take(concat({name, kWeight}), found->weight, term));
  if (found->bias != kNone) AMBRY_RETURN_IF_ERROR(take(concat({name, ".bias"}), found->bias, term));
  return found->args[0];
}

Result<TermId> EncoderMatch::take_norm(TermId term, std::string_view name) {
  const Term* found = terms().is(term, Op::Norm);
  if (found == nullptr || found->weight == kNone) {
    return fail(term, {"expected the layer norm ", name});
  }
  const double wanted = config_.layer_norm_eps;
  const OnnxWeight& weight = values_.weight(found->weight);
  const bool halves = weight.input.tensor.dtype == tensor::DType::F16;
  const bool both_least = halves && found->number <= kLeastHalf && wanted <= kLeastHalf;
  if (!both_least && std::abs(found->number - wanted) > (halves ? 1e-2 : 1e-3) * wanted) {
    return fail(term, {"the epsilon of ", name, " is not the one of config.json"});
  }
  AMBRY_RETURN_IF_ERROR(take(concat({name, kWeight}), found->weight, term));
  if (found->bias == kNone) return found->args[0];
  // Exporters write zeros where a norm has no bias.
  if (!config_.facts.norm_bias) {
    AMBRY_TRY(const bool zeros, is_zero(values_.weight(found->bias)));
    if (zeros) return found->args[0];
  }
  AMBRY_RETURN_IF_ERROR(take(concat({name, ".bias"}), found->bias, term));
  return found->args[0];
}

Result<bool> EncoderMatch::is_zero(const OnnxWeight& weight) const {
  const auto all = [](const auto& list) {
    return std::ranges::all_of(list, [](auto value) { return value == 0; });
  };
  if (!weight.given.empty()) return all(weight.given);
  const SourceFiles& sources = values_.file().sources();
  const Input& input = weight.input;
  auto bytes = sources.files()[input.file].source->view(input.tensor.offset, input.tensor.bytes,
                                                        input.tensor.name);
  if (!bytes) return in_source_file(bytes.take_error(), sources, input.file);
  return all(*bytes);
}

Result<std::string_view> EncoderMatch::name_of(Role role, uint32_t layer, TermId at) const {
  const auto found = names_.find({role, layer});
  if (found != names_.end()) return std::string_view(found->second);
  return fail(at, {"a ", config_.architecture->name, " encoder has no such step here"});
}

Result<TermId> EncoderMatch::linear(TermId term, Role role, uint32_t layer) {
  AMBRY_TRY(const std::string_view name, name_of(role, layer, term));
  return take_linear(term, name);
}

Result<TermId> EncoderMatch::norm(TermId term, Role role, uint32_t layer) {
  AMBRY_TRY(const std::string_view name, name_of(role, layer, term));
  return take_norm(term, name);
}

Result<EncoderMatch::Branch> EncoderMatch::branch(TermId term) const {
  const Term* sum = terms().is(term, Op::Sum);
  if (sum == nullptr) return fail(term, "expected the sum of a layer's input and its result");
  const bool first = terms().is(sum->args[0], Op::Linear) != nullptr;
  const bool second = terms().is(sum->args[1], Op::Linear) != nullptr;
  if (first == second) return fail(term, "expected the sum of a layer's input and its result");
  return Branch{sum->args[first ? 0 : 1], sum->args[first ? 1 : 0]};
}

Result<void> EncoderMatch::match_states(TermId term) {
  if (has_states()) {
    if (states_ == term) return {};
    return fail(term, "the outputs of the graph have different states of the tokens");
  }
  TermId at = term;
  if (config_.facts.final_norm) {
    AMBRY_TRY(at, norm(at, Role::FinalNorm, 0));
  }
  for (uint32_t i = config_.num_layers; i-- > 0;) {
    AMBRY_TRY(at, layer(at, i));
  }
  AMBRY_RETURN_IF_ERROR(embeddings(at));
  states_ = term;
  return {};
}

// The input of a layer, from its output.
Result<TermId> EncoderMatch::layer(TermId term, uint32_t i) {
  if (config_.facts.norm_first) {
    AMBRY_TRY(const Branch down, branch(term));
    AMBRY_TRY(const TermId normed, feed_forward(down.linear, i));
    AMBRY_TRY(const TermId middle, norm(normed, Role::OutputNorm, i));
    if (middle != down.rest) return fail(term, "the feed-forward layer has another input");
    AMBRY_TRY(const Branch out, branch(middle));
    AMBRY_TRY(const TermId context, linear(out.linear, Role::AttentionOutput, i));
    AMBRY_TRY(TermId input, attention(context, i));
    if (names_.contains({Role::AttentionNorm, i})) {
      AMBRY_TRY(input, norm(input, Role::AttentionNorm, i));
    }
    if (input != out.rest) return fail(middle, "attention has another input");
    return input;
  }
  AMBRY_TRY(const TermId sum, norm(term, Role::OutputNorm, i));
  AMBRY_TRY(const Branch down, branch(sum));
  AMBRY_TRY(const TermId middle, feed_forward(down.linear, i));
  if (middle != down.rest) return fail(sum, "the feed-forward layer has another input");
  AMBRY_TRY(const TermId attended, norm(middle, Role::AttentionNorm, i));
  AMBRY_TRY(const Branch out, branch(attended));
  AMBRY_TRY(const TermId context, linear(out.linear, Role::AttentionOutput, i));
  AMBRY_TRY(const TermId input, attention(context, i));
  if (input != out.rest) return fail(attended, "attention has another input");
  return input;
}

Result<TermId> EncoderMatch::feed_forward(TermId down, uint32_t i) {
  AMBRY_TRY(const TermId active, linear(down, Role::Down, i));
  if (config_.facts.gated) return gated(active, i);
  const auto function = activation_function(config_.hidden_act);
  if (!function || terms().is_call(active, *function) == nullptr) {
    return fail(active, {"the activation is not ", config_.hidden_act, ", as config.json states"});
  }
  return linear(terms()[active].args[0], Role::Up, i);
}

// act(first half) * second half
Result<TermId> EncoderMatch::gated(TermId product, uint32_t i) {
  const Term* times = terms().is(product, Op::Times);
  const auto function = activation_function(config_.hidden_act);
  if (times == nullptr || !function) return fail(product, "expected a gated feed-forward layer");
  const std::array<TermId, 2> parts = {times->args[0], times->args[1]};
  for (const size_t side : {size_t{0}, size_t{1}}) {
    const Term* active = terms().is_call(parts[side], *function);
    const Term* half = active == nullptr ? nullptr : terms().is(active->args[0], Op::Slice);
    if (half == nullptr) continue;
    const TermId both = half->args[0];
    const TermId gate = active->args[0];
    const size_t axis = terms()[both].dims.size() - 1;
    const auto ff = static_cast<int64_t>(config_.intermediate_size);
    if (!terms()[both].dims[axis].is(2 * ff)) break;
    if (gate != values_.make().slice(both, axis, 0, number_dim(ff))) break;
    if (parts[1 - side] != values_.make().slice(both, axis, ff, number_dim(ff))) break;
    return linear(both, Role::GateUp, i);
  }
  return fail(product,
              {"expected a gated feed-forward layer with the activation ", config_.hidden_act});
}

Result<void> EncoderMatch::embeddings(TermId term) {
  if (config_.facts.embedding_norm) {
    AMBRY_TRY(term, norm(term, Role::EmbeddingNorm, 0));
  }
  std::vector<TermId> left = {term};
  size_t n_parts = 0;
  while (!left.empty()) {
    const TermId part = left.back();
    left.pop_back();
    if (const Term* sum = terms().is(part, Op::Sum)) {
      left.insert(left.end(), sum->args.begin(), sum->args.end());
      continue;
    }
    const size_t before = weights_.size();
    AMBRY_RETURN_IF_ERROR(embedding(part));
    if (weights_.size() == before) return fail(part, "these embeddings are added twice");
    ++n_parts;
  }
  const bool learned = names_.contains({Role::PositionEmbedding, 0});
  const bool types = names_.contains({Role::TokenTypeEmbedding, 0});
  const size_t wanted = 1 + (learned ? 1U : 0U) + (types ? 1U : 0U);
  if (n_parts == wanted) return {};
  return fail(term, {"the embeddings are a sum of ", n_parts, " tables, but the architecture has ",
                     wanted});
}

Result<void> EncoderMatch::embedding(TermId term) {
  const Term* found = terms().is(term, Op::Embed);
  if (found == nullptr) return fail(term, "expected an embedding of ids, types or positions");
  const uint32_t weight = found->weight;
  const auto named = [&](Role role) -> Result<void> {
    AMBRY_TRY(const std::string_view name, name_of(role, 0, term));
    return take(concat({name, kWeight}), weight, term);
  };
  if (!found->args.empty()) {
    if (terms().is(found->args[0], Op::Ids) != nullptr) return named(Role::WordEmbedding);
    if (terms().is(found->args[0], Op::TypeIds) != nullptr) return named(Role::TokenTypeEmbedding);
    return position_embedding(term);
  }
  const Numbers& index = values_.numbers(found->numbers);
  if (!index.dims.empty() && std::ranges::all_of(index.on, [](double id) { return id == 0; })) {
    return named(Role::TokenTypeEmbedding);
  }
  return position_embedding(term);
}

Result<void> EncoderMatch::position_embedding(TermId term) {
  const Term found = terms()[term];
  const model::EncoderFacts& facts = config_.facts;
  if (facts.positions_after_pad) {
    // pad + (running sum of those that are not pad) * (whether this one is not pad)
    const double pad = facts.pad_token_id;
    const Dims dims = {batch_dim(), token_dim()};
    Terms& make = values_.make();
    const TermId ids = make.add({.op = Op::Ids, .is_integer = true, .dims = dims});
    const TermId differs = make.add(
        {.op = Op::Differs, .is_integer = true, .dims = dims, .args = {ids}, .number = pad});
    const TermId counted = make.add(
        {.op = Op::RunningSum, .is_integer = true, .dims = dims, .args = {differs}, .ints = {1}});
    const TermId wanted = make.shift(make.times(counted, differs, dims), pad);
    if (found.args.empty() || found.args[0] != wanted) {
      return fail(term,
                  {"positions must count from ", facts.pad_token_id + 1, " and leave out padding"});
    }
  } else {
    if (found.numbers == kNone)
      return fail(term, "expected embeddings of the positions 0, 1, 2, …");
    const Numbers& index = values_.numbers(found.numbers);
    bool counts = !index.dims.empty() && index.dims.back() == token_dim();
    for (size_t i = 0; i < index.on.size(); ++i) {
      counts = counts && index.on[i] == static_cast<double>(i);
    }
    if (!counts) return fail(term, "expected embeddings of the positions 0, 1, 2, …");
  }
  AMBRY_TRY(const std::string_view name, name_of(Role::PositionEmbedding, 0, term));
  return take(concat({name, kWeight}), terms()[term].weight, term);
}

}  // namespace ambry::convert::onnx
