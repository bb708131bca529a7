// The classification head of an encoder: of rerankers (cross-encoders) and of models that classify
// texts. A pooled vector passes a dense layer, perhaps a norm, and the classifier, whose outputs
// are the logits of the labels. Which of these there are, and their names, follow from the
// architecture; they are those of Hugging Face's `*ForSequenceClassification`
// (core/formats/embd/README.md#head). Other heads have the same parts, but every token passes them
// (model/encoder/token_head.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "model/encoder/head/dense_layers.h"
#include "model/encoder/head/head_layout.h"
#include "model/file/model.h"

namespace ambry::model {

// How logits become probabilities: a softmax over the labels, or a sigmoid for each of them. Those
// of a regression are no probabilities. NotStated: a sigmoid for one label, a softmax for more.
enum class ProblemType : uint8_t { NotStated, Regression, SingleLabel, MultiLabel };

// What a head is for.
enum class HeadTask : uint8_t {
  TextClassification,   // of a pooled vector; the others are for every token
  TokenClassification,  // a label for each token
  QuestionAnswering,    // two numbers: whether an answer begins or ends there
  FillMask,             // a number for each token of the vocabulary
  Sparse                // weights for words of the vocabulary, pooled over the tokens of a text
};

// How the numbers of a sparse encoder's tokens become the weights of words.
struct SparseSettings {
  // A token has one number, the weight of its own word. Else it has one for each word.
  bool own_words = false;
  bool sum = false;         // over the tokens; else the largest
  uint32_t logarithms = 1;  // how often log(1 + x) is taken, 0 to 2
  // Queries are not run: each of their tokens has a fixed weight. The tokens from this number on
  // have none. 0: queries are run as documents are.
  uint32_t n_query_weights = 0;

  friend bool operator==(const SparseSettings&, const SparseSettings&) = default;
};

struct HeadConfig {
  HeadTask task = HeadTask::TextClassification;
  std::vector<std::string> labels;  // of the classifier's outputs, in their order
  ProblemType problem_type = ProblemType::NotStated;
  // What a cross-encoder applies to its scores: Identity, Sigmoid or Tanh.
  DenseActivation score_activation = DenseActivation::Identity;
  HeadPooling pooling = HeadPooling::First;
  uint32_t dense_size = 0;                             // of the dense layer; 0: there is none
  DenseActivation activation = DenseActivation::Tanh;  // of the dense layer
  bool dense_bias = false;
  bool norm = false;
  bool norm_bias = false;
  bool classifier_bias = false;
  // Only of FillMask and Sparse. The outputs are the products with the rows of the word embeddings,
  // and there is no matrix of a classifier.
  bool tied = false;
  uint32_t mask_id = 0;  // the token that stands for a missing word
  SparseSettings sparse;

  friend bool operator==(const HeadConfig&, const HeadConfig&) = default;
};

// The keys of the metadata.
inline constexpr const char* kId2Label = "id2label";
inline constexpr const char* kProblemType = "problem_type";
inline constexpr const char* kScoreActivation = "activation_fn";
inline constexpr const char* kClassifierPooling = "classifier_pooling";
inline constexpr const char* kClassifierActivation = "classifier_activation";

// By Hugging Face's name, such as `single_label_classification`; the name of NotStated is empty.
[[nodiscard]] std::string_view problem_type_name(ProblemType type);
[[nodiscard]] std::optional<ProblemType> problem_type_by_name(std::string_view name);

// `cls`, `mean` or `late`.
[[nodiscard]] std::optional<HeadPooling> head_pooling_by_name(std::string_view name);

// Sigmoid for one label and Identity for more, as in sentence-transformers.
[[nodiscard]] DenseActivation usual_score_activation(size_t n_labels);
[[nodiscard]] bool is_score_activation(DenseActivation activation);

// The labels of `{"0": "LABEL_0", …}`, which has each number from 0 on once. BadValue at the path
// for anything else.
[[nodiscard]] Result<std::vector<std::string>> labels_from_json(const io::Json& id2label,
                                                                std::string_view path);

// The head that the metadata and the tensors describe; nothing for a model that has neither.
// NotFound for a head without labels and for labels without a head. Mismatch for another number of
// labels than the classifier has rows, and for sizes that do not follow from the part before.
// Unsupported for labels of an architecture whose heads are not supported.
[[nodiscard]] Result<std::optional<HeadConfig>> head_config(const Model& model,
                                                            const HeadLayout& layout,
                                                            uint32_t hidden_size);
void set_head_metadata(const HeadConfig& head, const HeadLayout& layout, io::Json& metadata);

}  // namespace ambry::model
