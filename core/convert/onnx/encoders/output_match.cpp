#include "convert/onnx/encoders/output_match.h"

#include <algorithm>
#include <optional>
#include <string>

#include "model/encoder/head/head_config.h"

namespace ambry::convert::onnx {
namespace {

using formats::huggingface::Directory;
using formats::onnx::ValueInfo;
using model::DenseActivation;

std::optional<Function> function_of(DenseActivation activation) {
  switch (activation) {
    case DenseActivation::Tanh:
      return Function::Tanh;
    case DenseActivation::Relu:
      return Function::Relu;
    case DenseActivation::Gelu:
      return Function::Gelu;
    case DenseActivation::GeluTanh:
      return Function::GeluTanh;
    case DenseActivation::Sigmoid:
      return Function::Sigmoid;
    case DenseActivation::Silu:
      return Function::Silu;
    default:
      return std::nullopt;
  }
}

class OutputMatch {
 public:
  OutputMatch(EncoderMatch& match, const Directory& directory)
      : match_(match), directory_(directory) {}

  Result<void> match(const ValueInfo& output);

 private:
  [[nodiscard]] const Terms& terms() const { return match_.terms(); }
  // The term behind moves that keep all elements in their order.
  [[nodiscard]] TermId within(TermId term) const {
    const Term* moved = terms().is(term, Op::Reshape);
    return moved == nullptr ? term : moved->args[0];
  }
  // The states of which the first token, or the mean of all, is taken.
  [[nodiscard]] std::optional<TermId> first_token(TermId term) const;
  [[nodiscard]] std::optional<TermId> mean(TermId term) const;
  [[nodiscard]] std::optional<TermId> with_length_one(TermId term) const;
  Result<void> text_output(TermId term);
  Result<void> logits(TermId term, const model::HeadConfig& head);
  Result<void> token_logits(TermId term);
  Result<void> sentence(TermId term);

