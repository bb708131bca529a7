#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/concat.h"
#include "convert/decoder/needed_tensors.h"
#include "convert/encoder/embd_plan.h"
#include "convert/encoder/expert_weights.h"
#include "convert/gguf/decoder_from_gguf.h"
#include "convert/gguf/encoder_head.h"
#include "convert/gguf/from_gguf.h"
#include "convert/gguf/gguf_tokenizer_options.h"
#include "convert/plan/source_model.h"
#include "formats/gguf/config.h"
#include "formats/gguf/names/encoder_names.h"
#include "formats/gguf/names/tensor_names.h"
#include "model/encoder/architectures/architectures.h"
#include "model/file/new_tensor.h"
#include "model/metadata/metadata_value.h"

namespace ambry::convert {
namespace {

using formats::gguf::GgufEncoder;
using formats::gguf::GgufName;
using formats::gguf::TensorName;
using io::Json;
using model::Model;

// The facts of an encoder in GGUF's `<architecture>.*` keys.
Json encoder_metadata(const Model& gguf, const GgufEncoder& encoder) {
  using formats::gguf::GgufFact;
  constexpr std::array<GgufFact, 6> kFacts = {{{"hidden_size", "embedding_length"},
                                               {"num_layers", "block_count"},
                                               {"num_attention_heads", "attention.head_count"},
                                               {"intermediate_size", "feed_forward_length"},
                                               {"max_seq_length", "context_length"},
                                               {"layer_norm_eps", "attention.layer_norm_epsilon"}}};
  constexpr std::array<const char*, 4> kPoolings = {nullptr, "mean", "cls", "lasttoken"};
  Json metadata = Json::object();
  const auto value_of = [&](std::string_view suffix) {
    return formats::gguf::architecture_value(gguf, suffix);
  };
  const auto set_all = [&](std::span<const GgufFact> facts) {
    for (const GgufFact& fact : facts) {
      const Json* stated = value_of(fact.suffix);
      const Json* value = stated == nullptr ? nullptr : formats::gguf::value_of_layers(*stated);
      if (value != nullptr) metadata.set(fact.key, value->dump());
    }
  };
  set_all(kFacts);
  set_all(encoder.facts);
  if (!encoder.flag.empty()) metadata.set(encoder.flag, "true");
  if (encoder.architecture != &model::kBert) {
    metadata.set("architecture", encoder.architecture->name);
    metadata.set("hidden_act", encoder.activation);
  }
  // A table of positions says how many there are.
  const Json* context = value_of("context_length");
  const bool learned = std::ranges::any_of(
      encoder.names, [](const GgufName& row) { return row.gguf == "position_embd"; });
  if (!learned && context != nullptr) metadata.set("max_position_emb", context->dump());
  const Json* pooling = value_of("pooling_type");
  const uint64_t number = pooling != nullptr && pooling->is_uint() ? pooling->uint() : 0;
  if (number < kPoolings.size() && kPoolings[static_cast<size_t>(number)] != nullptr) {
    metadata.set("pooling_mode", kPoolings[static_cast<size_t>(number)]);
  }
  if (const auto name = model::metadata_text(gguf.metadata, "general.name")) {
    metadata.set("model_name", *name);
  }
  return metadata;
}

// Settings that would change results.
Result<void> check_encoder_settings(const Model& gguf) {
  const auto refuse = [&](std::string_view suffix, const Json& value) {
    const auto architecture = model::metadata_text(gguf.metadata, "general.architecture");
    return model::metadata_error(gguf.metadata, concat({*architecture, ".", suffix}),
                                 ErrorCode::Unsupported,
                                 {value.dump(), " is not supported for an encoder"});
  };
  const auto is = [](const Json* value, const Json& usual) {
    return value == nullptr || value->dump() == usual.dump();
  };
  for (const auto& [suffix, usual] : std::array<std::pair<std::string_view, Json>, 2>{
           {{"rope.scaling.type", Json("none")}, {"attention.causal", Json(false)}}}) {
    const Json* value = formats::gguf::architecture_value(gguf, suffix);
    if (!is(value, usual)) return refuse(suffix, *value);
  }
  return {};
}

// Text stays unchanged and other values become JSON, because EMBD's metadata is text only.
void add_as_texts(const Json& others, Json& metadata) {
  for (const auto& [key, value] : others.members()) {
    if (metadata.find(key) == nullptr) {
      metadata.set(key, value.is_string() ? value.string() : value.dump());
    }
  }
}

// The file's tensors of one name, by their rows in the table of names.
using Parts = std::map<size_t, model::TensorEntry>;

// One tensor of all rows.
Result<model::TensorEntry> join(const Parts& parts) {
  model::TensorEntry whole = parts.begin()->second;
  for (const auto& [row, part] : parts) {
    if (row == parts.begin()->first) continue;
    if (whole.shape.rank() != 2 || part.shape.rank() != 2 || whole.shape[1] != part.shape[1]) {
      return error_at(ErrorCode::Mismatch, part.index_offset, part.name,
                      {"shape is ", to_string(part.shape), ", which does not go with ",
                       to_string(whole.shape), " of the other half"});
    }
    whole.shape = {whole.shape[0] + part.shape[0], whole.shape[1]};
    if (whole.dtype != part.dtype) whole.dtype = tensor::DType::F32;
  }
  return whole;
}

Result<void> rename_encoder(SourceModel& source, const GgufEncoder& encoder,
                            const Options& options) {
  std::map<std::string, Parts> renamed;
  for (model::TensorEntry& tensor : source.model.tensors) {
    const TensorName name = formats::gguf::split_name(tensor.name);
    const auto row = std::ranges::find(encoder.names, name.pattern, &GgufName::gguf);
    if (row == encoder.names.end() || name.ending.empty()) {
      AMBRY_RETURN_IF_ERROR(
          leave_out(tensor, UINT64_MAX,
                    concat({"this tensor is not part of a ", encoder.architecture->name, " model"}),
                    options, source.warnings));
      continue;
    }
    tensor.name = formats::gguf::join_name(row->other, name);
    renamed[tensor.name].emplace(row - encoder.names.begin(), std::move(tensor));
  }
  source.model.tensors.clear();
  for (auto& [name, parts] : renamed) {
    AMBRY_TRY(model::TensorEntry whole, join(parts));
    source.model.tensors.push_back(std::move(whole));
    if (parts.size() == 1) continue;
    for (auto& [row, part] : parts) source.joined[name].push_back({std::move(part), 0});
  }
  return {};
}

// Gives the sum of a layer's experts the bias that GGUF lacks: zeros, as llama.cpp runs them.
Result<void> split_gguf_experts(const Json& metadata, SourceModel& source) {
  uint32_t experts = 0;
  AMBRY_RETURN_IF_ERROR(model::read_values(metadata, {{"num_experts", experts}}));
  if (experts > model::kMaxExperts) experts = 0;  // the reader of the facts refuses it
  AMBRY_RETURN_IF_ERROR(split_experts(experts, source));
  constexpr std::string_view kFirst = ".experts.0.fc2.weight";
  for (size_t i = 0; i < source.model.tensors.size(); ++i) {
    const model::TensorEntry& first = source.model.tensors[i];
    if (!first.name.ends_with(kFirst)) continue;
    const std::string name =
        concat({first.name.substr(0, first.name.size() - kFirst.size()), ".experts.bias"});
    const uint64_t width = first.shape[0];
    source.given.emplace(name, std::vector<float>(static_cast<size_t>(width)));
    source.model.tensors.push_back(model::new_tensor(name, tensor::DType::F32, {width}));
  }
  return {};
}

// What is added around texts and pairs of them. WordPiece and T5 need no statement.
void add_post_processor(const Model& gguf, const GgufEncoder& encoder,
                        model::TokenizerData& tokenizer) {
  // llama.cpp reads BOS and EOS. Older files have the others only.
  const auto first = tokenizer.bos_id ? tokenizer.bos_id : tokenizer.cls_id;
  const auto last = tokenizer.eos_id ? tokenizer.eos_id : tokenizer.sep_id;
  if (tokenizer.kind == model::TokenizerKind::WordPiece || !first || !last ||
      encoder.architecture == &model::kT5) {
    return;
  }
  const Json* separates = gguf.metadata.find("tokenizer.ggml.add_sep_token");
  const bool ends = tokenizer.add_eos.value_or(true) ||
                    (separates != nullptr && separates->is_bool() && separates->boolean());
  if (!tokenizer.add_bos.value_or(true) || !ends) return;
  if (encoder.architecture != &model::kModernBert) {
    tokenizer.post_processor = model::roberta_post_processor(*first, *last);
    return;
  }
  tokenizer.post_processor = model::bert_post_processor(*first, *last);
  for (model::TemplatePart& part : tokenizer.post_processor->pair) part.type_id = 0;
}

}  // namespace

Result<Plan> plan_embd_from_gguf(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(SourceModel source, read_source(sources, "gguf"));
  Model& model = source.model;
  const GgufEncoder* encoder = formats::gguf::find_gguf_encoder(model);
  if (encoder == nullptr) {
    const auto stated = model::metadata_text(model.metadata, "general.architecture").value_or("");
    return model::metadata_error(model.metadata, "general.architecture", ErrorCode::Unsupported,
                                 {"\"", stated, "\" is no sentence encoder that is known here (",
                                  comma_list(formats::gguf::gguf_encoder_names()), ")"});
  }
  AMBRY_RETURN_IF_ERROR(formats::gguf::check_layer_facts(model));
  AMBRY_RETURN_IF_ERROR(check_encoder_settings(model));
  Json metadata = encoder_metadata(model, *encoder);
  AMBRY_RETURN_IF_ERROR(add_gguf_head(model, *encoder, metadata));
  AMBRY_RETURN_IF_ERROR(rename_encoder(source, *encoder, options));
  AMBRY_TRY(const Json others, other_metadata(model, options, source.warnings));
  if (model.tokenizer) {
    AMBRY_TRY(GgufTokenizer made, tokenizer_from_gguf(model, options, source.warnings));
    add_post_processor(model, *encoder, made.tokenizer);
    model.tokenizer = std::move(made.tokenizer);
  }
  AMBRY_RETURN_IF_ERROR(split_gguf_experts(metadata, source));
  model.metadata = std::move(metadata);
  add_as_texts(others, model.metadata);
  return plan_embd_from_model(std::move(source), options);
}

}  // namespace ambry::convert
