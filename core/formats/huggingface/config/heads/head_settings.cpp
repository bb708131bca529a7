#include "formats/huggingface/config/heads/head_settings.h"

#include <string>
#include <string_view>
#include <utility>

#include "formats/huggingface/config/fields/task_class.h"
#include "formats/huggingface/modules/sentence_settings.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using model::DenseActivation;
using model::HeadConfig;

// Far more labels than a model has. Keeps a hostile number from becoming a long list.
constexpr uint32_t kMostLabels = 65'536;

// Transformers calls labels without a name LABEL_0, LABEL_1, ….
Result<std::vector<std::string>> numbered_labels(const FileValues& values) {
  uint32_t count = 0;
  for (const char* key : {"_num_labels", "num_labels"}) {
    AMBRY_RETURN_IF_ERROR(values.read({{key, count}}));
    if (count > kMostLabels) {
      return values.fail(key, ErrorCode::LimitExceeded, {count, " labels, at most ", kMostLabels});
    }
  }
  if (count == 0) {
    return values.fail(model::kId2Label, ErrorCode::NotFound,
                       "the model has a classification head, but its labels are not stated; state "
                       "them as {\"0\": \"LABEL_0\", …}");
  }
  std::vector<std::string> labels;
  labels.reserve(count);
  for (uint32_t i = 0; i < count; ++i) labels.push_back(concat({"LABEL_", i}));
  return labels;
}

// An activation of the head as Transformers names it, such as `gelu`.
Result<void> read_activation(const FileValues& values, const char* key, DenseActivation& out) {
  const std::string name = values.text(key);
  if (name.empty()) return {};
  const auto known = activation_of_layers(name);
  if (!known) {
    return values.fail(key, ErrorCode::Unsupported, {"\"", name, "\" is not supported"});
  }
  out = *known;
  return {};
}

// A class of torch.nn, such as `torch.nn.modules.linear.Identity`.
Result<void> read_score_activation(const FileValues& values, const char* key,
                                   DenseActivation& out) {
  if (!model::has_value(values.json(), key)) return {};
  const std::string name = values.text(key);
  const auto known =
      model::dense_activation_of_torch(std::string_view(name).substr(name.find_last_of('.') + 1));
  if (!name.starts_with("torch.nn.") || !known || !model::is_score_activation(*known)) {
    return values.fail(key, ErrorCode::Unsupported,
                       {"the activation ", values.json().find(key)->dump(),
                        " is not supported; supported are Identity, Sigmoid and Tanh"});
  }
  out = *known;
  return {};
}

Result<void> read_problem_type(const FileValues& values, HeadConfig& head) {
  const std::string name = values.text(model::kProblemType);
  if (name.empty()) return {};
  const auto known = model::problem_type_by_name(name);
  if (!known) {
    return values.fail(model::kProblemType, ErrorCode::Unsupported,
                       {"\"", name, "\" is not supported"});
  }
  head.problem_type = *known;
  return {};
}

// The second key is that of EuroBERT's authors, who call the first token `bos`.
Result<void> read_pooling(const FileValues& values, HeadConfig& head) {
  for (const char* key : {model::kClassifierPooling, "clf_pooling"}) {
    const std::string pooling = values.text(key);
    if (pooling.empty()) continue;
    const auto known = model::head_pooling_by_name(pooling == "bos" ? "cls" : pooling);
    if (!known) {
      return values.fail(key, ErrorCode::Unsupported, {"\"", pooling, "\" is not supported"});
    }
    head.pooling = *known;
    return {};
  }
  return {};
}

}  // namespace

std::optional<DenseActivation> activation_of_layers(std::string_view hidden_act) {
  if (hidden_act == "gelu_new" || hidden_act == "gelu_pytorch_tanh") {
    return DenseActivation::GeluTanh;
  }
  return model::dense_activation_by_name(hidden_act);
}

Result<void> read_score_activation(const SideFiles& files, const FileValues& values,
                                   DenseActivation& out) {
  AMBRY_TRY(const auto own, read_json_file(files, kSentenceTransformers));
  if (own && model::has_value(*own, model::kScoreActivation)) {
    return read_score_activation(FileValues(kSentenceTransformers, *own), model::kScoreActivation,
                                 out);
  }
  const Json* newer = values.json().find("sentence_transformers");
  if (newer != nullptr && newer->find(model::kScoreActivation) != nullptr) {
    const FileValues nested(concat({values.file(), ".sentence_transformers"}), *newer);
    return read_score_activation(nested, model::kScoreActivation, out);
  }
  return read_score_activation(values, "sbert_ce_default_activation_function", out);
}

Result<std::vector<std::string>> read_labels(const FileValues& values) {
  const Json* stated = values.json().find(model::kId2Label);
  if (stated == nullptr || stated->is_null()) return numbered_labels(values);
  auto labels = model::labels_from_json(*stated, model::kId2Label);
  if (!labels) return values.fail(model::kId2Label, labels.error().code, labels.error().message);
  if (labels->empty())
    return values.fail(model::kId2Label, ErrorCode::NotFound, "there is no label");
  return std::move(*labels);
}

Result<void> read_head_activation(const FileValues& values, DenseActivation& out) {
  // ModernBERT's key and DeBERTa's.
  for (const char* key : {model::kClassifierActivation, "pooler_hidden_act"}) {
    AMBRY_RETURN_IF_ERROR(read_activation(values, key, out));
  }
  return {};
}

Result<std::optional<HeadConfig>> read_head(const SideFiles& files, const FileValues& values,
                                            const model::HeadLayout& layout) {
  std::optional<HeadConfig> none;
  if (!classifies_sequences(values)) return none;
  if (layout.classifier.empty()) {
    return values.fail("architectures", ErrorCode::Unsupported,
                       "classification heads of this architecture are not supported");
  }
  HeadConfig head;
  AMBRY_TRY(head.labels, read_labels(values));
  AMBRY_RETURN_IF_ERROR(read_problem_type(values, head));
  head.pooling = layout.pooling;
  AMBRY_RETURN_IF_ERROR(read_pooling(values, head));
  head.activation = layout.activation;
  AMBRY_RETURN_IF_ERROR(read_head_activation(values, head.activation));
  if (layout.activation_key != nullptr) {
    AMBRY_RETURN_IF_ERROR(read_activation(values, layout.activation_key, head.activation));
  }
  head.score_activation = model::usual_score_activation(head.labels.size());
  AMBRY_RETURN_IF_ERROR(read_score_activation(files, values, head.score_activation));
  return std::optional(std::move(head));
}

}  // namespace ambry::formats::huggingface
