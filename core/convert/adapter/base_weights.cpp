#include "convert/adapter/base_weights.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/order.h"
#include "convert/checkpoint_quantization/take_quantization.h"
#include "formats/gguf/gguf_decoder.h"
#include "formats/gguf/names/encoder_names.h"
#include "formats/gguf/names/tensor_names.h"
#include "model/decoder/decoder_config.h"
#include "model/decoder/decoder_tensors.h"
#include "model/metadata/metadata_value.h"

namespace ambry::convert {
namespace {

namespace gguf = formats::gguf;
using model::Model;
using model::TensorEntry;

constexpr auto kClasses = std::to_array<std::string_view>(
    {"base_model.", "model.", "language_model.", "transformer.", "gpt_neox.", "bert.", "roberta.",
     "distilbert.", "electra.", "auto_model.", "0."});

bool rotates_halves(model::DecoderArchitecture architecture) {
  return model::architecture_defaults(architecture).rope_style == model::RopeStyle::Half;
}

}  // namespace

std::string_view base_weight_key(std::string_view name) {
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view start : kClasses) {
      if (!name.starts_with(start)) continue;
      name.remove_prefix(start.size());
      found = true;
    }
  }
  return name;
}

Result<BaseWeights> BaseWeights::read(const SourceFiles& sources, std::string_view from,
                                      const Options& options, bool by_gguf_names,
                                      const Plan& plan) {
  AMBRY_TRY(SourceModel source, read_source(sources, from));
  // The plan was made of the same matrices.
  AMBRY_RETURN_IF_ERROR(take_quantization(sources, "config.json", options.to == "amb", source));
  BaseWeights base;
  if (from == "gguf") {
    base.architecture_ =
        model::metadata_text(source.model.metadata, "general.architecture").value_or("");
  }
  if (by_gguf_names && from != "gguf") {
    base.add_for_gguf(source, plan);
  } else if (!by_gguf_names && from == "gguf") {
    AMBRY_RETURN_IF_ERROR(base.add_from_gguf(sources, source, options.arch));
  } else {
    AMBRY_RETURN_IF_ERROR(base.add_as_stored(source));
  }
  base.sort();
  return base;
}

Result<void> BaseWeights::add_as_stored(const SourceModel& source) {
  for (const TensorEntry& tensor : source.model.tensors) {
    weights_.push_back({std::string(base_weight_key(tensor.name)), source.input(tensor)});
  }
  return {};
}

// Tensors of GGUF under Hugging Face's names.
Result<void> BaseWeights::add_from_gguf(const SourceFiles& sources, const SourceModel& source,
                                        std::string_view arch) {
  if (gguf::find_gguf_architecture(architecture_) == nullptr) {
    add_encoder(source);
    return {};
  }
  io::Diagnostics ignored;
  AMBRY_TRY(const gguf::Decoder decoder,
            gguf::read_decoder(sources.main(), source.model, arch, ignored));
  head_dim_ = decoder.facts.head_dim;
  for (const gguf::DecoderTensor& tensor : decoder.tensors) {
    BaseWeight& weight = weights_.emplace_back();
    weight.name = base_weight_key(tensor.entry.name);
    weight.stored.tensor = tensor.entry;
    weight.stored.tensor.name = source.model.tensors[tensor.stored].name;
    weight.permuted = tensor.permuted;
  }
  return {};
}

void BaseWeights::add_encoder(const SourceModel& source) {
  const gguf::GgufEncoder* encoder = gguf::find_gguf_encoder(source.model);
  if (encoder == nullptr) return;
  for (const TensorEntry& tensor : source.model.tensors) {
    const gguf::TensorName name = gguf::split_name(tensor.name);
    for (const gguf::GgufName& row : encoder->names) {
      if (row.gguf != name.pattern || row.part != gguf::Part::All) continue;
      const std::string other = gguf::join_name(row.other, name);
      weights_.push_back({std::string(base_weight_key(other)), source.input(tensor)});
    }
  }
}

// Tensors of other files under GGUF's names.
void BaseWeights::add_for_gguf(const SourceModel& source, const Plan& plan) {
  Model stated;
  stated.config = source.model.config.is_object() ? source.model.config : plan.target.config;
  io::Diagnostics ignored;
  const auto facts = model::decoder_config(stated, ignored);
  if (!facts) return;
  head_dim_ = facts->head_dim;
  const gguf::GgufArchitecture* known =
      gguf::gguf_architecture_for(model::architecture_name(facts->architecture));
  if (known == nullptr) return;
  architecture_ = known->gguf;
  for (const TensorEntry& tensor : source.model.tensors) {
    const gguf::TensorName name = gguf::split_name(tensor.name);
    if (name.ending.empty()) continue;
    const std::string_view key = base_weight_key(name.pattern);
    for (const gguf::GgufName& row : known->names) {
      if (base_weight_key(row.other) != key || row.part != gguf::Part::All) continue;
      const bool permuted = row.permuted && rotates_halves(facts->architecture);
      weights_.push_back({gguf::join_name(row.gguf, name), source.input(tensor), permuted});
    }
  }
}

void BaseWeights::sort() {
  sort_items(weights_, [](const BaseWeight& a, const BaseWeight& b) { return a.name < b.name; });
}

const BaseWeight* BaseWeights::find(std::string_view name) const {
  const std::string_view key = base_weight_key(name);
  const auto [first, last] = std::ranges::equal_range(
      weights_, key, {}, [](const auto& weight) { return std::string_view(weight.name); });
  return last - first == 1 ? &*first : nullptr;
}

}  // namespace ambry::convert
