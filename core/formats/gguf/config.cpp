#include "formats/gguf/config.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <utility>

#include "formats/gguf/layout.h"
#include "model/metadata_value.h"

namespace ambry::formats::gguf {
namespace {

using io::Json;

struct Fact {
  std::string_view name;    // name in the config
  std::string_view suffix;  // part of the key after the architecture
};

constexpr std::array<Fact, 12> kFacts = {{{"n_embd", "embedding_length"},
                                          {"n_layers", "block_count"},
                                          {"n_heads", "attention.head_count"},
                                          {"n_kv_heads", "attention.head_count_kv"},
                                          {"head_dim", "attention.key_length"},
                                          {"n_ff", "feed_forward_length"},
                                          {"max_seq_len", "context_length"},
                                          {"norm_eps", "attention.layer_norm_rms_epsilon"},
                                          {"norm_eps", "attention.layer_norm_epsilon"},
                                          {"rope_freq_base", "rope.freq_base"},
                                          {"sliding_window", "attention.sliding_window"},
                                          {"final_softcap", "final_logit_softcapping"}}};

bool has_tensor(const model::Model& model, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(model.tensors, [&](const model::TensorEntry& tensor) {
    return std::ranges::find(names, tensor.name) != names.end();
  });
}

// The rotated share of a head, if it is not all of it.
void add_rotation(const model::Model& model, Json& config) {
  const Json* rotated = architecture_value(model, "rope.dimension_count");
  const Json* heads = config.find("n_heads");
  const Json* width = config.find("n_embd");
  if (rotated == nullptr || !rotated->is_uint() || heads == nullptr || width == nullptr ||
      !heads->is_uint() || !width->is_uint() || heads->uint() == 0) {
    return;
  }
  const Json* stated = config.find("head_dim");
  const uint64_t head_dim =
      stated != nullptr && stated->is_uint() ? stated->uint() : width->uint() / heads->uint();
  if (rotated->uint() == head_dim || head_dim == 0) return;
  config.set("partial_rotary_factor",
             static_cast<double>(rotated->uint()) / static_cast<double>(head_dim));
}

void add_scaling(const model::Model& model, Json& config) {
  const Json* type = architecture_value(model, "rope.scaling.type");
  if (type == nullptr || !type->is_string() || type->string() == "none") return;
  Json scaling = Json::object();
  scaling.append_member("type", *type);
  if (const Json* factor = architecture_value(model, "rope.scaling.factor")) {
    scaling.append_member("factor", *factor);
  }
  if (const Json* length = architecture_value(model, "rope.scaling.original_context_length")) {
    scaling.append_member("original_max_position_embeddings", *length);
  }
  config.set("rope_scaling", std::move(scaling));
}

// Converters change the weights of some architectures: llama's query and key rows are permuted for
// interleaved rotation, gemma's norms include their 1, and gpt2's matrices are transposed.
void add_conventions(std::string_view architecture, Json& config) {
  if (architecture == "llama") config.set("rope_style", "interleaved");
  if (architecture == "gemma") config.set("norm_offset", 0);
  config.set("linear_layout", "out_in");
}

void add_tensor_facts(const model::Model& model, Json& config) {
  if (model.tensors.empty()) return;
  config.set("tie_word_embeddings", !has_tensor(model, {"output.weight"}));
  config.set("attn_bias", has_tensor(model, {"blk.0.attn_q.bias", "blk.0.attn_qkv.bias"}));
  config.set("mlp_bias", has_tensor(model, {"blk.0.ffn_up.bias"}));
}

}  // namespace

const Json* architecture_value(const model::Model& model, std::string_view suffix) {
  const Json* architecture = model.metadata.find(kArchitectureKey);
  if (architecture == nullptr || !architecture->is_string()) return nullptr;
  return model.metadata.find(concat({architecture->string(), ".", suffix}));
}

std::string path_of_fact(const model::Model& model, std::string_view path) {
  constexpr std::string_view kSection = "config.";
  if (!path.starts_with(kSection)) return std::string(path);
  const std::string_view name = path.substr(kSection.size());
  const auto architecture = model::metadata_text(model.metadata, kArchitectureKey).value_or("");
  const Fact* first = nullptr;
  for (const Fact& fact : kFacts) {
    if (fact.name != name) continue;
    if (first == nullptr || architecture_value(model, fact.suffix) != nullptr) first = &fact;
  }
  if (name == "n_vocab") return concat({"metadata.", architecture, ".vocab_size"});
  if (name == "partial_rotary_factor") {
    return concat({"metadata.", architecture, ".rope.dimension_count"});
  }
  if (first == nullptr) return std::string(path);
  return concat({"metadata.", architecture, ".", first->suffix});
}

Json config_of(const model::Model& model) {
  const Json* architecture = model.metadata.find(kArchitectureKey);
  if (architecture == nullptr || !architecture->is_string()) return {};
  Json config = Json::object();
  config.append_member("architecture", architecture->string());
  const Json* n_vocab = architecture_value(model, "vocab_size");
  if (n_vocab != nullptr) {
    config.append_member("n_vocab", *n_vocab);
  } else if (model.tokenizer) {
    config.append_member("n_vocab", model.tokenizer->n_tokens);
  }
  for (const Fact& fact : kFacts) {
    // Different values for each layer are a list, which the config cannot hold.
    const Json* value = architecture_value(model, fact.suffix);
    if (value != nullptr && value->is_number()) config.set(fact.name, *value);
  }
  add_rotation(model, config);
  add_scaling(model, config);
  add_conventions(architecture->string(), config);
  add_tensor_facts(model, config);
  return config;
}

}  // namespace ambry::formats::gguf
