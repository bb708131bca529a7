#include "convert/gguf/encoder_head.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "convert/gguf/metadata_keys.h"
#include "convert/tensor/target_dtype.h"
#include "formats/gguf/config.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "model/file/tensor_index.h"
#include "model/metadata/metadata_value.h"

namespace ambry::convert {
namespace {

using formats::gguf::GgufEncoder;
using io::Json;
using model::Model;
using model::TensorEntry;

constexpr std::string_view kLabelsKey = "classifier.output_labels";

Failure key_error(const Model& gguf, const GgufEncoder& encoder, std::string_view suffix,
                  ErrorCode code, const Text& message) {
  return model::metadata_error(gguf.metadata, concat({encoder.gguf, ".", suffix}), code, message);
}

struct Head {
  const TensorEntry* dense = nullptr;
  const TensorEntry* norm = nullptr;
  const TensorEntry* classifier = nullptr;
};

Failure lacks(const TensorEntry& present, std::string_view missing) {
  return error_at(ErrorCode::Unsupported, present.index_offset, present.name,
                  {"the head of this model needs the tensor ", missing,
                   ".weight too, which some converters leave out; convert the model from its "
                   "Hugging Face directory instead"});
}

// A file without a part of the head would give other scores than the model.
Result<void> check_parts(const model::HeadLayout& layout, const Head& head) {
  const TensorEntry& any = head.classifier != nullptr ? *head.classifier : *head.dense;
  if (layout.classifier.empty()) {
    return error_at(ErrorCode::Unsupported, any.index_offset, any.name,
                    "classification heads of this architecture are not supported");
  }
  if (head.classifier == nullptr) return lacks(any, "cls.output");
  if (head.dense == nullptr && !layout.dense.empty()) return lacks(any, "cls");
  if (head.norm == nullptr && !layout.norm.empty()) return lacks(any, "cls.norm");
  return {};
}

Result<Json> labels_of(const Model& gguf, const GgufEncoder& encoder, uint64_t n_rows) {
  Json labels = Json::object();
  const Json* stated = formats::gguf::architecture_value(gguf, kLabelsKey);
  if (stated == nullptr) {
    for (uint64_t i = 0; i < n_rows; ++i) labels.set(concat({i}), concat({"LABEL_", i}));
    return labels;
  }
  const auto fail = [&](ErrorCode code, const Text& message) {
    return key_error(gguf, encoder, kLabelsKey, code, message);
  };
  // Long arrays were not read.
  if (stated->is_object()) return fail(ErrorCode::LimitExceeded, "too many labels; at most 64");
  if (!stated->is_array()) return fail(ErrorCode::BadValue, "expected a list of labels");
  for (const Json& label : stated->items()) {
    if (!label.is_string()) return fail(ErrorCode::BadValue, "a label is not a text");
    labels.set(concat({labels.members().size()}), label.string());
  }
  const size_t n_labels = labels.members().size();
  if (n_labels == n_rows) return labels;
  return fail(ErrorCode::Mismatch,
              {n_labels, n_labels == 1 ? " label, but " : " labels, but ", "cls.output.weight has ",
               n_rows, n_rows == 1 ? " row" : " rows"});
}

}  // namespace

Result<void> add_gguf_head(const Model& gguf, const GgufEncoder& encoder, Json& metadata) {
  const model::TensorIndex index(gguf.tensors);
  const Head head{index.find("cls.weight"), index.find("cls.norm.weight"),
                  index.find("cls.output.weight")};
  if (head.classifier == nullptr && head.dense == nullptr) {
    const Json* pooling = formats::gguf::architecture_value(gguf, "pooling_type");
    if (pooling == nullptr || !pooling->is_uint() || pooling->uint() != kRankPooling) return {};
    return key_error(
        gguf, encoder, "pooling_type", ErrorCode::NotFound,
        {kRankPooling, " is a reranker's, but its tensor cls.output.weight is missing"});
  }
  AMBRY_RETURN_IF_ERROR(check_parts(encoder.architecture->head, head));
  const tensor::Shape& shape = head.classifier->shape;
  AMBRY_TRY(const Json labels, labels_of(gguf, encoder, shape.rank() == 2 ? shape[0] : 0));
  metadata.set(model::kId2Label, labels.dump());
  return {};
}

Result<void> put_gguf_head(const model::HeadConfig& head, const Options& options, Json& metadata,
                           std::vector<Error>& warnings) {
  if (head.task != model::HeadTask::TextClassification) return no_gguf_key("a head for tokens");
  if (head.pooling != model::HeadPooling::First) {
    return no_gguf_key("the mean of all tokens before a classification head");
  }
  if (head.dense_size == 0) return no_gguf_key("a classification head without a pooler");
  if (head.activation != model::DenseActivation::Tanh) {
    return no_gguf_key(
        concat({dense_activation_name(head.activation), " in a classification head"}));
  }
  Json labels = Json::array();
  for (const std::string& label : head.labels) labels.append(label);
  metadata.set("bert.classifier.output_labels", std::move(labels));
  if (head.score_activation != model::usual_score_activation(head.labels.size())) {
    AMBRY_RETURN_IF_ERROR(lose(
        options, warnings,
        no_gguf_key(concat({"scores through ", dense_activation_name(head.score_activation)}))));
  }
  if (head.problem_type == model::ProblemType::NotStated) return {};
  return lose(options, warnings,
              no_gguf_key(concat({"the problem type ", problem_type_name(head.problem_type)})));
}

}  // namespace ambry::convert
