#include "formats/huggingface/config/encoder_config_json.h"

#include <algorithm>
#include <array>
#include <string>

#include "formats/huggingface/config/decoder_config_json.h"
#include "formats/huggingface/config/encoders/encoder_sources.h"
#include "formats/huggingface/config/fields/stated_quantization.h"
#include "formats/huggingface/config/nearest_way.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using model::EncoderConfig;

Failure unsupported_type(const FileValues& values, std::string_view type) {
  if (is_decoder_type(type) && values.file().find('/') != std::string::npos) {
    return values.fail(
        "model_type", ErrorCode::Unsupported,
        {"\"", type,
         "\" is a language model, which may not lie in a folder of its own; move its "
         "files to the top of the directory, and make its path in modules.json empty"});
  }
  if (is_decoder_type(type)) {
    return values.fail(
        "model_type", ErrorCode::Unsupported,
        {"\"", type,
         "\" generates text, and EMBD holds sentence encoders; "
         "open it as a generator, or convert it to amb (ambry convert DIR model.amb); "
         "docs/what-opens.md#generative-rerankers says which of these rank"});
  }
  return unknown_type(values, type);
}

Result<const EncoderSource*> find_source(const FileValues& values) {
  std::string type = values.text("model_type");
  if (!type.empty()) {
    for (const EncoderSource& source : encoder_sources()) {
      const auto& types = source.model_types;
      const bool listed = std::ranges::find(types, std::string_view(type)) != types.end();
      if (listed && (source.accepts == nullptr || source.accepts(values))) return &source;
    }
    return unsupported_type(values, type);
  }
  const Json* names = values.json().find("architectures");
  if (names != nullptr && names->is_array() && !names->items().empty() &&
      names->items()[0].is_string()) {
    type = names->items()[0].string();
  }
  for (const EncoderSource& source : encoder_sources()) {
    if (type.starts_with(source.class_prefix)) return &source;
  }
  return unsupported_type(values, type);
}

bool is_usual(const Json& value, const FixedSetting& setting) {
  if (value.is_null()) return true;
  const auto usual = io::parse_json(setting.json);
  if (value.is_number() && usual->is_number()) return value.number() == usual->number();
  return value.dump() == usual->dump();
}

Result<void> check_fixed(const FileValues& values, const EncoderSource& source) {
  for (const FixedSetting& setting : source.fixed) {
    const Json* value = values.json().find(setting.key);
    if (value == nullptr || is_usual(*value, setting)) continue;
    return values.fail(setting.key, ErrorCode::Unsupported,
                       {setting.key, " is ", value->dump(), ", but only ", setting.json,
                        " is supported for models of type ", source.architecture->name});
  }
  return {};
}

Result<void> read_sizes(const FileValues& values, const EncoderSource& source,
                        EncoderConfig& config) {
  struct Size {
    SizeKey key;
    uint32_t& value;
  };
  for (const auto& [key, value] : std::array<Size, 7>{{{source.vocab, config.vocab_size},
                                                       {source.hidden, config.hidden_size},
                                                       {source.layers, config.num_layers},
                                                       {source.heads, config.num_heads},
                                                       {source.inner, config.intermediate_size},
                                                       {source.positions, config.max_positions},
                                                       {source.types, config.type_vocab_size}}}) {
    value = key.fallback;
    if (key.key != nullptr) AMBRY_RETURN_IF_ERROR(values.read({{key.key, value}}));
  }
  return {};
}

Result<void> read_facts(const FileValues& values, EncoderConfig& config) {
  config.facts = config.architecture->facts;
  for (const model::StatedFact& fact : config.architecture->stated) {
    AMBRY_RETURN_IF_ERROR(values.read({fact.target(config.facts)}));
    if (!fact.fits(config.facts)) {
      return values.fail(fact.key(), ErrorCode::BadValue, fact.bounds());
    }
  }
  return {};
}

}  // namespace

Result<void> read_encoder_config(const FileValues& values, EncoderConfig& config) {
  AMBRY_TRY(const EncoderSource* source, find_source(values));
  AMBRY_RETURN_IF_ERROR(stated_quantization(values));
  config.architecture = source->architecture;
  AMBRY_RETURN_IF_ERROR(check_fixed(values, *source));
  AMBRY_RETURN_IF_ERROR(read_sizes(values, *source, config));
  AMBRY_RETURN_IF_ERROR(read_facts(values, config));
  config.layer_norm_eps = source->eps_fallback;
  config.hidden_act = source->act_fallback;
  if (source->eps != nullptr) {
    AMBRY_RETURN_IF_ERROR(values.read({{source->eps, config.layer_norm_eps}}));
  }
  if (source->act != nullptr) {
    AMBRY_RETURN_IF_ERROR(values.read({{source->act, config.hidden_act}}));
    if (!model::is_encoder_activation(config.hidden_act, config.facts.gated)) {
      return values.fail(source->act, ErrorCode::Unsupported,
                         {"\"", config.hidden_act, "\" is not supported"});
    }
  }
  return source->read_more == nullptr ? Result<void>() : source->read_more(values, config);
}

}  // namespace ambry::formats::huggingface
