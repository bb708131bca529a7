#include "convert/gguf/to_gguf.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/concat.h"
#include "convert/decoder/needed_tensors.h"
#include "convert/gguf/expert_stack.h"
#include "convert/gguf/gguf_tokenizer_options.h"
#include "convert/gguf/head_order.h"
#include "convert/gguf/metadata_keys.h"
#include "convert/gguf/rope_factors.h"
#include "convert/gguf/state_space_to_gguf.h"
#include "convert/plan/identify.h"
#include "convert/plan/source_model.h"
#include "convert/quantize/block_importance.h"
#include "convert/quantize/block_plan.h"
#include "convert/quantize/quantize_plan.h"
#include "convert/tensor/repack_transform.h"
#include "convert/tensor/target_dtype.h"
#include "formats/gguf/gguf_write.h"
#include "formats/gguf/names/encoder_names.h"
#include "formats/gguf/names/state_space_names.h"
#include "formats/gguf/names/tensor_names.h"
#include "model/decoder/decoder_tensors.h"
#include "model/encoder/encoder_config.h"
#include "model/encoder/encoder_tensors.h"
#include "model/file/tensor_index.h"
#include "tensor/dtype/dtype_table.h"

namespace ambry::convert {
namespace {

using formats::gguf::GgufArchitecture;
using formats::gguf::GgufName;
using formats::gguf::Part;
using formats::gguf::TensorName;
using io::Json;
using model::Model;
using model::TensorEntry;
using tensor::DType;

// GGUF's types that a whole file can have. The others come from GGUF only.
constexpr auto kTypes =
    tensor::dtypes_where<[](const tensor::DTypeRow& row) { return row.gguf && row.gguf_file; }>();

class GgufPlanner {
 public:
  GgufPlanner(SourceModel source, const Options& options)
      : read_(std::move(source)), source_(read_.model), options_(options) {
    plan_.warnings = std::move(read_.warnings);
    used_.resize(source_.tensors.size());
  }

  Result<Plan> from_decoder();
  Result<Plan> from_encoder();

 private:
  Result<void> begin_decoder();
  Result<void> add(const TensorEntry& from, std::string_view name, const model::TensorSpec& spec,
                   const model::DecoderTensor* purpose = nullptr);
  Result<void> add_to_stack(const TensorEntry& from, const model::TensorSpec& spec);
  Result<const GgufName*> row_of(const TensorEntry& from, std::string_view name) const;
  Result<void> set_inputs(const GgufName& row, const TensorEntry& from, Output& output) const;
  Result<void> set_companions(const TensorEntry& from, Output& output);
  static Result<void> convert_if_changed(const TensorEntry& from, Output& output);
  Result<void> set_permutation(const GgufName& row, Output& output) const;
  Result<void> set_norm(const GgufName& row, Output& output) const;
  Result<void> account_for_rest();
  Result<Plan> finish(const Json& tokenizer_facts, uint64_t n_vocab);
  void use(const TensorEntry& tensor) {
    used_[static_cast<size_t>(&tensor - source_.tensors.data())] = 1;
  }

