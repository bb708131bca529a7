#include "convert/decoder/decoder_plan.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "convert/decoder/alt_config.h"
#include "convert/decoder/needed_tensors.h"
#include "convert/tensor/target_dtype.h"
#include "formats/alt/alt_layout.h"
#include "formats/alt/alt_write.h"
#include "formats/amb/amb_layout.h"
#include "formats/amb/amb_write.h"
#include "model/decoder/decoder_config.h"
#include "model/decoder/decoder_tensors.h"
#include "model/file/tensor_index.h"

namespace ambry::convert {
namespace {

using io::Json;
using model::DecoderRole;
using model::DecoderTensor;
using model::Model;
using model::TensorEntry;
using tensor::DType;

// Constants that older files store with the weights but every reader computes.
bool is_needless(std::string_view name, model::DecoderArchitecture architecture) {
  using enum model::DecoderArchitecture;
  if (name.ends_with(".rotary_emb.inv_freq")) return true;
  if (architecture != Gpt2 && architecture != GptJ && architecture != GptNeoX) return false;
  return name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias") ||
         name.ends_with(".attention.bias") || name.ends_with(".attention.masked_bias");
}

class DecoderPlanner {
 public:
  DecoderPlanner(SourceModel source, const Options& options, std::span<const DType> supported)
      : source_(std::move(source)), options_(options), supported_(supported) {
    plan_.warnings = std::move(source_.warnings);
    plan_.decoded = std::move(source_.decoded);
  }

  Result<void> make();
  [[nodiscard]] const model::DecoderConfig& facts() const { return facts_; }
  Plan take() { return std::move(plan_); }

 private:
  [[nodiscard]] Model& model() { return source_.model; }
  // Whether rows of query and key keep their order and the config says which: where the
  // architecture's own is interleaved, or only a part of a head is rotated.
  [[nodiscard]] bool keeps_rope_style() const {
    using enum model::RopeStyle;
    const auto usual = model::architecture_defaults(facts_.architecture).rope_style;
    const bool partial = facts_.n_rotated != facts_.head_dim;
    return usual == Interleaved || (facts_.rope_style == Interleaved && partial);
  }
  Result<void> read_facts();
  Result<void> add_tensors();
  Result<void> add(const DecoderTensor& wanted, const TensorEntry& from);
  Result<void> account_for_rest();

