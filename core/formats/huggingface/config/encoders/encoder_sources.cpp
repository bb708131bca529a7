#include "formats/huggingface/config/encoders/encoder_sources.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/concat.h"
#include "base/join_arrays.h"
#include "formats/huggingface/config/encoders/newer_sources.h"
#include "formats/huggingface/config/encoders/nomic_sources.h"
#include "formats/huggingface/config/encoders/recent_sources.h"
#include "formats/huggingface/config/encoders/text_towers.h"
#include "model/encoder/architectures/architectures.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {
namespace {

using model::EncoderConfig;
using Names = std::string_view;

constexpr std::array kCounters = {Names("embeddings.position_ids"),
                                  Names("embeddings.token_type_ids")};
constexpr std::array kBertFixed = {FixedSetting{"position_embedding_type", "\"absolute\""},
                                   FixedSetting{"is_decoder", "false"}};

constexpr std::array kBertTypes = {Names("bert")};
constexpr std::array kBertHeads = {Names("cls.predictions."), Names("cls.seq_relationship.")};
constexpr std::array kRobertaTypes = {Names("roberta"), Names("xlm-roberta"), Names("camembert")};
constexpr std::array kRobertaHeads = {Names("lm_head.")};
constexpr std::array kElectraTypes = {Names("electra")};
constexpr std::array kElectraHeads = {Names("discriminator_predictions."),
                                      Names("generator_predictions."), Names("generator_lm_head.")};
constexpr std::array kDistilBertTypes = {Names("distilbert")};
constexpr std::array kDistilBertHeads = {Names("vocab_transform."), Names("vocab_layer_norm."),
                                         Names("vocab_projector.")};
constexpr std::array kAlbertTypes = {Names("albert")};
constexpr std::array kAlbertHeads = {Names("predictions."), Names("sop_classifier.")};
constexpr std::array kAlbertFixed =
    join_arrays(kBertFixed, std::array{FixedSetting{"inner_group_num", "1"}});
constexpr std::array kMpnetTypes = {Names("mpnet")};
constexpr EncoderSource roberta(std::span<const Names> types, std::string_view class_prefix) {
  return {.architecture = &model::kRoberta,
          .model_types = types,
          .class_prefix = class_prefix,
          .vocab = {"vocab_size", 50265},
          .fixed = kBertFixed,
          .heads_left_out = kRobertaHeads,
          .counters = kCounters};
}

constexpr std::array kBertSources = {EncoderSource{.architecture = &model::kBert,
                                                   .model_types = kBertTypes,
                                                   .class_prefix = "Bert",
                                                   .fixed = kBertFixed,
                                                   .heads_left_out = kBertHeads,
                                                   .counters = kCounters},
                                     roberta(kRobertaTypes, "Roberta"),
                                     roberta({}, "XLMRoberta"),
                                     EncoderSource{.architecture = &model::kElectra,
                                                   .model_types = kElectraTypes,
                                                   .class_prefix = "Electra",
                                                   .hidden = {"hidden_size", 256},
                                                   .heads = {"num_attention_heads", 4},
                                                   .inner = {"intermediate_size", 1024},
                                                   .fixed = kBertFixed,
                                                   .heads_left_out = kElectraHeads,
                                                   .counters = kCounters},
                                     EncoderSource{.architecture = &model::kDistilBert,
                                                   .model_types = kDistilBertTypes,
                                                   .class_prefix = "DistilBert",
                                                   .hidden = {"dim", 768},
                                                   .layers = {"n_layers", 6},
                                                   .heads = {"n_heads", 12},
                                                   .inner = {"hidden_dim", 3072},
                                                   .types = {nullptr, 0},
                                                   .eps = nullptr,
                                                   .act = "activation",
                                                   .fixed = {},
                                                   .heads_left_out = kDistilBertHeads,
                                                   .counters = kCounters},
                                     EncoderSource{.architecture = &model::kAlbert,
                                                   .model_types = kAlbertTypes,
                                                   .class_prefix = "Albert",
                                                   .vocab = {"vocab_size", 30000},
                                                   .hidden = {"hidden_size", 4096},
                                                   .heads = {"num_attention_heads", 64},
                                                   .inner = {"intermediate_size", 16384},
                                                   .act_fallback = "gelu_new",
                                                   .fixed = kAlbertFixed,
                                                   .heads_left_out = kAlbertHeads,
                                                   .counters = kCounters},
                                     EncoderSource{.architecture = &model::kMpnet,
                                                   .model_types = kMpnetTypes,
                                                   .class_prefix = "MPNet",
                                                   .vocab = {"vocab_size", 30527},
                                                   .types = {nullptr, 0},
                                                   .fixed = {},
                                                   .heads_left_out = kRobertaHeads,
                                                   .counters = kCounters}};

// Architectures that share a type with BERT or RoBERTa come first.
constexpr std::array kSources =
    join_arrays(kNewerSources, kRecentSources,
                join_arrays(join_arrays(kBertSources, kNomicSources), kTowerSources));

}  // namespace

std::span<const EncoderSource> encoder_sources() { return kSources; }

const EncoderSource& encoder_source(const model::EncoderArchitecture& architecture) {
  return *std::ranges::find(kSources, &architecture, &EncoderSource::architecture);
}

bool is_encoder_type(std::string_view model_type) {
  return std::ranges::any_of(kSources, [&](const EncoderSource& source) {
    const auto& types = source.model_types;
    return std::ranges::find(types, model_type) != types.end();
  });
}

std::vector<std::string_view> encoder_type_names() {
  std::vector<std::string_view> names;
  for (const EncoderSource& source : kSources) {
    if (source.accepts != nullptr) continue;  // another source lists the type
    names.insert(names.end(), source.model_types.begin(), source.model_types.end());
  }
  return names;
}

std::string encoder_types() { return comma_list(encoder_type_names()); }

}  // namespace ambry::formats::huggingface
