#include "model/encoder/token_head.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "model/encoder/encoder_config.h"
#include "model/encoder/head/head_parts.h"
#include "model/metadata/metadata_value.h"

namespace ambry::model {
namespace {

using io::Json;

constexpr std::array<std::pair<std::string_view, HeadTask>, 4> kTasks = {
    {{"token_classification", HeadTask::TokenClassification},
     {"question_answering", HeadTask::QuestionAnswering},
     {"fill_mask", HeadTask::FillMask},
     {"sparse", HeadTask::Sparse}}};

constexpr std::array<std::string_view, 7> kKeys = {
    kTokenHeadTask,    kTokenHeadLabels,     kTokenHeadActivation, kTokenHeadMask,
    kTokenHeadPooling, kTokenHeadLogarithms, kTokenHeadWords};

// The values of settings that are one of two words. The first is the default.
constexpr std::array<std::string_view, 2> kPoolings = {"max", "sum"};
constexpr std::array<std::string_view, 2> kWords = {"all", "own"};
constexpr uint32_t kMostLogarithms = 2;

class TokenHeadReader {
 public:
  TokenHeadReader(const Model& model, EncoderConfig& config) : model_(model), config_(config) {}

  Result<void> read(std::string_view text) {
    if (config_.head) {
      return fail(ErrorCode::Unsupported,
                  "a model with a classification head has no head for tokens besides");
    }
    const auto json = io::parse_json(text);
    if (!json || !json->is_object()) return fail(ErrorCode::BadValue, "expected a JSON object");
    for (const auto& [key, value] : json->members()) {
      if (std::ranges::find(kKeys, std::string_view(key)) != kKeys.end()) continue;
      return fail(ErrorCode::Unsupported, {"the setting \"", key, "\" is not known"});
    }
    HeadConfig head;
    AMBRY_RETURN_IF_ERROR(read_settings(*json, head));
    AMBRY_TRY(const uint32_t width,
              read_parts(model_, kTokenHeadLayout, config_.hidden_size, head));
    config_.head = std::move(head);
    return read_outputs(width);
  }

 private:
  [[nodiscard]] Failure fail(ErrorCode code, const Text& message) const {
    return metadata_error(model_.metadata, kTokenHead, code, message);
  }

  Result<void> read_settings(const Json& json, HeadConfig& head) const {
    std::string task;
    std::string activation;
    auto read = read_values(json,
                            {{kTokenHeadTask, task},
                             {kTokenHeadActivation, activation},
                             {kTokenHeadMask, head.mask_id}},
                            kTokenHead);
    if (!read) return fail(read.error().code, describe(read.error()));
    const auto known = token_task_by_name(task);
    if (!known) return fail(ErrorCode::Unsupported, {"the task \"", task, "\" is not supported"});
    head.task = *known;
    head.activation = kTokenHeadLayout.activation;
    if (!activation.empty()) {
      const auto named = dense_activation_by_name(activation);
      if (!named) {
        return fail(ErrorCode::Unsupported,
                    {"the activation \"", activation, "\" is not supported"});
      }
      head.activation = *named;
    }
    if (head.mask_id >= config_.vocab_size) {
      return fail(ErrorCode::BadValue, {"mask is ", head.mask_id, ", but the model has ",
                                        config_.vocab_size, " tokens"});
    }
    if (head.task == HeadTask::Sparse) return read_sparse(json, head.sparse);
    return head.task == HeadTask::TokenClassification ? read_labels(json, head) : Result<void>();
  }

  Result<void> read_sparse(const Json& json, SparseSettings& sparse) const {
    AMBRY_TRY(sparse.sum, is_second(json, kTokenHeadPooling, kPoolings));
    AMBRY_TRY(sparse.own_words, is_second(json, kTokenHeadWords, kWords));
    auto read = read_values(json, {{kTokenHeadLogarithms, sparse.logarithms}}, kTokenHead);
    if (!read) return fail(read.error().code, describe(read.error()));
    if (sparse.logarithms > kMostLogarithms) {
      return fail(ErrorCode::BadValue,
                  {"logarithms is ", sparse.logarithms, ", but must be 0 to ", kMostLogarithms});
    }
    const TensorEntry* weights = model_.find(kQueryWeights);
    if (weights == nullptr) return {};
    const uint64_t count = weights->shape.rank() == 1 ? weights->shape[0] : 0;
    if (count == 0 || count > config_.vocab_size) {
      return fail(ErrorCode::Mismatch,
                  {kQueryWeights, " must be a list of at most ", config_.vocab_size,
                   " weights, one for each token, not ", to_string(weights->shape)});
    }
    sparse.n_query_weights = static_cast<uint32_t>(count);
    return {};
  }

