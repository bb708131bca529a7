#include "formats/huggingface/config/fields/task_class.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "io/ascii.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;

constexpr const char* kClasses = "architectures";

// How the names of classes end, and what such a head does.
struct OtherHead {
  std::string_view ending;
  std::string_view task;
};
constexpr std::array kOtherHeads = {
    OtherHead{"ForMultipleChoice", "multiple choice"},
    OtherHead{"ForNextSentencePrediction", "prediction of the next sentence"}};

struct TokenHead {
  std::string_view ending;
  model::HeadTask task;
};
constexpr std::array kTokenHeads = {
    TokenHead{"ForTokenClassification", model::HeadTask::TokenClassification},
    TokenHead{"ForQuestionAnswering", model::HeadTask::QuestionAnswering}};

// Classes with the head of a masked language model. What ELECTRA calls ForPreTraining tells words
// that were replaced.
constexpr std::array<std::string_view, 4> kMaskedHeads = {"ForMaskedLM", "BertForPreTraining",
                                                          "AlbertForPreTraining", "NeoBERTLMHead"};

const OtherHead* other_head(std::string_view name) {
  for (const OtherHead& head : kOtherHeads) {
    if (name.ends_with(head.ending)) return &head;
  }
  return nullptr;
}

// The first class for which `fits` holds. Empty: there is none.
template <typename Fits>
std::string class_where(const FileValues& values, Fits fits) {
  const Json* names = values.json().find(kClasses);
  if (names == nullptr || !names->is_array()) return {};
  for (const Json& name : names->items()) {
    if (name.is_string() && fits(std::string_view(name.string()))) return name.string();
  }
  return {};
}

constexpr const char* kOpensAnyway =
    ", and the model opens as one that writes text; docs/what-opens.md#generative-rerankers says "
    "which language models open as rerankers";

// Keys that servers read to make a reranker of a language model.
constexpr std::array kRerankerKeys = {"classifier_from_token", "is_original_qwen3_reranker",
                                      "is_original_rerank", "true_token_id"};

// Whether a model of this class has an output of tokens.
bool writes(std::string_view name) {
  return name.ends_with("ForCausalLM") || name.ends_with("LMHeadModel") ||
         name.ends_with("ForConditionalGeneration");
}

bool names_reranker(std::string name) {
  std::ranges::transform(name, name.begin(), io::to_lower);
  return name.find("rerank") != std::string::npos;
}

constexpr const char* kNameOrPath = "_name_or_path";
constexpr const char* kReadme = "README.md";

// Uses that end in no text, as authors state them.
constexpr std::array<std::string_view, 7> kOtherUses = {
    "text-ranking",         "text-classification",      "feature-extraction", "sentence-similarity",
    "token-classification", "zero-shot-classification", "fill-mask"};

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view kSpaces = " \t\r";
  const size_t begin = std::min(line.find_first_not_of(kSpaces), line.size());
  const size_t end = line.find_last_not_of(kSpaces) + 1;
  return line.substr(begin, std::max(end, begin) - begin);
}

}  // namespace

bool classifies_sequences(const FileValues& values) {
  return !class_where(values, [](std::string_view name) {
            return name.ends_with("ForSequenceClassification");
          }).empty();
}

bool names_class(const FileValues& values, std::string_view name) {
  return !class_where(values, [=](std::string_view known) { return known == name; }).empty();
}

std::optional<model::HeadTask> token_task(const FileValues& values) {
  for (const auto& [ending, task] : kTokenHeads) {
    const auto is_it = [end = ending](std::string_view name) { return name.ends_with(end); };
    if (!class_where(values, is_it).empty()) return task;
  }
  return std::nullopt;
}

std::string masked_class(const FileValues& values) {
  return class_where(values, [](std::string_view name) {
    return std::ranges::any_of(kMaskedHeads,
                               [&](std::string_view ending) { return name.ends_with(ending); });
  });
}

std::string other_head_class(const FileValues& values) {
  return class_where(values, [](std::string_view name) { return other_head(name) != nullptr; });
}

bool names_encoder_alone(const FileValues& values) {
  return !class_where(values, [](std::string_view name) {
            return name.ends_with("Model");
          }).empty();
}

Result<void> refuse_other_head(const FileValues& values) {
  const std::string name = other_head_class(values);
  if (name.empty()) return {};
  return values.fail(kClasses, ErrorCode::Unsupported,
                     {name, ": ", other_head(name)->task,
                      " is not supported; the heads that run are those of "
                      "…ForSequenceClassification, …ForTokenClassification and "
                      "…ForQuestionAnswering"});
}

Result<void> refuse_decoder_head(const FileValues& values) {
  if (token_task(values)) {
    return values.fail(kClasses, ErrorCode::Unsupported,
                       "heads for tokens are supported on encoders, such as BERT, and not on "
                       "language models");
  }
  if (!classifies_sequences(values)) return refuse_other_head(values);
  return values.fail(kClasses, ErrorCode::Unsupported,
                     "heads of language models are not supported, but those of encoders, such as "
                     "BERT, are; take the model that has its output of tokens; "
                     "docs/what-opens.md#generative-rerankers says which of these rank");
}

std::optional<Error> other_use(const SideFiles& files, const FileValues& values) {
  const auto made_for = [&](std::string_view key, const Text& says) {
    return Error(values.fail(key, ErrorCode::Unsupported, {says.str(), kOpensAnyway}));
  };
  const std::string name =
      class_where(values, [](std::string_view known) { return !writes(known); });
  if (!name.empty()) return made_for(kClasses, {name, " is no class that writes text"});
  for (const char* key : kRerankerKeys) {
    if (model::has_value(values.json(), key)) return made_for(key, "the key is that of a reranker");
  }
  if (names_reranker(values.text(kNameOrPath))) {
    return made_for(kNameOrPath, "the name is that of a reranker");
  }
  const std::string_view task = pipeline_tag(files);
  if (std::ranges::find(kOtherUses, task) == kOtherUses.end()) return std::nullopt;
  return make_error(ErrorCode::Unsupported, {kReadme, ".pipeline_tag"},
                    {"the authors state the use as ", task, kOpensAnyway});
}

std::string_view pipeline_tag(const SideFiles& files) {
  constexpr std::string_view kKey = "pipeline_tag:";
  const std::string* text = files.find(kReadme);
  std::string_view rest = text == nullptr ? std::string_view() : *text;
  for (bool is_first = true; !rest.empty(); is_first = false) {
    const std::string_view whole = rest.substr(0, rest.find('\n'));
    const std::string_view line = trimmed(whole);
    rest.remove_prefix(std::min(whole.size() + 1, rest.size()));
    if ((line == "---") != is_first) return {};
    if (line.starts_with(kKey)) return trimmed(line.substr(kKey.size()));
  }
  return {};
}

}  // namespace ambry::formats::huggingface
