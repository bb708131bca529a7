#include "convert/gguf/decoder_from_gguf.h"

#include <algorithm>
#include <array>
#include <utility>

#include "convert/decoder/needed_tensors.h"
#include "convert/gguf/gguf_tokenizer_options.h"
#include "convert/plan/source_model.h"
#include "convert/tensor/target_dtype.h"
#include "formats/gguf/gated_delta_facts.h"
#include "formats/gguf/gguf_decoder.h"
#include "model/decoder/decoder_config.h"
#include "model/decoder/decoder_tensors.h"
#include "model/metadata/metadata_value.h"

namespace ambry::convert {
namespace {

using formats::gguf::Decoder;
using io::Json;
using model::Model;
using model::TensorEntry;
using tensor::DType;

struct MultiplyRows {
  float factor;
  void operator()(const RowChange::Values& /*companions*/, uint64_t /*first_row*/,
                  uint64_t /*n_cols*/, std::span<float> rows) const {
    for (float& value : rows) value *= factor;
  }
};

class Planner {
 public:
  Planner(const Options& options, std::span<const DType> supported, SourceModel read)
      : options_(options), supported_(supported), read_(std::move(read)) {
    plan_.warnings = std::move(read_.warnings);
  }

  Result<GgufDecoder> plan(const SourceFiles& sources);

 private:
  Result<void> check_merges(const model::TokenizerData& tokenizer);
  Result<void> add_tensors(const Decoder& decoder);
  Result<void> add(const Decoder& decoder, const formats::gguf::DecoderTensor& tensor);
  Result<void> check();

