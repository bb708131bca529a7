#include "convert/decoder/decoder_conversions.h"

#include <array>
#include <string_view>
#include <utility>

#include "convert/checkpoint_quantization/take_quantization.h"
#include "convert/decoder/decoder_plan.h"
#include "convert/decoder/library_tensors.h"
#include "convert/decoder/llama2c.h"
#include "convert/decoder/sentencepiece_file.h"
#include "convert/encoder/dense_weights.h"
#include "convert/onnx/decoders/read_onnx_decoder.h"
#include "convert/plan/identify.h"
#include "convert/plan/rewrite.h"
#include "convert/plan/source_model.h"
#include "formats/huggingface/config/decoder_config_json.h"
#include "formats/huggingface/config/fields/stated_quantization.h"
#include "formats/huggingface/tokenizer/decoder_tokenizer.h"
#include "model/metadata/metadata_value.h"

namespace ambry::convert {
namespace {

using io::Json;
namespace huggingface = formats::huggingface;

void take_tokenizer(std::optional<huggingface::DecoderTokenizer> made, SourceModel& source) {
  if (!made) {
    source.warnings.push_back(make_error(ErrorCode::NotFound, "tokenizer.json",
                                         "no tokenizer was given, so the target works with ids "
                                         "only"));
    return;
  }
  for (Error& warning : made->warnings) source.warnings.push_back(std::move(warning));
  source.model.tokenizer = std::move(made->tokenizer);
  if (!made->options.members().empty()) {
    source.model.config.set("tokenizer", std::move(made->options));
  }
}

// The files of the tokenizer count, whatever code of its own the directory names.
Result<std::optional<huggingface::DecoderTokenizer>> read_tokenizer(
    const SourceFiles& sources, huggingface::DecoderDirectory& directory) {
  AMBRY_TRY(const auto code, huggingface::own_tokenizer_code(sources.side(), ""));
  auto tokenizer = huggingface::read_decoder_tokenizer(sources.side(), directory.stated);
  if (!tokenizer) return huggingface::of_own_code(code, "tokenizer", tokenizer.take_error());
  auto warning = huggingface::own_code_warning(code, "the files of the tokenizer count");
  if (warning) directory.warnings.push_back(std::move(*warning));
  return tokenizer;
}

// The codes of quantized weights are kept in AMB.
Result<SourceModel> read_tensors(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(const std::string_view from, identify(sources, options));
  if (from == "onnx") return onnx::read_onnx_decoder(sources, options.to == "amb");
  AMBRY_TRY(SourceModel source, read_source(sources, from));
  AMBRY_RETURN_IF_ERROR(take_quantization(sources, "config.json", options.to == "amb", source));
  return source;
}

Result<SourceModel> read_weights(const SourceFiles& sources, const Options& options,
                                 huggingface::DecoderDirectory& directory,
                                 std::optional<huggingface::DecoderTokenizer> tokenizer) {
  AMBRY_TRY(const auto dense_files, find_dense_files(sources, directory.dense_folders));
  AMBRY_TRY(SourceModel source, read_tensors(sources, options));
  AMBRY_RETURN_IF_ERROR(add_dense_weights(sources, dense_files, directory.dense, source));
  AMBRY_RETURN_IF_ERROR(adapt_library_tensors(sources, directory.stated, source, directory.config));
  model::Model& model = source.model;
  model.format.clear();
  // What is read from a graph says itself what the model is.
  if (model.config.is_null()) model.config = std::move(directory.config);
  model.metadata = Json::object();
  model.metadata.set("name", directory.model_name);
  for (Error& warning : directory.warnings) source.warnings.push_back(std::move(warning));
  take_tokenizer(std::move(tokenizer), source);
  return source;
}

using PlanDecoder = Result<Plan> (*)(SourceModel source, const Options& options);

// Weights that do not fit are those of the code that config.json names, if it names some.
Result<Plan> plan_directory(const SourceFiles& sources, const Options& options,
                            PlanDecoder plan_as) {
  // The small files come first: they say whether the weights are worth reading.
  AMBRY_TRY(auto directory, huggingface::read_decoder_config(sources.side(), options.arch));
  // Some quantized weights need many small parts of the file, and each is asked for from the start
  // on. So they come before the tokenizer, which takes long to read.
  const auto quantization =
      huggingface::stated_quantization({std::string("config.json"), directory.stated});
  if (quantization && *quantization) AMBRY_RETURN_IF_ERROR(read_tensors(sources, options));
  AMBRY_TRY(auto tokenizer, read_tokenizer(sources, directory));
  auto source = read_weights(sources, options, directory, std::move(tokenizer));
  auto plan = source ? plan_as(std::move(*source), options) : source.take_error();
  if (plan) return plan;
  return huggingface::of_own_code(directory.own_code, "model", plan.take_error());
}

// ALT's parameters under AMB's names.
Json amb_config(const Json& parameters) {
  constexpr std::array<std::pair<const char*, const char*>, 13> kNames = {
      {{"vocab_size", "n_vocab"},
       {"hidden_size", "n_embd"},
       {"num_hidden_layers", "n_layers"},
       {"num_attention_heads", "n_heads"},
       {"num_key_value_heads", "n_kv_heads"},
       {"intermediate_size", "n_ff"},
       {"head_size", "head_dim"},
       {"context_length", "max_seq_len"},
       {"max_position_embeddings", "max_seq_len"},
       {"sliding_window", "sliding_window"},
       {"rope_theta", "rope_freq_base"},
       {"rms_norm_eps", "norm_eps"},
       {"hidden_act", "activation_fn"}}};
  Json config = Json::object();
  config.set("architecture", "mistral");
  for (const auto& [theirs, ours] : kNames) {
    const Json* value = parameters.find(theirs);
    if (value != nullptr && config.find(ours) == nullptr) config.set(ours, *value);
  }
  return config;
}

Result<SourceModel> read_alt(const SourceFiles& sources) {
  AMBRY_TRY(SourceModel source, read_source(sources, "alt"));
  model::Model& model = source.model;
  model.format.clear();
  model.config = amb_config(model.config);
  if (model.metadata.find("name") == nullptr) model.metadata.set("name", "model");
  if (!model.tokenizer) return source;
  AMBRY_RETURN_IF_ERROR(add_sentencepiece_file(*model.tokenizer));
  // The padding rows of the embedding have no tokens but count in n_vocab.
  if (const model::TensorEntry* embedding = model.find("embed_tokens.weight");
      embedding != nullptr && embedding->shape.rank() == 2) {
    model.config.set("n_vocab", embedding->shape[0]);
  }
  Json options = Json::object();
  options.set("add_bos", true);
  model.config.set("tokenizer", std::move(options));
  return source;
}

Result<SourceModel> read_checkpoint(const SourceFiles& sources) {
  AMBRY_TRY(SourceModel source, read_llama2c(sources));
  if (source.model.tokenizer) return source;
  AMBRY_TRY(auto tokenizer, huggingface::read_decoder_tokenizer(sources.side(), Json::object()));
  take_tokenizer(std::move(tokenizer), source);
  return source;
}

}  // namespace

Result<Plan> plan_amb_from_directory(const SourceFiles& sources, const Options& options) {
  return plan_directory(sources, options, plan_decoder_as_amb);
}

Result<Plan> plan_alt_from_directory(const SourceFiles& sources, const Options& options) {
  return plan_directory(sources, options, plan_decoder_as_alt);
}

Result<Plan> plan_amb_from_alt(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(SourceModel source, read_alt(sources));
  return plan_decoder_as_amb(std::move(source), options);
}

Result<Plan> plan_alt_from_amb(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(SourceModel source, read_source(sources, "amb"));
  return plan_decoder_as_alt(std::move(source), options);
}

Result<Plan> plan_amb_from_llama2c(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(SourceModel source, read_checkpoint(sources));
  return plan_decoder_as_amb(std::move(source), options);
}

Result<Plan> plan_alt_from_llama2c(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(SourceModel source, read_checkpoint(sources));
  return plan_decoder_as_alt(std::move(source), options);
}

Result<Plan> plan_amb_from_amb(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(SourceModel source, read_source(sources, "amb"));
  if (asks_for_no_change(options)) return rewrite(std::move(source));
  return plan_decoder_as_amb(std::move(source), options);
}

Result<Plan> plan_alt_from_alt(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(SourceModel source, read_source(sources, "alt"));
  if (asks_for_no_change(options)) return rewrite(std::move(source));
  return plan_decoder_as_alt(std::move(source), options);
}

}  // namespace ambry::convert
