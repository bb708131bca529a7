#include "model/encoder/head/head_config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "model/encoder/head/head_parts.h"
#include "model/metadata/metadata_value.h"

namespace ambry::model {
namespace {

constexpr std::array<std::pair<std::string_view, ProblemType>, 3> kProblemTypes = {
    {{"regression", ProblemType::Regression},
     {"single_label_classification", ProblemType::SingleLabel},
     {"multi_label_classification", ProblemType::MultiLabel}}};

// By the numbers of HeadPooling.
constexpr std::array<std::string_view, 3> kHeadPoolings = {"cls", "mean", "late"};

Failure bad_value(const Model& model, const char* key, ErrorCode code, const Text& message) {
  return metadata_error(model.metadata, key, code, message);
}

Result<std::vector<std::string>> stated_labels(const Model& model) {
  const auto text = metadata_text(model.metadata, kId2Label);
  if (!text || text->empty()) return std::vector<std::string>();
  const auto json = io::parse_json(*text);
  if (!json) return bad_value(model, kId2Label, ErrorCode::BadValue, json.error().message);
  auto labels = labels_from_json(*json, kId2Label);
  if (!labels) return bad_value(model, kId2Label, labels.error().code, labels.error().message);
  return std::move(*labels);
}

// Reads the name of an activation. `allowed` is what it may be.
Result<void> read_activation(const Model& model, const char* key, bool (*allowed)(DenseActivation),
                             DenseActivation& out) {
  const auto text = metadata_text(model.metadata, key);
  if (!text || text->empty()) return {};
  const auto known = dense_activation_by_name(*text);
  if (!known || !allowed(*known)) {
    return bad_value(model, key, ErrorCode::Unsupported, {"\"", *text, "\" is not supported"});
  }
  out = *known;
  return {};
}

Result<void> read_behaviour(const Model& model, const HeadLayout& layout, HeadConfig& head) {
  if (const auto text = metadata_text(model.metadata, kProblemType); text && !text->empty()) {
    const auto known = problem_type_by_name(*text);
    if (!known) {
      return bad_value(model, kProblemType, ErrorCode::Unsupported,
                       {"\"", *text, "\" is not supported"});
    }
    head.problem_type = *known;
  }
  if (const auto text = metadata_text(model.metadata, kClassifierPooling); text && !text->empty()) {
    const auto known = head_pooling_by_name(*text);
    if (!known) {
      return bad_value(model, kClassifierPooling, ErrorCode::Unsupported,
                       {"\"", *text, "\" is not supported"});
    }
    head.pooling = *known;
  }
  head.activation = layout.activation;
  AMBRY_RETURN_IF_ERROR(read_activation(
      model, kClassifierActivation, [](DenseActivation) { return true; }, head.activation));
  head.score_activation = usual_score_activation(head.labels.size());
  return read_activation(model, kScoreActivation, is_score_activation, head.score_activation);
}

// What the tensors show.
Result<void> read_sizes(const Model& model, const HeadLayout& layout, const TensorEntry& classifier,
                        uint32_t hidden_size, HeadConfig& head) {
  AMBRY_TRY(const uint32_t width, read_parts(model, layout, hidden_size, head));
  AMBRY_TRY(const uint32_t rows, outputs_of(model, classifier, width));
  if (head.labels.empty()) {
    return make_error(ErrorCode::NotFound, {"metadata.", kId2Label},
                      {"the head has ", rows, rows == 1 ? " output" : " outputs",
                       ", but nothing states its labels; state them as {\"0\": \"LABEL_0\", …}"});
  }
  if (head.labels.size() == rows) return {};
  return bad_value(model, kId2Label, ErrorCode::Mismatch,
                   {head.labels.size(), head.labels.size() == 1 ? " label" : " labels", ", but ",
                    classifier.name, " has ", rows, rows == 1 ? " row" : " rows"});
}

}  // namespace

std::string_view problem_type_name(ProblemType type) {
  for (const auto& [name, known] : kProblemTypes) {
    if (known == type) return name;
  }
  return {};
}

std::optional<ProblemType> problem_type_by_name(std::string_view name) {
  for (const auto& [known, type] : kProblemTypes) {
    if (known == name) return type;
  }
  return std::nullopt;
}

std::optional<HeadPooling> head_pooling_by_name(std::string_view name) {
  const auto found = std::ranges::find(kHeadPoolings, name);
  if (found == kHeadPoolings.end()) return std::nullopt;
  return static_cast<HeadPooling>(found - kHeadPoolings.begin());
}

DenseActivation usual_score_activation(size_t n_labels) {
  return n_labels == 1 ? DenseActivation::Sigmoid : DenseActivation::Identity;
}

bool is_score_activation(DenseActivation activation) {
  return activation == DenseActivation::Identity || activation == DenseActivation::Sigmoid ||
         activation == DenseActivation::Tanh;
}

Result<std::vector<std::string>> labels_from_json(const io::Json& id2label, std::string_view path) {
  const auto fail = [&](const Text& message) {
    return error_at(ErrorCode::BadValue, id2label.byte_offset(), path, message);
  };
  if (!id2label.is_object()) return fail("expected an object such as {\"0\": \"LABEL_0\"}");
  const size_t n_labels = id2label.members().size();
  std::vector<std::string> labels(n_labels);
  std::vector<uint8_t> seen(n_labels);
  for (const auto& [key, label] : id2label.members()) {
    size_t number = 0;
    const char* end = key.data() + key.size();
    const auto [stopped, problem] = std::from_chars(key.data(), end, number);
    if (problem != std::errc() || stopped != end || number >= n_labels || seen[number] != 0) {
      return fail({"\"", key, "\" is not one of the numbers 0 to ", n_labels - 1, ", each once"});
    }
    if (!label.is_string()) return fail({"the label ", number, " is not a text"});
    seen[number] = 1;
    labels[number] = label.string();
  }
  return labels;
}

Result<std::optional<HeadConfig>> head_config(const Model& model, const HeadLayout& layout,
                                              uint32_t hidden_size) {
  std::optional<HeadConfig> none;
  AMBRY_TRY(std::vector<std::string> labels, stated_labels(model));
  const TensorEntry* classifier = find_part(model, layout.classifier, ".weight");
  if (classifier == nullptr) {
    if (labels.empty()) return none;
    if (layout.classifier.empty()) {
      return bad_value(model, kId2Label, ErrorCode::Unsupported,
                       "classification heads of this architecture are not supported");
    }
    return bad_value(
        model, kId2Label, ErrorCode::NotFound,
        {"there are labels, but the tensor ", layout.classifier, ".weight of a head is missing"});
  }
  HeadConfig head;
  head.labels = std::move(labels);
  AMBRY_RETURN_IF_ERROR(read_sizes(model, layout, *classifier, hidden_size, head));
  AMBRY_RETURN_IF_ERROR(read_behaviour(model, layout, head));
  return std::optional(std::move(head));
}

void set_head_metadata(const HeadConfig& head, const HeadLayout& layout, io::Json& metadata) {
  io::Json labels = io::Json::object();
  for (size_t i = 0; i < head.labels.size(); ++i) labels.set(concat({i}), head.labels[i]);
  metadata.set(kId2Label, labels.dump());
  metadata.set(kScoreActivation, dense_activation_name(head.score_activation));
  if (head.problem_type != ProblemType::NotStated) {
    metadata.set(kProblemType, problem_type_name(head.problem_type));
  }
  if (head.pooling != HeadPooling::First) {
    metadata.set(kClassifierPooling, kHeadPoolings[static_cast<size_t>(head.pooling)]);
  }
  if (layout.activation != head.activation) {
    metadata.set(kClassifierActivation, dense_activation_name(head.activation));
  }
}

}  // namespace ambry::model
