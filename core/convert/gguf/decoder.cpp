#include "convert/gguf/decoder.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/shortest.h"
#include "convert/decoder/needed_tensors.h"
#include "convert/gguf/rope_factors.h"
#include "convert/gguf/tensor_names.h"
#include "convert/gguf/tokenizer.h"
#include "convert/source_model.h"
#include "convert/tensor/target_dtype.h"
#include "model/decoder/decoder_config.h"
#include "model/decoder/decoder_tensors.h"
#include "model/metadata_value.h"

namespace ambry::convert {
namespace {

using io::Json;
using model::Model;
using model::TensorEntry;
using tensor::DType;

// Factors of the rotary angles that depend on the length of the text.
constexpr std::string_view kLongFactors = "rope_factors_long.weight";
constexpr std::string_view kShortFactors = "rope_factors_short.weight";
bool is_factors(std::string_view name) {
  return name == kRopeFactors || name == kLongFactors || name == kShortFactors;
}

class Reader {
 public:
  Reader(const SourceFiles& sources, const Options& options, std::span<const DType> supported,
         SourceModel read)
      : sources_(sources), options_(options), supported_(supported), read_(std::move(read)) {
    plan_.warnings = std::move(read_.warnings);
  }

  Result<GgufDecoder> decode();

 private:
  [[nodiscard]] const Model& source() const { return read_.model; }
  [[nodiscard]] const TensorEntry* find(std::string_view name) const {
    const auto found = std::ranges::find(source().tensors, name, &TensorEntry::name);
    return found == source().tensors.end() ? nullptr : &*found;
  }
  Result<void> read_architecture();
  Result<void> read_config();
  Result<void> read_factors(Json& config);
  Result<Json> factors_of(std::string_view name);
  Result<void> add_tensors();
  Result<void> add_tensor(const TensorEntry& from);
  Result<void> add_part(const TensorEntry& from, const GgufName& row, const TensorName& name);
  Result<TensorEntry> part_of(const TensorEntry& from, Part part);
  Result<void> check();

