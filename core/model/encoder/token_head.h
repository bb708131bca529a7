// The head of an encoder that every token passes: of token classification, of question answering
// from a text, of masked language models, and of sparse encoders. A dense layer and a norm, where
// the model has them, come before the classifier. The metadata states what the head is for
// (core/formats/embd/README.md#token-head).
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "io/json/json.h"
#include "model/encoder/head/head_config.h"
#include "model/encoder/head/head_layout.h"
#include "model/file/model.h"

namespace ambry::model {

struct EncoderConfig;

// The key of the metadata, and the keys of the JSON object that is its value.
inline constexpr const char* kTokenHead = "token_head";
inline constexpr const char* kTokenHeadTask = "task";
inline constexpr const char* kTokenHeadLabels = "labels";
inline constexpr const char* kTokenHeadActivation = "activation";
inline constexpr const char* kTokenHeadMask = "mask";
inline constexpr const char* kTokenHeadPooling = "pooling";
inline constexpr const char* kTokenHeadLogarithms = "logarithms";
inline constexpr const char* kTokenHeadWords = "words";

// The names of the tensors, for every architecture.
inline constexpr HeadLayout kTokenHeadLayout = {.classifier = "token_head.classifier",
                                                .dense = "token_head.dense",
                                                .norm = "token_head.norm",
                                                .activation = DenseActivation::Gelu};
// The fixed weights of a sparse encoder's queries.
inline constexpr std::string_view kQueryWeights = "token_head.query_weights";

// `token_classification`, `question_answering`, `fill_mask` or `sparse`; empty for other heads.
[[nodiscard]] std::string_view token_task_name(HeadTask task);
[[nodiscard]] std::optional<HeadTask> token_task_by_name(std::string_view name);

// Reads the head to config.head; the sizes and the dense layers must be read. Unsupported for a
// task that is unknown, for a model with a classification head, and in a module that does not run
// such models (api/encoder/bert_family_only.h). NotFound for a head without a classifier, unless it
// is tied to the word embeddings. BadValue for labels that are not texts. Mismatch for another
// number of outputs than the task asks for, and for sizes that do not follow from the part before.
[[nodiscard]] Result<void> read_token_head(const Model& model, EncoderConfig& config);

void set_token_head_metadata(const HeadConfig& head, io::Json& metadata);

}  // namespace ambry::model
