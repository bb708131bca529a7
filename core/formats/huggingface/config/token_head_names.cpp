#include "formats/huggingface/config/token_head_names.h"

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
                                      true};
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
                                Masked{&model::kDebertaV2, kLikeBert},
                                Masked{&model::kJinaBert, kLikeBert},
                                Masked{&model::kJinaBertQkNorm, kLikeBert},
                                Masked{&model::kRoberta, kLikeRoberta},
                                Masked{&model::kMpnet, kLikeRoberta},
                                Masked{&model::kEuroBert, kEuroBertMasked},
                                Masked{&model::kNeoBert, kNeoBertMasked},
                                Masked{&model::kRoFormer, kLikeBert},
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
                                        true}},
                                Masked{&model::kAlbert,
                                       {{.classifier = "predictions.decoder",
                                         .dense = "predictions.dense",
                                         .norm = "predictions.LayerNorm",
                                         .activation = DenseActivation::Gelu},
                                        "predictions.bias",
                                        true}},
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
                                        true}}};

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