  const Options& options_;
  std::span<const DType> supported_;
  SourceModel read_;
  Plan plan_;
};

Result<GgufDecoder> Planner::plan(const SourceFiles& sources) {
  io::Diagnostics diagnostics;
  AMBRY_TRY(Decoder decoder,
            formats::gguf::read_decoder(sources.main(), read_.model, options_.arch, diagnostics));
  for (Error& warning : diagnostics.warnings) plan_.warnings.push_back(std::move(warning));
  // The rows will be reordered, so the target's config does not state the interleaved order.
  Json config = Json::object();
  for (const auto& [key, value] : decoder.config.members()) {
    if (key != "rope_style") config.append_member(key, value);
  }
  plan_.target.config = std::move(config);
  AMBRY_RETURN_IF_ERROR(add_tensors(decoder));
  AMBRY_RETURN_IF_ERROR(check());
  GgufDecoder planned;
  if (read_.model.tokenizer) {
    AMBRY_TRY(GgufTokenizer made, tokenizer_from_gguf(read_.model, options_, plan_.warnings));
    AMBRY_RETURN_IF_ERROR(check_merges(made.tokenizer));
    plan_.target.tokenizer = std::move(made.tokenizer);
    planned.tokenizer_options = std::move(made.options);
  }
  planned.source = std::move(read_.model);
  planned.plan = std::move(plan_);
  return planned;
}

// The formats of decoders have scores of pieces, and no list of merges.
Result<void> Planner::check_merges(const model::TokenizerData& tokenizer) {
  const bool listed = tokenizer.kind == model::TokenizerKind::SentencePieceBpe &&
                      tokenizer.legacy.has_value() && !tokenizer.merges.empty();
  if (!listed) return {};
  return lose(
      options_, plan_.warnings,
      model::metadata_error(read_.model.metadata, "tokenizer.ggml.model", ErrorCode::Unsupported,
                            "pieces that merge by a list; open the file as it is, or convert "
                            "the directory of the model"));
}

Result<void> Planner::add_tensors(const Decoder& decoder) {
  for (const size_t i : decoder.others) {
    AMBRY_RETURN_IF_ERROR(
        leave_out(read_.model.tensors[i], decoder.facts.n_layers,
                  {"this tensor is not part of a ", decoder.architecture->gguf, " model"}, options_,
                  plan_.warnings));
  }
  for (const auto& tensor : decoder.tensors) AMBRY_RETURN_IF_ERROR(add(decoder, tensor));
  return {};
}

Result<void> Planner::add(const Decoder& decoder, const formats::gguf::DecoderTensor& tensor) {
  Output output;
  TensorEntry stored = tensor.entry;
  stored.name = read_.model.tensors[tensor.stored].name;  // for errors
  TensorEntry target;
  target.name = tensor.entry.name;
  target.shape = tensor.entry.shape;
  target.index_offset = tensor.entry.index_offset;
  if (stored.factor != 1) output.change.apply = MultiplyRows{stored.factor};
  output.inputs = {{std::move(stored), 0}};
  AMBRY_RETURN_IF_ERROR(store_as(supported_, options_, output, target, plan_.warnings));
  if (tensor.permuted) output.rope = {RopePermutation::Change::ToHalf, decoder.facts.head_dim};
  add_output(plan_, std::move(target), std::move(output));
  return {};
}

Result<void> Planner::check() {
  Model checked;
  checked.config = plan_.target.config;
  checked.tensors = plan_.target.tensors;
  io::Diagnostics diagnostics;
  AMBRY_TRY(const auto facts, model::decoder_config(checked, diagnostics));
  diagnostics.warnings.clear();
  model::check_decoder_tensors(checked, facts, diagnostics);
  if (!diagnostics.errors.empty()) return std::move(diagnostics.errors.front());
  for (Error& warning : diagnostics.warnings) plan_.warnings.push_back(std::move(warning));
  return {};
}

// Whether a key is part of the config or applies only to the file.
bool is_consumed(std::string_view key, std::string_view architecture) {
  constexpr std::array<std::string_view, 4> kOfTheFile = {"general.architecture",
                                                          "general.alignment", "general.file_type",
                                                          "general.quantization_version"};
  constexpr std::array<std::string_view, 56> kFacts = {"expert_gating_func",
                                                       "leading_dense_block_count",
                                                       "expert_count",
                                                       "expert_used_count",
                                                       "expert_feed_forward_length",
                                                       "expert_weights_scale",
                                                       "expert_group_count",
                                                       "embedding_length",
                                                       "block_count",
                                                       "attention.head_count",
                                                       "attention.head_count_kv",
                                                       "attention.key_length",
                                                       "attention.relative_buckets_count",
                                                       "attention.value_length",
                                                       "feed_forward_length",
                                                       "context_length",
                                                       "attention.layer_norm_rms_epsilon",
                                                       "attention.layer_norm_epsilon",
                                                       "rope.freq_base",
                                                       "rope.dimension_count",
                                                       "rope.scaling.type",
                                                       "rope.scaling.factor",
                                                       "rope.scaling.attn_factor",
                                                       "rope.scaling.original_context_length",
                                                       "rope.scaling.finetuned",
                                                       "rope.scaling.yarn_beta_fast",
                                                       "rope.scaling.yarn_beta_slow",
                                                       "rope.scaling.yarn_log_multiplier",
                                                       "attention.sliding_window",
                                                       "attention.temperature_scale",
                                                       "attn_logit_softcapping",
                                                       "final_logit_softcapping",
                                                       "attention.scale",
                                                       "embedding_scale",
                                                       "residual_scale",
                                                       "logit_scale",
                                                       "attention.sliding_window_pattern",
                                                       "rope.freq_base_swa",
                                                       "use_parallel_residual",
                                                       "vocab_size",
                                                       "attention.causal",
                                                       "pooling_type",
                                                       "dense_2_feat_in",
                                                       "dense_2_feat_out",
                                                       "dense_3_feat_in",
                                                       "dense_3_feat_out",
                                                       "classifier.output_labels",
                                                       "shortconv.l_cache",
                                                       "attention.key_length_swa",
                                                       "attention.value_length_swa",
                                                       "attention.shared_kv_layers",
                                                       "embedding_length_per_layer_input",
                                                       "rope.dimension_count_swa",
                                                       "altup.active_idx",
                                                       "altup.num_inputs",
                                                       "activation_sparsity_scale"};
  if (std::ranges::find(kOfTheFile, key) != kOfTheFile.end()) return true;
  if (is_tokenizer_key(key) || key.starts_with("xielu.")) return true;
  if (!key.starts_with(architecture) || key.size() <= architecture.size()) return false;
  key.remove_prefix(architecture.size() + 1);
  constexpr std::string_view kOfStates[] = {
      formats::gguf::kRecurrentLayers, formats::gguf::kAttentionInterval,
      formats::gguf::kGuessingLayers, formats::gguf::kRopeSections};
  if (key.starts_with("ssm.") || std::ranges::find(kOfStates, key) != std::end(kOfStates)) {
    return true;
  }
  return std::ranges::find(kFacts, key) != kFacts.end();
}

}  // namespace

Result<GgufDecoder> read_gguf_decoder(const SourceFiles& sources, const Options& options,
                                      std::span<const DType> supported) {
  AMBRY_TRY(SourceModel read, read_source(sources, "gguf"));
  return Planner(options, supported, std::move(read)).plan(sources);
}

Result<Json> other_metadata(const Model& gguf, const Options& options,
                            std::vector<Error>& warnings) {
  const auto architecture =
      model::metadata_text(gguf.metadata, "general.architecture").value_or("");
  Json others = Json::object();
  for (const auto& [key, value] : gguf.metadata.members()) {
    if (is_consumed(key, architecture)) continue;
    if (value.is_object()) {
      AMBRY_RETURN_IF_ERROR(
          lose(options, warnings,
               model::metadata_error(gguf.metadata, key, ErrorCode::Unsupported,
                                     "long arrays cannot be stored in other formats")));
      continue;
    }
    others.append_member(key, value);
  }
  return others;
}

}  // namespace ambry::convert