  SourceModel source_;
  const Options& options_;
  std::span<const DType> supported_;
  model::DecoderConfig facts_;
  std::vector<uint8_t> used_;  // for each of the source's tensors
  Plan plan_;
};

Result<void> DecoderPlanner::make() {
  AMBRY_RETURN_IF_ERROR(read_facts());
  AMBRY_RETURN_IF_ERROR(add_tensors());
  AMBRY_RETURN_IF_ERROR(account_for_rest());
  Model& target = plan_.target;
  target.linear_layout = model().linear_layout;
  target.tokenizer = std::move(model().tokenizer);
  target.metadata = std::move(model().metadata);
  for (const auto& [key, value] : options_.metadata) target.metadata.set(key, value);
  target.config = Json::object();
  for (auto& [key, value] : model().config.members()) {
    if (key != "rope_style" || keeps_rope_style()) target.config.append_member(key, value);
  }
  return {};
}

Result<void> DecoderPlanner::read_facts() {
  AMBRY_TRY(model().linear_layout, model::decoder_linear_layout(model().config));
  io::Diagnostics diagnostics;
  AMBRY_TRY(facts_, model::decoder_config(model(), diagnostics));
  model::check_decoder_tensors(model(), facts_, diagnostics);
  if (!diagnostics.errors.empty()) return std::move(diagnostics.errors.front());
  for (Error& warning : diagnostics.warnings) plan_.warnings.push_back(std::move(warning));
  return {};
}

Result<void> DecoderPlanner::add_tensors() {
  const model::TensorIndex index = model::decoder_tensor_index(model().tensors);
  used_.resize(model().tensors.size());
  for (const DecoderTensor& wanted : model::decoder_tensors(facts_)) {
    const TensorEntry* from = model::find_decoder_tensor(index, wanted);
    if (from == nullptr) continue;
    used_[static_cast<size_t>(from - model().tensors.data())] = 1;
    if (wanted.role == DecoderRole::Output && facts_.tie_word_embeddings) {
      // Hugging Face's library ignores this tensor.
      plan_.warnings.push_back(error_at(ErrorCode::Unsupported, from->index_offset, from->name,
                                        "left out: the embedding is used as the output"));
    } else {
      AMBRY_RETURN_IF_ERROR(add(wanted, *from));
    }
  }
  return {};
}

Result<void> DecoderPlanner::add(const DecoderTensor& wanted, const TensorEntry& from) {
  Output output;
  output.inputs = {source_.input(from)};
  const auto scales = source_.scales.find(from.name);
  if (scales != source_.scales.end()) output.scale = scales->second;
  TensorEntry target;
  target.name = from.name;
  target.shape = from.shape;
  AMBRY_RETURN_IF_ERROR(store_as(supported_, options_, output, target, plan_.warnings));
  const bool rotated = wanted.role == DecoderRole::Query || wanted.role == DecoderRole::Key;
  if (rotated && facts_.rope_style == model::RopeStyle::Interleaved && !keeps_rope_style()) {
    output.rope = {RopePermutation::Change::ToHalf, facts_.head_dim};
  }
  add_output(plan_, std::move(target), std::move(output));
  return {};
}

Result<void> DecoderPlanner::account_for_rest() {
  for (size_t i = 0; i < used_.size(); ++i) {
    const TensorEntry& tensor = model().tensors[i];
    if (used_[i] || is_needless(tensor.name, facts_.architecture)) continue;
    AMBRY_RETURN_IF_ERROR(
        leave_out(tensor, facts_.n_layers,
                  {"no part of a ", architecture_name(facts_.architecture), " model"}, options_,
                  plan_.warnings));
  }
  return {};
}

// AMB's reader rejects ids without a row in the embedding.
Result<void> check_ids(const Model& target, uint32_t n_vocab) {
  if (!target.tokenizer) return {};
  const model::TokenizerData& tokenizer = *target.tokenizer;
  uint64_t n_ids = tokenizer.vocabulary.size();
  for (const uint32_t id : tokenizer.ids) n_ids = std::max(n_ids, uint64_t{id} + 1);
  for (const auto& id : {tokenizer.bos_id, tokenizer.eos_id, tokenizer.pad_id, tokenizer.unk_id}) {
    if (id) n_ids = std::max(n_ids, uint64_t{*id} + 1);
  }
  for (const uint32_t id : tokenizer.eos_ids) n_ids = std::max(n_ids, uint64_t{id} + 1);
  if (n_ids <= n_vocab) return {};
  return make_error(
      ErrorCode::Mismatch, "tokenizer",
      {"there are ids up to ", n_ids - 1, ", but the model has only ", n_vocab, " tokens"});
}

// All of ALT's names start with `model.`, except the output's.
std::string alt_name(std::string_view name) {
  if (name.starts_with("lm_head.") || name.starts_with("model.")) return std::string(name);
  return concat({"model.", name});
}

}  // namespace

Result<Plan> plan_decoder_as_amb(SourceModel source, const Options& options) {
  DecoderPlanner planner(std::move(source), options, formats::amb::kDTypes);
  AMBRY_RETURN_IF_ERROR(planner.make());
  Plan plan = planner.take();
  AMBRY_RETURN_IF_ERROR(check_ids(plan.target, planner.facts().n_vocab));
  // A model from another format gets checksums.
  AMBRY_TRY(plan.layout, formats::amb::lay_out(plan.target));
  plan.target.format = "amb";
  return plan;
}

Result<Plan> plan_decoder_as_alt(SourceModel source, const Options& options) {
  DecoderPlanner planner(std::move(source), options, formats::alt::kDTypes);
  AMBRY_RETURN_IF_ERROR(planner.make());
  Plan plan = planner.take();
  AMBRY_RETURN_IF_ERROR(fit_into_alt(planner.facts(), options, plan));
  for (TensorEntry& tensor : plan.target.tensors) tensor.name = alt_name(tensor.name);
  AMBRY_TRY(plan.layout, formats::alt::lay_out(plan.target));
  return plan;
}

}  // namespace ambry::convert