  const SourceFiles& sources_;
  const Options& options_;
  std::span<const DType> supported_;
  SourceModel read_;
  const GgufArchitecture* architecture_ = nullptr;
  model::DecoderConfig facts_;
  Plan plan_;
};

Result<GgufDecoder> Reader::decode() {
  AMBRY_RETURN_IF_ERROR(read_architecture());
  AMBRY_RETURN_IF_ERROR(read_config());
  AMBRY_RETURN_IF_ERROR(add_tensors());
  AMBRY_RETURN_IF_ERROR(check());
  GgufDecoder decoder;
  if (source().tokenizer) {
    AMBRY_TRY(GgufTokenizer made, tokenizer_from_gguf(source(), options_, plan_.warnings));
    plan_.target.tokenizer = std::move(made.tokenizer);
    decoder.tokenizer_options = std::move(made.options);
  }
  decoder.source = std::move(read_.model);
  decoder.plan = std::move(plan_);
  return decoder;
}

Result<void> Reader::read_architecture() {
  const auto stated = model::metadata_text(source().metadata, "general.architecture").value_or("");
  architecture_ = find_gguf_architecture(stated);
  if (architecture_ != nullptr && stated == "bert") architecture_ = nullptr;
  if (architecture_ == nullptr) {
    return model::metadata_error(
        source().metadata, "general.architecture", ErrorCode::Unsupported,
        {"\"", stated, "\" to ", options_.to, " is a conversion not known here"});
  }
  if (!options_.arch.empty()) {
    const GgufArchitecture* wanted = gguf_architecture_for(options_.arch);
    if (wanted == nullptr || wanted->gguf != stated) {
      return make_error(ErrorCode::BadValue, "options.arch",
                        {"\"", options_.arch, "\", but the file holds \"", stated, "\""});
    }
    architecture_ = wanted;
  }
  const Json* experts = source().metadata.find(concat({stated, ".expert_count"}));
  if (experts == nullptr || (experts->is_uint() && experts->uint() == 0)) return {};
  return model::metadata_error(source().metadata, concat({stated, ".expert_count"}),
                               ErrorCode::Unsupported,
                               "mixture-of-experts models are not supported");
}

// The rows will be reordered, so the target's config does not state the interleaved order.
Result<void> Reader::read_config() {
  Json config = Json::object();
  for (const auto& [key, value] : source().config.members()) {
    if (key != "rope_style") config.append_member(key, value);
  }
  config.set("architecture", architecture_->other);
  AMBRY_RETURN_IF_ERROR(read_factors(config));
  plan_.target.config = std::move(config);
  Model stated;
  stated.config = plan_.target.config;
  io::Diagnostics diagnostics;
  AMBRY_TRY(facts_, model::decoder_config(stated, diagnostics));
  for (Error& warning : diagnostics.warnings) plan_.warnings.push_back(std::move(warning));
  return {};
}

// LongRope has a factor for each rotated pair. llama3's factors are the same at any length.
Result<void> Reader::read_factors(Json& config) {
  const bool one = find(kRopeFactors) != nullptr;
  if (!one && find(kLongFactors) == nullptr && find(kShortFactors) == nullptr) return {};
  const Json* stated = config.find("rope_scaling");
  Json scaling = stated != nullptr && stated->is_object() ? *stated : Json::object();
  scaling.set("type", "longrope");
  AMBRY_TRY(Json long_factors, factors_of(one ? kRopeFactors : kLongFactors));
  AMBRY_TRY(Json short_factors, factors_of(one ? kRopeFactors : kShortFactors));
  scaling.set("long_factor", std::move(long_factors));
  scaling.set("short_factor", std::move(short_factors));
  if (one) scaling.set("attention_factor", 1.0);
  config.set("rope_scaling", std::move(scaling));
  return {};
}

Result<Json> Reader::factors_of(std::string_view name) {
  const TensorEntry* tensor = find(name);
  constexpr uint64_t kMaxFactors = 4096;
  if (tensor == nullptr || tensor->dtype != DType::F32 || tensor->shape.rank() != 1 ||
      tensor->shape[0] > kMaxFactors) {
    return error_at(ErrorCode::BadValue, tensor == nullptr ? kNoOffset : tensor->index_offset, name,
                    "expected a list of f32 factors");
  }
  AMBRY_TRY(const Bytes bytes, sources_.main().view(tensor->offset, tensor->bytes, name));
  Json list = Json::array();
  for (size_t at = 0; at < bytes.size(); at += sizeof(float)) {
    list.append(shortest_double(load_le<float>(bytes.data() + at)));
  }
  return list;
}

Result<void> Reader::add_tensors() {
  for (const TensorEntry& from : source().tensors) {
    if (!is_factors(from.name)) AMBRY_RETURN_IF_ERROR(add_tensor(from));
  }
  return {};
}

Result<void> Reader::add_tensor(const TensorEntry& from) {
  const TensorName name = split_name(from.name);
  bool known = false;
  for (const GgufName& row : architecture_->names) {
    if (row.gguf != name.pattern || name.ending.empty()) continue;
    known = true;
    AMBRY_RETURN_IF_ERROR(add_part(from, row, name));
  }
  if (known) return {};
  return leave_out(from, facts_.n_layers,
                   {"this tensor is not part of a ", architecture_->gguf, " model"}, options_,
                   plan_.warnings);
}

Result<void> Reader::add_part(const TensorEntry& from, const GgufName& row,
                              const TensorName& name) {
  AMBRY_TRY(const TensorEntry part, part_of(from, row.part));
  Output output;
  output.inputs = {{part, 0}};
  TensorEntry target;
  target.name = join_name(row.other, name);
  target.shape = part.shape;
  target.index_offset = from.index_offset;
  AMBRY_RETURN_IF_ERROR(store_as(supported_, options_, output, target, plan_.warnings));
  if (row.permuted != Permuted::No)
    output.rope = {RopePermutation::Change::ToHalf, facts_.head_dim};
  add_output(plan_, std::move(target), std::move(output));
  return {};
}

Result<TensorEntry> Reader::part_of(const TensorEntry& from, Part part) {
  if (part == Part::All) return from;
  const uint64_t query = uint64_t{facts_.n_heads} * facts_.head_dim;
  const uint64_t key = uint64_t{facts_.n_kv_heads} * facts_.head_dim;
  if (part == Part::Query) return row_range(from, 0, query);
  return row_range(from, part == Part::Key ? query : query + key, key);
}

Result<void> Reader::check() {
  Model checked;
  checked.config = plan_.target.config;
  checked.tensors = plan_.target.tensors;
  io::Diagnostics diagnostics;
  AMBRY_TRY(facts_, model::decoder_config(checked, diagnostics));
  diagnostics.warnings.clear();
  model::check_decoder_tensors(checked, facts_, diagnostics);
  if (!diagnostics.errors.empty()) return std::move(diagnostics.errors.front());
  for (Error& warning : diagnostics.warnings) plan_.warnings.push_back(std::move(warning));
  return {};
}

// Whether a key is part of the config or applies only to the file.
bool is_consumed(std::string_view key, std::string_view architecture) {
  constexpr std::array<std::string_view, 4> kOfTheFile = {"general.architecture",
                                                          "general.alignment", "general.file_type",
                                                          "general.quantization_version"};
  constexpr std::array<std::string_view, 20> kFacts = {"embedding_length",
                                                       "block_count",
                                                       "attention.head_count",
                                                       "attention.head_count_kv",
                                                       "attention.key_length",
                                                       "attention.value_length",
                                                       "feed_forward_length",
                                                       "context_length",
                                                       "attention.layer_norm_rms_epsilon",
                                                       "attention.layer_norm_epsilon",
                                                       "rope.freq_base",
                                                       "rope.dimension_count",
                                                       "rope.scaling.type",
                                                       "rope.scaling.factor",
                                                       "rope.scaling.original_context_length",
                                                       "attention.sliding_window",
                                                       "final_logit_softcapping",
                                                       "vocab_size",
                                                       "attention.causal",
                                                       "pooling_type"};
  if (std::ranges::find(kOfTheFile, key) != kOfTheFile.end()) return true;
  if (is_tokenizer_key(key)) return true;
  if (!key.starts_with(architecture) || key.size() <= architecture.size()) return false;
  return std::ranges::find(kFacts, key.substr(architecture.size() + 1)) != kFacts.end();
}

}  // namespace

Result<GgufDecoder> read_gguf_decoder(const SourceFiles& sources, const Options& options,
                                      std::span<const DType> supported) {
  AMBRY_TRY(SourceModel read, read_source(sources, "gguf"));
  return Reader(sources, options, supported, std::move(read)).decode();
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
