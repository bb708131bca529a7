#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "formats/gguf/config.h"
#include "formats/gguf/gguf_parse.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "formats/gguf/metadata/gguf_tokenizer.h"
#include "formats/gguf/metadata/tokenizer_keys.h"
#include "formats/gguf/names/encoder_names.h"
#include "formats/gguf/names/required_tensors.h"
#include "formats/gguf/names/tensor_names.h"
#include "model/decoder/decoder_config.h"
#include "model/file/tensor_index.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::gguf {
namespace {

using model::Model;

// Far above any real model. Keeps a hostile value from growing the list of expected tensors.
constexpr uint64_t kMaxLayers = 512;

std::string_view text_of(const Model& model, std::string_view key) {
  return model::metadata_text(model.metadata, key).value_or("");
}

// Whether this is one file of several. Reports it.
bool is_part(const Model& model, io::Diagnostics& diagnostics) {
  const io::Json* count = model.metadata.find(kSplitCountKey);
  const io::Json* number = model.metadata.find(kSplitNumberKey);
  if (count == nullptr || !count->is_uint() || count->uint() < 2) return false;
  const uint64_t part = number != nullptr && number->is_uint() ? number->uint() + 1 : 0;
  diagnostics.warn(model::metadata_error(
      model.metadata, kSplitCountKey, ErrorCode::Unsupported,
      {"this is part ", part, " of ", count->uint(),
       " of a split model, which must be merged with the others before it can be used"}));
  return true;
}

void check_general(const Model& model, io::Diagnostics& diagnostics) {
  if (text_of(model, kArchitectureKey).empty()) {
    diagnostics.warn(make_error(ErrorCode::NotFound, {"metadata.", kArchitectureKey},
                                "the file does not say what kind of model it holds"));
  }
  const bool quantized = std::ranges::any_of(
      model.tensors, [](const auto& tensor) { return !tensor::is_plain(tensor.dtype); });
  if (quantized && !model::has_value(model.metadata, kQuantizationVersionKey)) {
    diagnostics.warn(make_error(ErrorCode::NotFound, {"metadata.", kQuantizationVersionKey},
                                "quantized tensors without the version of their quantization"));
  }
}

void check_special_ids(const Model& model, io::Diagnostics& diagnostics) {
  if (!model.tokenizer) return;
  const uint64_t n_tokens = model.tokenizer->n_tokens;
  for (const auto& [key, value] : model.metadata.members()) {
    if (!is_token_id_key(key)) continue;
    const auto check = [&](const io::Json& id) {
      if (is_no_token(id) || (id.is_uint() && id.uint() < n_tokens)) return true;
      const std::string stated = id.dump();
      diagnostics.error(model::metadata_error(
          model.metadata, key, ErrorCode::BadValue,
          id.is_uint() ? Text{stated, ", but there are ", n_tokens, " tokens"}
                       : Text{stated, " is no id of a token and no short list of ids"}));
      return false;
    };
    if (!value.is_array()) {
      check(value);
    } else {
      (void)std::ranges::all_of(value.items(), check);  // one error a key
    }
  }
}

std::optional<Sizes> sizes_of(const Model& model, io::Diagnostics& diagnostics) {
  struct Wanted {
    const char* name;
    std::string_view suffix;  // of the file's key
    uint64_t Sizes::* size;
    bool required;
  };
  constexpr auto kWanted =
      std::to_array<Wanted>({{"n_vocab", "vocab_size", &Sizes::n_vocab, true},
                             {"n_embd", "embedding_length", &Sizes::n_embd, true},
                             {"n_layers", "block_count", &Sizes::n_layers, true},
                             {"n_heads", "attention.head_count", &Sizes::n_heads, true},
                             {"n_kv_heads", "attention.head_count_kv", &Sizes::n_kv_heads, false},
                             {"head_dim", "attention.key_length", &Sizes::head_dim, false},
                             {"n_ff", "feed_forward_length", &Sizes::n_ff, true},
                             {"max_seq_len", "context_length", &Sizes::max_seq_len, true}});
  const auto missing = [&](std::string_view suffix) {
    return architecture_value(model, suffix) == nullptr ? "not stated"
                                                        : "not one value for all layers";
  };
  Sizes sizes;
  bool complete = true;
  for (const Wanted& wanted : kWanted) {
    const io::Json* value = model.config.find(wanted.name);
    // Limit the values to 32 bits, so that products of two do not overflow.
    if (value != nullptr && value->is_uint() && value->uint() > 0 && value->uint() <= UINT32_MAX) {
      sizes.*wanted.size = value->uint();
    } else if (wanted.required || value != nullptr) {
      complete = false;
      const uint64_t at = value == nullptr ? kNoOffset : value->byte_offset();
      diagnostics.warn(
          error_at(value == nullptr ? ErrorCode::NotFound : ErrorCode::BadValue, at,
                   {"metadata.", text_of(model, kArchitectureKey), ".", wanted.suffix},
                   value == nullptr ? missing(wanted.suffix) : "not a number that can be right"));
    }
  }
  if (!complete) return std::nullopt;
  if (sizes.n_kv_heads == 0) sizes.n_kv_heads = sizes.n_heads;
  if (sizes.head_dim == 0) sizes.head_dim = sizes.n_embd / sizes.n_heads;
  return sizes;
}

// The embedding must have a row for each token. Some models have more rows, for speed.
void check_embedding(const Model& model, io::Diagnostics& diagnostics) {
  const model::TensorIndex index(model.tensors);
  const model::TensorEntry* words = index.find("token_embd.weight");
  if (words == nullptr || !model.tokenizer || words->shape.rank() != 2) return;
  const uint64_t n_tokens = model.tokenizer->n_tokens;
  if (words->shape[0] == n_tokens) return;
  diagnostics.warn(error_at(ErrorCode::Mismatch, words->index_offset,
                            {model::path_of(model, *words), ".dimensions"},
                            {words->shape[0], " rows of token_embd for ", n_tokens, " tokens"}));
}

// The tensors that the file must have. Nothing when it does not state what decides that, which is
// reported: such a file may still be valid.
std::optional<std::vector<model::TensorSpec>> specs_of(const Model& model,
                                                       const GgufArchitecture& architecture,
                                                       const Sizes& sizes,
                                                       io::Diagnostics& diagnostics) {
  if (architecture.is_encoder) return required_bert_tensors(sizes);
  const model::TensorIndex index(model.tensors);
  auto facts = model::decoder_config(model, diagnostics);
  if (facts) return required_decoder_tensors(architecture, *facts, index);
  diagnostics.warn(facts.take_error());
  // Heads that do not divide the width still say which shapes cannot be right.
  if (model::has_value(model.config, "head_dim")) return std::nullopt;
  Model whole_heads;
  whole_heads.config = model.config;
  whole_heads.config.set("head_dim", sizes.head_dim);
  io::Diagnostics repeated;
  facts = model::decoder_config(whole_heads, repeated);
  if (!facts) return std::nullopt;
  return required_decoder_tensors(architecture, *facts, index);
}

void check_tensors(const Model& model, io::Diagnostics& diagnostics) {
  const std::string_view name = text_of(model, kArchitectureKey);
  const GgufArchitecture* architecture = find_checked_architecture(name);
  if (architecture == nullptr) return;
  auto sizes = sizes_of(model, diagnostics);
  if (!sizes) return;
  if (sizes->n_layers > kMaxLayers) {
    diagnostics.error(
        error_at(ErrorCode::LimitExceeded, model.config.find("n_layers")->byte_offset(),
                 {"metadata.", architecture->gguf, ".block_count"},
                 {sizes->n_layers, " layers, at most ", kMaxLayers, " are supported"}));
    return;
  }
  auto specs = specs_of(model, *architecture, *sizes, diagnostics);
  if (!specs) return;
  const model::TensorIndex index(model.tensors);
  const auto known = model::find_architecture(architecture->other);
  const bool knows_experts = known && model::architecture_defaults(*known).experts;
  const bool experts = !knows_experts && architecture_value(model, "expert_count") != nullptr;
  for (model::TensorSpec& spec : *specs) {
    // A Mixtral, which is a llama here, has other tensors in place of these.
    if (experts && spec.name.find(".ffn_") != std::string::npos) continue;
    const model::TensorEntry* tensor = index.find(spec.name);
    // Models of one kind of text have one type or none.
    if (spec.name == "token_types.weight") {
      if (tensor == nullptr) continue;
      if (tensor->shape.rank() == 2) spec.shape = {tensor->shape[0], sizes->n_embd};
    }
    // check_embedding() handles rows without tokens.
    if (spec.name == "token_embd.weight" && tensor != nullptr && tensor->shape.rank() == 2) {
      spec.shape = {tensor->shape[0], sizes->n_embd};
    }
    model::check_tensor(model, tensor, spec, diagnostics);
  }
}

}  // namespace

void check(const Model& model, io::Diagnostics& diagnostics) {
  check_general(model, diagnostics);
  check_special_ids(model, diagnostics);
  if (auto merges = require_merges(model); !merges) diagnostics.error(merges.take_error());
  const bool part = is_part(model, diagnostics);
  check_embedding(model, diagnostics);
  // Adapters and projectors have other tensors. Vocabulary files have none.
  const std::string_view type = text_of(model, kTypeKey);
  const bool whole_model = !part && !model.tensors.empty() && (type.empty() || type == "model");
  if (whole_model) check_tensors(model, diagnostics);
}

}  // namespace ambry::formats::gguf