  SourceModel read_;
  Model& source_;
  const Options& options_;
  const GgufArchitecture* architecture_ = nullptr;
  model::DecoderConfig facts_;
  uint64_t n_layers_ = 0;
  std::vector<RopeFactors> factors_;
  Plan plan_;
  std::vector<uint8_t> used_;  // for each of source_.tensors
};

Result<void> GgufPlanner::begin_decoder() {
  io::Diagnostics diagnostics;
  AMBRY_TRY(facts_, model::decoder_config(source_, diagnostics));
  model::check_decoder_tensors(source_, facts_, diagnostics);
  if (!diagnostics.errors.empty()) return std::move(diagnostics.errors.front());
  for (Error& warning : diagnostics.warnings) plan_.warnings.push_back(std::move(warning));
  n_layers_ = facts_.n_layers;
  const std::string_view name = architecture_name(facts_.architecture);
  architecture_ = formats::gguf::gguf_architecture_for(name);
  if (facts_.bidirectional) {
    const auto* gemma = formats::gguf::find_gguf_architecture(formats::gguf::kGemmaEmbedding);
    if (gemma->other == name) {
      architecture_ = gemma;
    } else if (facts_.sliding_window) {
      architecture_ = nullptr;
    }
  }
  if (architecture_ != nullptr) return {};
  return make_error(ErrorCode::Unsupported, "config.architecture",
                    {"conversion from ", name, " to gguf is not supported"});
}

Result<Plan> GgufPlanner::from_decoder() {
  AMBRY_RETURN_IF_ERROR(begin_decoder());
  AMBRY_RETURN_IF_ERROR(put_general(source_.metadata, options_, plan_.target.metadata));
  AMBRY_RETURN_IF_ERROR(put_decoder_facts(facts_, architecture_->gguf, plan_.target.metadata));
  AMBRY_RETURN_IF_ERROR(lose_embedding_facts(facts_, options_, plan_.warnings));
  const model::TensorIndex index = model::decoder_tensor_index(source_.tensors);
  for (const model::DecoderTensor& tensor : model::decoder_tensors(facts_)) {
    const TensorEntry* from = model::find_decoder_tensor(index, tensor);
    if (from == nullptr) continue;
    const bool is_mixer = tensor.role == model::DecoderRole::MixerInput ||
                          tensor.role == model::DecoderRole::MixerOutput;
    if (tensor.bias && (is_mixer || architecture_->gguf.starts_with("lfm2"))) {
      return no_gguf_key("the biases of layers that keep a state");
    }
    if (tensor.role == model::DecoderRole::StreamProjection ||
        tensor.role == model::DecoderRole::StreamUnembedding) {
      AMBRY_RETURN_IF_ERROR(add_to_stack(*from, tensor.spec));
      continue;
    }
    const bool joins = tensor.expert != model::kNoExpert && tensor.expert > 0;
    if (joins) {
      use(*from);
      AMBRY_RETURN_IF_ERROR(add_to_expert_stack(read_, *from, plan_));
      continue;
    }
    AMBRY_RETURN_IF_ERROR(add(*from, tensor.spec.name, tensor.spec, &tensor));
    if (tensor.expert == 0) AMBRY_RETURN_IF_ERROR(begin_expert_stack(read_, *from, plan_));
  }
  factors_ = rope_factors(facts_);
  add_rope_factors(factors_, plan_);
  const Json* tokenizer = source_.config.find("tokenizer");
  return finish(tokenizer == nullptr ? Json() : *tokenizer, facts_.n_vocab);
}

Result<Plan> GgufPlanner::from_encoder() {
  io::Diagnostics diagnostics;
  AMBRY_TRY(const auto facts, model::encoder_config(source_, diagnostics));
  model::check_encoder_tensors(source_, facts, diagnostics);
  if (!diagnostics.errors.empty()) return std::move(diagnostics.errors.front());
  for (Error& warning : diagnostics.warnings) plan_.warnings.push_back(std::move(warning));
  if (facts.architecture != &model::kBert) {
    return model::metadata_error(
        source_.metadata, "architecture", ErrorCode::Unsupported,
        {"\"", facts.architecture->name, "\" cannot become GGUF; only bert can"});
  }
  n_layers_ = facts.num_layers;
  architecture_ = &formats::gguf::kGgufBert;
  AMBRY_RETURN_IF_ERROR(put_general(source_.metadata, options_, plan_.target.metadata));
  AMBRY_RETURN_IF_ERROR(put_encoder_facts(facts, options_, plan_.target.metadata, plan_.warnings));
  const model::TensorIndex index(source_.tensors);
  for (const model::EncoderTensor& tensor : model::encoder_tensors(facts)) {
    const TensorEntry* from = index.find(tensor.spec.name);
    // Sentence vectors do not use the pooler, and GGUF has no name for it.
    if (from != nullptr && tensor.role != model::EncoderRole::Pooler) {
      AMBRY_RETURN_IF_ERROR(add(*from, tensor.spec.name, tensor.spec));
    }
  }
  return finish(Json(), facts.vocab_size);
}

// `name` is the canonical name, and `purpose` null in encoders.
Result<void> GgufPlanner::add(const TensorEntry& from, std::string_view name,
                              const model::TensorSpec& spec, const model::DecoderTensor* purpose) {
  use(from);
  const TensorName parts = formats::gguf::split_name(name);
  AMBRY_TRY(const GgufName* row, row_of(from, name));
  Output output;
  AMBRY_RETURN_IF_ERROR(set_inputs(*row, from, output));
  output.transpose = spec.linear && source_.linear_layout == model::LinearLayout::InOut;
  AMBRY_RETURN_IF_ERROR(set_companions(from, output));
  TensorEntry target;
  target.name = formats::gguf::gguf_name_by(*row, parts);
  target.shape = formats::gguf::gguf_shape(row->gguf, facts_, spec.shape);
  output.change = state_space_change(facts_, row->gguf);
  const bool small = spec.shape.rank() < 2 || is_convolution(target.name) ||
                     row->gguf == "position_embd" || row->gguf == "token_types" ||
                     row->gguf.ends_with("ffn_gate_inp");
  if (small) {
    target.dtype = DType::F32;
    output.method = from.dtype == DType::F32 ? Method::Copy : Method::Convert;
  } else if (options_.quantize && becomes_blocks(target, *options_.quantize)) {
    const bool logits = purpose != nullptr && is_output(target.name, facts_.tie_word_embeddings);
    AMBRY_RETURN_IF_ERROR(
        store_as_blocks(*options_.quantize, logits, output, target, plan_.warnings));
    const auto& seen = options_.quantize->activations;
    if (purpose != nullptr && seen != nullptr) {
      AMBRY_RETURN_IF_ERROR(weigh_by_activations(*seen, facts_, *purpose, target, output));
    }
  } else {
    AMBRY_RETURN_IF_ERROR(store_as(kTypes, options_, output, target, plan_.warnings));
  }
  AMBRY_RETURN_IF_ERROR(convert_if_changed(from, output));
  AMBRY_RETURN_IF_ERROR(set_permutation(*row, output));
  AMBRY_RETURN_IF_ERROR(set_norm(*row, output));
  AMBRY_RETURN_IF_ERROR(order_head_columns(facts_.delta, row->gguf, target, output));
  add_output(plan_, std::move(target), std::move(output));
  return {};
}

// One of the matrices of a stack, which come in order.
Result<void> GgufPlanner::add_to_stack(const TensorEntry& from, const model::TensorSpec& spec) {
  use(from);
  const auto row = std::ranges::find(
      architecture_->names, model::decoder_tensor_key(spec.name),
      [](const GgufName& known) { return model::decoder_tensor_key(known.other); });
  if (row == architecture_->names.end() || source_.linear_layout == model::LinearLayout::InOut) {
    return error_at(ErrorCode::Unsupported, from.index_offset, from.name,
                    {"GGUF has no place for this tensor in a ", architecture_->gguf, " model"});
  }
  if (row->part != Part::First) {
    if (from.dtype != plan_.outputs.back().inputs.front().tensor.dtype) {
      return error_at(ErrorCode::Unsupported, from.index_offset, from.name,
                      {"of another type than ", plan_.outputs.back().inputs.front().tensor.name,
                       ", and GGUF stacks both"});
    }
    plan_.outputs.back().inputs.push_back(read_.input(from));
    return {};
  }
  Output output;
  output.inputs = {read_.input(from)};
  TensorEntry target;
  target.name = concat({row->gguf, ".weight"});
  target.shape = {uint64_t{facts_.extras.n_streams} - 1, spec.shape[0], spec.shape[1]};
  AMBRY_RETURN_IF_ERROR(store_as(kTypes, options_, output, target, plan_.warnings));
  add_output(plan_, std::move(target), std::move(output));
  return {};
}

// The dense layers after the pooling are no layers with an index in GGUF, so they are found by
// their whole name.
Result<const GgufName*> GgufPlanner::row_of(const TensorEntry& from, std::string_view name) const {
  const std::string pattern =
      formats::gguf::pattern_of_experts(formats::gguf::split_name(name).pattern);
  const auto row_with = [&](Part part) {
    return std::ranges::find_if(architecture_->names, [&](const GgufName& known) {
      const std::string_view key = model::decoder_tensor_key(known.other);
      return known.part == part && (key == pattern || key == model::decoder_tensor_key(name));
    });
  };
  auto row = row_with(facts_.experts.shared ? Part::Shared : Part::All);
  if (row == architecture_->names.end()) row = row_with(Part::All);
  if (row != architecture_->names.end()) return &*row;
  return error_at(ErrorCode::Unsupported, from.index_offset, from.name,
                  {"GGUF has no name for this tensor in a ", architecture_->gguf, " model"});
}

// GGUF's fused matrices have all queries first, then all keys, then all values.
Result<void> GgufPlanner::set_inputs(const GgufName& row, const TensorEntry& from,
                                     Output& output) const {
  output.inputs = {read_.input(from)};
  if (facts_.delta.n_key_heads > 0) return order_head_rows(facts_.delta, row.gguf, output);
  if (!facts_.qkv_per_head || row.gguf != "blk.#.attn_qkv") return {};
  if (source_.linear_layout == model::LinearLayout::InOut) {
    return error_at(ErrorCode::Unsupported, from.index_offset, from.name,
                    "stored as [in, out], so the rows of its heads cannot be separated");
  }
  const Input whole = std::move(output.inputs.front());
  output.inputs.clear();
  const uint64_t queries = uint64_t{facts_.n_heads} / facts_.n_kv_heads * facts_.head_dim;
  const uint64_t group = queries + uint64_t{2} * facts_.head_dim;
  const auto take = [&](uint64_t first, uint64_t n) -> Result<void> {
    for (uint32_t head = 0; head < facts_.n_kv_heads; ++head) {
      Input part = whole;
      AMBRY_TRY(part.tensor, row_range(whole.tensor, head * group + first, n));
      output.inputs.push_back(std::move(part));
    }
    return {};
  };
  AMBRY_RETURN_IF_ERROR(take(0, queries));
  AMBRY_RETURN_IF_ERROR(take(queries, facts_.head_dim));
  return take(queries + facts_.head_dim, facts_.head_dim);
}

// EMBD stores the scales of integers as separate tensors.
Result<void> GgufPlanner::set_companions(const TensorEntry& from, Output& output) {
  if (!is_plain(from.dtype) || is_float(from.dtype)) return {};
  const model::TensorIndex index(source_.tensors);
  const std::string_view name = model::canonical_tensor_name(from.name);
  const TensorEntry* scale = index.find(model::scale_name(name));
  const TensorEntry* zero_point = index.find(model::zero_point_name(name));
  if (scale == nullptr) {
    return error_at(
        ErrorCode::NotFound, from.index_offset, from.name,
        {"integers need their scales, but the tensor ", model::scale_name(name), " is missing"});
  }
  use(*scale);
  output.scale = read_.input(*scale);
  if (zero_point != nullptr) {
    use(*zero_point);
    output.zero_point = read_.input(*zero_point);
  }
  return {};
}

// Values that change cannot be taken over as they are stored.
Result<void> GgufPlanner::convert_if_changed(const TensorEntry& from, Output& output) {
  const bool as_stored = output.method == Method::Copy || output.method == Method::Repack;
  if (output.change.apply == nullptr || !as_stored) return {};
  if (!is_float(from.dtype)) {
    return error_at(ErrorCode::Unsupported, from.index_offset, from.name,
                    "its values change in GGUF, so they must be floats; quantize the gguf file");
  }
  output.method = Method::Convert;
  return {};
}

Result<void> GgufPlanner::set_permutation(const GgufName& row, Output& output) const {
  if (!row.permuted || facts_.rope_style == model::RopeStyle::Interleaved) return {};
  const bool rotates = facts_.positions == model::DecoderPositions::Rope;
  if (rotates && facts_.n_rotated != facts_.head_dim) {
    return make_error(ErrorCode::Unsupported, "config.partial_rotary_factor",
                      "GGUF's llama supports rotation of whole heads only");
  }
  output.rope = {RopePermutation::Change::ToInterleaved, facts_.head_dim};
  return {};
}

// Other formats store gemma's norms minus 1.
Result<void> GgufPlanner::set_norm(const GgufName& row, Output& output) const {
  const bool is_whole =
      !architecture_->gguf.starts_with("gemma") && !architecture_->gguf.starts_with("qwen35");
  if (is_whole || !row.gguf.ends_with("_norm") || row.gguf == "blk.#.ssm_norm" ||
      facts_.norm_offset == 0) {
    return {};
  }
  if (facts_.norm_offset != 1) {
    return make_error(ErrorCode::Unsupported, "config.norm_offset",
                      "norm_offset must be 0 or 1 in gemma's models");
  }
  output.method = Method::Convert;
  output.change.apply = [](const RowChange::Values& /*companions*/, uint64_t /*first_row*/,
                           uint64_t /*n_cols*/, std::span<float> rows) {
    for (float& value : rows) value += 1;
  };
  return {};
}

Result<void> GgufPlanner::account_for_rest() {
  for (size_t i = 0; i < source_.tensors.size(); ++i) {
    const TensorEntry& tensor = source_.tensors[i];
    if (used_[i] != 0 || model::canonical_tensor_name(tensor.name) == "embeddings.position_ids") {
      continue;
    }
    AMBRY_RETURN_IF_ERROR(
        leave_out(tensor, n_layers_,
                  {"GGUF has no name for this tensor in a ", architecture_->gguf, " model"},
                  options_, plan_.warnings));
  }
  return {};
}

Result<Plan> GgufPlanner::finish(const Json& tokenizer_facts, uint64_t n_vocab) {
  AMBRY_RETURN_IF_ERROR(account_for_rest());
  if (source_.tokenizer) {
    AMBRY_RETURN_IF_ERROR(tokenizer_to_gguf(*source_.tokenizer, tokenizer_facts, n_vocab, options_,
                                            plan_.target, plan_.warnings));
  }
  if (options_.quantize) {
    AMBRY_RETURN_IF_ERROR(check_block_options(*options_.quantize));
    AMBRY_RETURN_IF_ERROR(check_kept(plan_.target, *options_.quantize));
  }
  put_file_facts(plan_.target);
  AMBRY_TRY(plan_.layout, formats::gguf::lay_out(plan_.target));
  place_rope_factors(factors_, plan_);
  return std::move(plan_);
}

}  // namespace

Result<Plan> plan_gguf_from_decoder(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(const std::string_view from, identify(sources, options));
  AMBRY_TRY(SourceModel source, read_source(sources, from));
  return GgufPlanner(std::move(source), options).from_decoder();
}

Result<Plan> plan_gguf_from_embd(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(SourceModel source, read_source(sources, "embd"));
  return GgufPlanner(std::move(source), options).from_encoder();
}

}  // namespace ambry::convert
