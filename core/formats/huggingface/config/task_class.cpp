#include "formats/huggingface/config/task_class.h"

#include <algorithm>
#include <array>
#include <string_view>

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
    OtherHead{"ForTokenClassification", "token classification"},
    OtherHead{"ForQuestionAnswering", "question answering"},
    OtherHead{"ForMultipleChoice", "multiple choice"},
    OtherHead{"ForNextSentencePrediction", "prediction of the next sentence"}};

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

}  // namespace

bool classifies_sequences(const FileValues& values) {
  return !class_where(values, [](std::string_view name) {
            return name.ends_with("ForSequenceClassification");
          }).empty();
}

std::string masked_class(const FileValues& values) {
  return class_where(values, [](std::string_view name) { return name.ends_with("ForMaskedLM"); });
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
                      "…ForSequenceClassification"});
}

Result<void> refuse_decoder_head(const FileValues& values) {
  if (!classifies_sequences(values)) return refuse_other_head(values);
  return values.fail(kClasses, ErrorCode::Unsupported,
                     "rerankers and classifiers made of language models are not supported; those "
                     "made of encoders, such as BERT, are");
}

}  // namespace ambry::formats::huggingface