  EncoderMatch& match_;
  const Directory& directory_;
};

std::optional<TermId> OutputMatch::first_token(TermId term) const {
  const Term* slice = terms().is(within(term), Op::Slice);
  if (slice == nullptr || slice->ints != std::vector<int64_t>{1, 0} || !slice->dims[1].is(1)) {
    return std::nullopt;
  }
  return slice->args[0];
}

// (sum of states * mask) / (sum of mask)
std::optional<TermId> OutputMatch::mean(TermId term) const {
  const Term* quotient = terms().is(within(term), Op::Quotient);
  if (quotient == nullptr) return std::nullopt;
  TermId count = within(quotient->args[1]);
  if (const Term* repeated = terms().is(count, Op::Repeat)) count = within(repeated->args[0]);
  const Term* sum = terms().is(within(quotient->args[0]), Op::Reduce);
  if (sum == nullptr || terms().is(count, Op::TokenCount) == nullptr) return std::nullopt;
  if (sum->ints != std::vector<int64_t>{static_cast<int64_t>(Reduction::Sum), 1}) {
    return std::nullopt;
  }
  const Term* masked = terms().is(sum->args[0], Op::MulNumbers);
  if (masked == nullptr) return std::nullopt;
  const Numbers& mask = match_.values().numbers(masked->numbers);
  const auto all = [](const std::vector<double>& list, double wanted) {
    return std::ranges::all_of(list, [&](double value) { return value == wanted; });
  };
  const bool fits = mask.has_mask() && mask.mask_axis == 1 && mask.dims.size() == 3 &&
                    mask.dims[0] == batch_dim() && all(mask.on, 1) && all(mask.off, 0);
  if (!fits) return std::nullopt;
  return masked->args[0];
}

// x / |x|
std::optional<TermId> OutputMatch::with_length_one(TermId term) const {
  const Term* quotient = terms().is(within(term), Op::Quotient);
  if (quotient == nullptr) return std::nullopt;
  TermId length = within(quotient->args[1]);
  if (const Term* repeated = terms().is(length, Op::Repeat)) length = within(repeated->args[0]);
  const Term* reduced = terms().is(length, Op::Reduce);
  if (reduced == nullptr || reduced->args[0] != quotient->args[0] ||
      reduced->ints != std::vector<int64_t>{static_cast<int64_t>(Reduction::Length), 1}) {
    return std::nullopt;
  }
  return quotient->args[0];
}

Result<void> OutputMatch::match(const ValueInfo& output) {
  const OnnxFile& file = match_.values().file();
  const Value value = match_.values().value(output.name);
  if (value.kind == Value::Kind::Unknown && value.node < file.graph().nodes.size()) {
    return file.refuse(file.graph().nodes[value.node],
                       {"this operator, or its use here, is not one of a known encoder"});
  }
  if (value.kind != Value::Kind::Term) {
    return error_at(ErrorCode::Unsupported, output.byte_offset, file.model().names[output.name],
                    "this output does not depend on the text");
  }
  const Dims& dims = terms()[value.at].dims;
  if (dims.empty() || dims[0] != batch_dim()) {
    return match_.fail(value.at, "expected an output for each text");
  }
  if (dims.size() == 2) return text_output(value.at);
  if (match_.config().token_head() != nullptr && terms().is(value.at, Op::Linear) != nullptr) {
    return token_logits(value.at);
  }
  return match_.match_states(value.at);
}

Result<void> OutputMatch::text_output(TermId term) {
  term = within(term);
  const model::HeadConfig* head = match_.config().text_head();
  if (head != nullptr && terms().is(term, Op::Linear) != nullptr) return logits(term, *head);
  // The pooler of a language model, which sentence vectors do not use.
  const Term* tanh = terms().is_call(term, Function::Tanh);
  if (tanh != nullptr && terms().is(tanh->args[0], Op::Linear) != nullptr) {
    AMBRY_TRY(const TermId pooled, match_.take_linear(tanh->args[0], "pooler.dense"));
    const auto states = first_token(pooled);
    if (!states) return match_.fail(term, "expected a pooler of the first token");
    return match_.match_states(*states);
  }
  return sentence(term);
}

Result<void> OutputMatch::logits(TermId term, const model::HeadConfig& head) {
  const model::HeadLayout& layout = match_.config().architecture->head;
  AMBRY_TRY(TermId at, match_.take_linear(term, layout.classifier));
  at = within(at);
  if (!layout.norm.empty()) {
    AMBRY_TRY(at, match_.take_norm(at, layout.norm));
    at = within(at);
  }
  if (!layout.dense.empty() && !directory_.head_without_dense) {
    const auto function = function_of(head.activation);
    if (!function || terms().is_call(at, *function) == nullptr) {
      return match_.fail(at, {"the activation of the head is not ",
                              model::dense_activation_name(head.activation)});
    }
    AMBRY_TRY(at, match_.take_linear(terms()[at].args[0], layout.dense));
  }
  const bool of_first = head.pooling == model::HeadPooling::First;
  const auto states = of_first ? first_token(at) : mean(at);
  if (!states || head.pooling == model::HeadPooling::Late) {
    return match_.fail(at, "the head takes other states than config.json says");
  }
  return match_.match_states(*states);
}

// Only heads of one layer: those of token classification, and of question answering.
Result<void> OutputMatch::token_logits(TermId term) {
  const model::HeadConfig& head = *match_.config().token_head();
  const bool answers = head.task == model::HeadTask::QuestionAnswering;
  if (!answers && head.task != model::HeadTask::TokenClassification) {
    return match_.fail(term, "heads of masked language models are not read from a graph");
  }
  AMBRY_TRY(const TermId states, match_.take_linear(term, answers ? "qa_outputs" : "classifier"));
  return match_.match_states(states);
}

Result<void> OutputMatch::sentence(TermId term) {
  const model::EncoderConfig& config = match_.config();
  if (!config.dense.empty() || config.late_interaction() != nullptr) {
    return match_.fail(term, "vectors of texts with dense layers are not read from a graph");
  }
  const auto unit = with_length_one(term);
  if (unit.has_value() != config.normalize) {
    return match_.fail(term, config.normalize ? "modules.json states that vectors have length 1"
                                              : "modules.json states no normalization");
  }
  const TermId pooled = unit.value_or(term);
  std::optional<TermId> states;
  if (config.pooling == "cls") states = first_token(pooled);
  if (config.pooling == "mean") states = mean(pooled);
  if (!states) {
    return match_.fail(pooled, {"the pooling in the graph is not ", config.pooling,
                                ", which the files beside it state"});
  }
  return match_.match_states(*states);
}

}  // namespace

Result<void> match_outputs(EncoderMatch& match, const Directory& directory) {
  OutputMatch outputs(match, directory);
  for (const ValueInfo& output : match.values().file().graph().outputs) {
    AMBRY_RETURN_IF_ERROR(outputs.match(output));
  }
  if (match.has_states()) return {};
  return make_error(ErrorCode::NotFound, "graph.output", "the graph has no output");
}

}  // namespace ambry::convert::onnx