  // Whether the setting has the second of its values.
  Result<bool> is_second(const Json& json, const char* key,
                         const std::array<std::string_view, 2>& known) const {
    const Json* value = json.find(key);
    if (value == nullptr) return false;
    for (size_t i = 0; i < known.size(); ++i) {
      if (value->is_string() && value->string() == known[i]) return i == 1;
    }
    return fail(ErrorCode::BadValue, {key, " must be \"", known[0], "\" or \"", known[1], "\""});
  }

  Result<void> read_labels(const Json& json, HeadConfig& head) const {
    const Json* labels = json.find(kTokenHeadLabels);
    const bool is_list = labels != nullptr && labels->is_array() && !labels->items().empty();
    if (!is_list || !std::ranges::all_of(labels->items(), &Json::is_string)) {
      return fail(ErrorCode::BadValue, "labels must be a list of texts, at least one");
    }
    for (const Json& label : labels->items()) head.labels.push_back(label.string());
    return {};
  }

  // `width` numbers go into the classifier.
  Result<void> read_outputs(uint32_t width) const {
    HeadConfig& head = *config_.head;
    const TensorEntry* classifier = find_part(model_, kTokenHeadLayout.classifier, ".weight");
    const bool may_be_tied = head.task == HeadTask::FillMask || head.task == HeadTask::Sparse;
    head.tied = classifier == nullptr && may_be_tied && !head.sparse.own_words;
    const uint32_t outputs = config_.head_outputs();
    if (head.tied && width != config_.embedding_width()) {
      return fail(ErrorCode::Mismatch,
                  {"the head gives ", width, " numbers, but a word embedding has ",
                   config_.embedding_width()});
    }
    if (head.tied) return {};
    if (classifier == nullptr) {
      return fail(ErrorCode::NotFound,
                  {"the tensor ", kTokenHeadLayout.classifier, ".weight of the head is missing"});
    }
    AMBRY_TRY(const uint32_t rows, outputs_of(model_, *classifier, width));
    if (rows == outputs) return {};
    return fail(ErrorCode::Mismatch,
                {"the head of ", token_task_name(head.task), " has ", outputs,
                 outputs == 1 ? " output" : " outputs", ", but ", classifier->name, " has ", rows,
                 rows == 1 ? " row" : " rows"});
  }

  const Model& model_;
  EncoderConfig& config_;
};

void set_sparse(const SparseSettings& sparse, Json& facts) {
  facts.set(kTokenHeadPooling, kPoolings[sparse.sum ? 1 : 0]);
  facts.set(kTokenHeadLogarithms, sparse.logarithms);
  if (sparse.own_words) facts.set(kTokenHeadWords, kWords[1]);
}

}  // namespace

std::string_view token_task_name(HeadTask task) {
  const auto* row = std::ranges::find(kTasks, task, &decltype(kTasks)::value_type::second);
  return row == kTasks.end() ? std::string_view() : row->first;
}

std::optional<HeadTask> token_task_by_name(std::string_view name) {
  for (const auto& [known, task] : kTasks) {
    if (known == name) return task;
  }
  return std::nullopt;
}

[[gnu::weak]] Result<void> read_token_head(const Model& model, EncoderConfig& config) {
  const auto text = metadata_text(model.metadata, kTokenHead);
  if (!text || text->empty()) return {};
  return TokenHeadReader(model, config).read(*text);
}

void set_token_head_metadata(const HeadConfig& head, Json& metadata) {
  Json facts = Json::object();
  facts.set(kTokenHeadTask, token_task_name(head.task));
  if (head.task == HeadTask::TokenClassification) {
    Json& labels = facts.set(kTokenHeadLabels, Json::array());
    for (const std::string& label : head.labels) labels.append(label);
  }
  if (head.activation != kTokenHeadLayout.activation) {
    facts.set(kTokenHeadActivation, dense_activation_name(head.activation));
  }
  if (head.task == HeadTask::FillMask) facts.set(kTokenHeadMask, head.mask_id);
  if (head.task == HeadTask::Sparse) set_sparse(head.sparse, facts);
  metadata.set(kTokenHead, facts.dump());
}

}  // namespace ambry::model
