#include "formats/huggingface/config/heads/token_head_names.h"

#include <algorithm>
#include <array>

#include "model/encoder/architectures/architectures.h"

namespace ambry::formats::huggingface {
namespace {

using model::DenseActivation;
using model::HeadTask;

constexpr TokenHeadNames kLikeBert = {{.classifier = "cls.predictions.decoder",
                                       .dense = "cls.predictions.transform.dense",
                                       .norm = "cls.predictions.transform.LayerNorm",
                                       .activation = DenseActivation::Gelu},
                                      "cls.predictions.bias",
                                      HeadActivation::LayersKey};
// The class of DeBERTa without "legacy", whose classifier is always the word embeddings.
constexpr TokenHeadNames kNewerDeberta = {{.classifier = "lm_predictions.lm_head.decoder",
                                           .dense = "lm_predictions.lm_head.dense",
                                           .norm = "lm_predictions.lm_head.LayerNorm",
                                           .activation = DenseActivation::Gelu},
                                          "lm_predictions.lm_head.bias",
                                          HeadActivation::LayersKey};
constexpr TokenHeadNames kLikeDeberta = {kLikeBert.parts, kLikeBert.bias, kLikeBert.activation,
                                         &kNewerDeberta};
constexpr TokenHeadNames kLikeNomic = {{.classifier = "cls.predictions.decoder",
                                        .dense = "cls.predictions.transform.dense",
                                        .norm = "cls.predictions.transform.layer_norm",
                                        .activation = DenseActivation::Silu},
                                       "cls.predictions.bias",
                                       HeadActivation::Layers};
constexpr TokenHeadNames kLikeRoberta = {{.classifier = "lm_head.decoder",
                                          .dense = "lm_head.dense",
                                          .norm = "lm_head.layer_norm",
                                          .activation = DenseActivation::Gelu},
                                         "lm_head.bias"};
constexpr TokenHeadNames kEuroBertMasked = {.parts = {.classifier = "lm_head"}, .own_matrix = true};
// The activation is stated as `classifier_activation`.
constexpr model::HeadLayout kModernBertHead = {.classifier = "classifier",
                                               .dense = "head.dense",
                                               .norm = "head.norm",
                                               .activation = DenseActivation::Gelu};

constexpr TokenHeadNames kNeoBertMasked = {.parts = {.classifier = "decoder"}, .own_matrix = true};
constexpr model::HeadLayout kNeoBertHead = {.classifier = "classifier", .dense = "dense"};

struct Masked {
  const model::EncoderArchitecture* architecture;
  TokenHeadNames names;
};
// Masked language models.
constexpr std::array kMasked = {Masked{&model::kBert, kLikeBert},
                                Masked{&model::kDebertaV2, kLikeDeberta},
                                Masked{&model::kNomicBert, kLikeNomic},
                                Masked{&model::kNomicMoe, kLikeNomic},
                                Masked{&model::kJinaBert, kLikeBert},
                                Masked{&model::kJinaBertQkNorm, kLikeBert},
                                Masked{&model::kRoberta, kLikeRoberta},
                                Masked{&model::kMpnet, kLikeRoberta},
                                Masked{&model::kEuroBert, kEuroBertMasked},
                                Masked{&model::kNeoBert, kNeoBertMasked},
                                Masked{&model::kRoFormer, kLikeBert},
                                Masked{&model::kJinaV3, kLikeRoberta},
                                Masked{&model::kElectra,
                                       {{.classifier = "generator_lm_head",
                                         .dense = "generator_predictions.dense",
                                         .norm = "generator_predictions.LayerNorm",
                                         .activation = DenseActivation::Gelu}}},
                                Masked{&model::kDistilBert,
                                       {{.classifier = "vocab_projector",
                                         .dense = "vocab_transform",
                                         .norm = "vocab_layer_norm",
                                         .activation = DenseActivation::Gelu},
                                        {},
                                        HeadActivation::LayersKey}},
                                Masked{&model::kAlbert,
                                       {{.classifier = "predictions.decoder",
                                         .dense = "predictions.dense",
                                         .norm = "predictions.LayerNorm",
                                         .activation = DenseActivation::Gelu},
                                        "predictions.bias",
                                        HeadActivation::LayersKey}},
                                Masked{&model::kModernBert,
                                       {{.classifier = "decoder",
                                         .dense = "head.dense",
                                         .norm = "head.norm",
                                         .activation = DenseActivation::Gelu}}},
                                Masked{&model::kGte,
                                       {{.classifier = "lm_head.decoder",
                                         .dense = "lm_head.dense",
                                         .norm = "lm_head.norm",
                                         .activation = DenseActivation::Gelu},
                                        {},
                                        HeadActivation::LayersKey}}};

}  // namespace

TokenHeadNames token_head_names(const model::EncoderArchitecture& architecture, HeadTask task) {
  if (task == HeadTask::FillMask || task == HeadTask::Sparse) {
    const auto* row = std::ranges::find(kMasked, &architecture, &Masked::architecture);
    return row == kMasked.end() ? TokenHeadNames() : row->names;
  }
  if (&architecture == &model::kModernBert) return {kModernBertHead};
  const bool answers = task == HeadTask::QuestionAnswering;
  if (&architecture == &model::kNeoBert && !answers) return {kNeoBertHead};
  return {{.classifier = answers ? "qa_outputs" : "classifier"}};
}

}  // namespace ambry::formats::huggingface
