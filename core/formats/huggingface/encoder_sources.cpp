#include "formats/huggingface/encoder_sources.h"

#include <algorithm>
#include <array>
#include <string>

#include "model/encoder/architectures/architectures.h"

namespace ambry::formats::huggingface {
namespace {

constexpr std::array<std::string_view, 1> kBertTypes = {"bert"};
constexpr std::array<std::string_view, 2> kBertHeads = {"cls.predictions.",
                                                        "cls.seq_relationship."};
constexpr std::array<std::string_view, 2> kCounters = {"embeddings.position_ids",
                                                       "embeddings.token_type_ids"};
constexpr std::array<FixedSetting, 2> kBertFixed = {
    {{"position_embedding_type", "\"absolute\""}, {"is_decoder", "false"}}};

constexpr std::array kSources = {EncoderSource{.architecture = &model::kBert,
                                               .model_types = kBertTypes,
                                               .class_prefix = "Bert",
                                               .fixed = kBertFixed,
                                               .heads_left_out = kBertHeads,
                                               .counters = kCounters}};

}  // namespace

std::span<const EncoderSource> encoder_sources() { return kSources; }

const EncoderSource& encoder_source(const model::EncoderArchitecture& architecture) {
  return *std::ranges::find(kSources, &architecture, &EncoderSource::architecture);
}

std::string encoder_types() {
  std::string types;
  for (const EncoderSource& source : kSources) {
    for (const std::string_view type : source.model_types) {
      if (!types.empty()) types += ", ";
      types += type;
    }
  }
  return types;
}

}  // namespace ambry::formats::huggingface
