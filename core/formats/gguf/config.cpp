#include "formats/gguf/config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>

#include "formats/gguf/embedding_facts.h"
#include "formats/gguf/gated_delta_facts.h"
#include "formats/gguf/gemma_facts.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "formats/gguf/names/encoder_names.h"
#include "formats/gguf/names/tensor_names.h"
#include "formats/gguf/rope_facts.h"
#include "formats/gguf/state_space_facts.h"
#include "model/decoder/architectures/architecture.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::gguf {
namespace {

using io::Json;

struct Fact {
  std::string_view name;    // name in the config
  std::string_view suffix;  // part of the key after the architecture
};

constexpr std::string_view kTemperature = "attention.temperature_scale";
constexpr std::string_view kKeyHeads = "attention.head_count_kv";
constexpr std::string_view kLocalLayers = "attention.sliding_window_pattern";
constexpr std::array<std::string_view, 2> kEpsilons = {"attention.layer_norm_rms_epsilon",
                                                       "attention.layer_norm_epsilon"};

constexpr auto kFacts = std::to_array<Fact>({{"n_embd", "embedding_length"},
                                             {"n_layers", "block_count"},
                                             {"n_heads", "attention.head_count"},
                                             {"n_kv_heads", kKeyHeads},
                                             {"head_dim", "attention.key_length"},
                                             {"n_ff", "feed_forward_length"},
                                             {"max_seq_len", "context_length"},
                                             {"norm_eps", kEpsilons[0]},
                                             {"norm_eps", kEpsilons[1]},
                                             {"rope_freq_base", "rope.freq_base"},
                                             {"sliding_window", "attention.sliding_window"},
                                             {"attn_softcap", "attn_logit_softcapping"},
                                             {"final_softcap", "final_logit_softcapping"},
                                             {"attn_scale", "attention.scale"},
                                             {"embed_scale", "embedding_scale"},
                                             {"residual_scale", "residual_scale"},
                                             {"sliding_window_pattern", kLocalLayers},
                                             {"rope_local_freq_base", "rope.freq_base_swa"},
                                             {"parallel_residual", "use_parallel_residual"},
                                             {"attn_temperature_scale", kTemperature},
                                             {"conv_taps", "shortconv.l_cache"},
                                             {"n_experts", "expert_count"},
                                             {"n_experts_used", "expert_used_count"},
                                             {"n_ff_expert", "expert_feed_forward_length"},
                                             {"n_dense_layers", "leading_dense_block_count"},
                                             {"n_expert_groups", "expert_group_count"},
                                             {"expert_gating_func", "expert_gating_func"},
                                             {"expert_scale", "expert_weights_scale"}});

bool has_tensor(const model::Model& model, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(model.tensors, [&](const model::TensorEntry& tensor) {
    return std::ranges::find(names, tensor.name) != names.end();
  });
}

// Whether the layers of this architecture may be of several kinds. Files state 0 for what a layer
// does not have.
bool is_hybrid(std::string_view name) {
  const GgufArchitecture* known = find_gguf_architecture(name);
  const auto architecture = model::find_architecture(known == nullptr ? "" : known->other);
  return architecture && model::architecture_defaults(*architecture).layer_kinds !=
                             model::kinds_of({model::LayerKind::Attention});
}

// Converters change the weights of some architectures: query and key rows of the llama family are
// permuted for interleaved rotation, gemma's norms include their 1, gpt2's matrices are transposed,
// and gpt_neox's fused matrices have all queries first.
void add_conventions(std::string_view architecture, Json& config) {
  const GgufArchitecture* known = find_gguf_architecture(architecture);
  if (known != nullptr && std::ranges::any_of(known->names, &GgufName::permuted)) {
    config.set("rope_style", "interleaved");
  }
  if (architecture.starts_with("gemma")) config.set("norm_offset", 0);
  if (architecture == "gptneox") config.set("qkv_per_head", false);
  config.set("linear_layout", "out_in");
}

// Granite's logits are divided by what the file calls their scale.
void add_logit_scale(const model::Model& model, Json& config) {
  const Json* scale = architecture_value(model, "logit_scale");
  if (scale == nullptr || !scale->is_number() || scale->number() == 0) return;
  config.set("logit_scale", 1 / scale->number());
}

// What the first files of MiniCPM do not state.
void add_minicpm_scales(Json& config) {
  const Json* layers = config.find("n_layers");
  const Json* width = config.find("n_embd");
  if (layers == nullptr || width == nullptr || !layers->is_uint() || !width->is_uint() ||
      layers->uint() == 0 || width->uint() == 0) {
    return;
  }
  const auto add = [&](std::string_view name, double usual) {
    if (config.find(name) == nullptr) config.set(name, usual);
  };
  add("embed_scale", 12);
  add("residual_scale", 1.4 / std::sqrt(static_cast<double>(layers->uint())));
  add("logit_scale", 256 / static_cast<double>(width->uint()));
}

// llama.cpp takes the original length of a model for the one of its temperature.
void add_temperature(const model::Model& model, Json& config) {
  if (config.find("attn_temperature_scale") == nullptr) return;
  const Json* length = architecture_value(model, "rope.scaling.original_context_length");
  if (length == nullptr) length = config.find("max_seq_len");
  if (length != nullptr) config.set("attn_temperature_length", *length);
}

// The keys of xIELU's parameters have no architecture.
void add_xielu(const model::Model& model, Json& config) {
  Json lists = Json::object();
  for (const std::string_view name : {"alpha_p", "alpha_n", "beta", "eps"}) {
    const Json* list = model.metadata.find(concat({"xielu.", name}));
    if (list != nullptr) lists.set(name, *list);
  }
  config.set("xielu", std::move(lists));
}

// Exaones of 64 layers have windows without saying so.
void add_exaone4_layers(Json& config) {
  const Json* layers = config.find("n_layers");
  if (layers == nullptr || !layers->is_uint()) return;
  if (config.find("sliding_window") == nullptr && layers->uint() == 64) {
    config.set("sliding_window", 4096U);
  }
  const bool has_pattern =
      config.find("layer_types") != nullptr || config.find("sliding_window_pattern") != nullptr;
  if (config.find("sliding_window") != nullptr && !has_pattern) {
    config.set("sliding_window_pattern", 4U);
  }
}

// llama.cpp always normalizes the weights of a token's experts in a qwen3moe, whatever the file
// says, and takes the width of all experts together where that of one is not stated.
void add_qwen3moe_facts(Json& config) {
  config.set("norm_topk_prob", true);
  const Json* width = config.find("n_ff");
  const Json* used = config.find("n_experts_used");
  if (config.find("n_ff_expert") != nullptr || width == nullptr || used == nullptr ||
      !width->is_uint() || !used->is_uint() || used->uint() == 0) {
    return;
  }
  config.set("n_ff_expert", width->uint() / used->uint());
}

// The part that all tokens take has a width of its own. A granitehybrid with experts states the
// width of an expert as that of others states the whole layer's, and llama.cpp takes the width of
// all experts of a token together where that of one is not stated.
void add_shared_width(const model::Model& model, std::string_view architecture, Json& config) {
  const bool is_granite = architecture == kGraniteHybrid;
  if (!is_granite && architecture != "qwen2moe" && architecture != kGatedDeltaExperts) return;
  const Json* experts = config.find("n_experts");
  const Json* width = config.find("n_ff");
  const Json* used = config.find("n_experts_used");
  if (experts == nullptr || width == nullptr || used == nullptr || !experts->is_uint() ||
      !width->is_uint() || !used->is_uint() || experts->uint() == 0 || used->uint() == 0) {
    return;
  }
  if (config.find("n_ff_expert") == nullptr) {
    config.set("n_ff_expert", is_granite ? width->uint() : width->uint() / used->uint());
  }
  const Json* shared = architecture_value(model, kSharedWidth);
  if (shared != nullptr) config.set("n_ff", *shared);
}

// What only some architectures have.
void add_special_facts(const model::Model& model, std::string_view architecture, Json& config) {
  if (architecture == "minicpm") add_minicpm_scales(config);
  if (architecture == "apertus") add_xielu(model, config);
  if (architecture == "exaone4") add_exaone4_layers(config);
  if (architecture.starts_with(kGatedDelta)) add_gated_delta_facts(model, config);
  if (architecture == "qwen3moe") add_qwen3moe_facts(config);
  add_shared_width(model, architecture, config);
  add_gemma_facts(model, architecture, config);
  // Granite's switch for the rotation.
  const Json* rotates = architecture_value(model, "rope.scaling.finetuned");
  if (architecture.starts_with("granite") && rotates != nullptr && rotates->is_bool()) {
    config.set("is_rope", rotates->boolean());
  }
}

// A list of which layers have the window, or a number (a fact above).
void add_local_layers(const model::Model& model, Json& config) {
  const Json* pattern = architecture_value(model, kLocalLayers);
  if (pattern == nullptr || pattern->is_number()) return;
  if (!pattern->is_array()) {
    config.set("layer_types", *pattern);  // too long to be read; refused where it is used
    return;
  }
  Json types = Json::array();
  for (const Json& local : pattern->items()) {
    const bool is_local = local.is_bool() ? local.boolean() : local.is_uint() && local.uint() != 0;
    types.append(is_local ? "sliding_attention" : "full_attention");
  }
  config.set("layer_types", std::move(types));
}

// What the layers of a hybrid model are: those without heads of keys do not attend.
void add_layer_kinds(const model::Model& model, std::string_view architecture, Json& config) {
  constexpr auto kOtherTypes = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"lfm2", "conv"}, {"lfm2moe", "conv"}});
  const auto* other = std::ranges::find(kOtherTypes, architecture,
                                        &std::pair<std::string_view, std::string_view>::first);
  const Json* heads = architecture_value(model, kKeyHeads);
  if (other == kOtherTypes.end() || heads == nullptr) return;
  const Json* layers = config.find("n_layers");
  const Json* window = config.find("sliding_window");
  const bool is_local = window != nullptr && window->is_uint() && window->uint() > 0;
  uint64_t n = layers != nullptr && layers->is_uint() ? std::min<uint64_t>(layers->uint(), 512) : 0;
  if (heads->is_array()) n = heads->items().size();
  Json types = Json::array();
  for (size_t i = 0; i < n; ++i) {
    const Json& count = heads->is_array() ? heads->items()[i] : *heads;
    const bool attends = !count.is_uint() || count.uint() != 0;
    types.append(!attends ? other->second : is_local ? "sliding_attention" : "full_attention");
  }
  config.set("layer_types", std::move(types));
}

// The largest gemma2 (46 layers) and gemma3 (62) divide their scores by √(width / heads) and not by
// √head_dim, which their files do not say.
void add_attention_scale(std::string_view architecture, Json& config) {
  const Json* layers = config.find("n_layers");
  const Json* width = config.find("n_embd");
  const Json* heads = config.find("n_heads");
  const uint64_t largest = architecture == "gemma2" ? 46 : architecture == "gemma3" ? 62 : 0;
  if (largest == 0 || config.find("attn_scale") != nullptr || layers == nullptr ||
      width == nullptr || heads == nullptr || !layers->is_uint() || !width->is_uint() ||
      !heads->is_uint() || layers->uint() != largest || width->uint() == 0) {
    return;
  }
  const double share = static_cast<double>(width->uint()) / static_cast<double>(heads->uint());
  config.set("attn_scale", 1 / std::sqrt(share));
}

void add_tensor_facts(const model::Model& model, Json& config) {
  if (model.tensors.empty()) return;
  config.set("tie_word_embeddings", !has_tensor(model, {"output.weight"}));
  config.set("attn_bias", has_tensor(model, {"blk.0.attn_q.bias", "blk.0.attn_qkv.bias"}));
  config.set("mlp_bias", has_tensor(model, {"blk.0.ffn_up.bias"}));
}

}  // namespace

const Json* value_of_layers(const Json& value, bool skips_zeros) {
  if (!value.is_array()) return &value;
  const Json* first = nullptr;
  for (const Json& item : value.items()) {
    if (skips_zeros && item.is_uint() && item.uint() == 0) continue;
    if (first == nullptr) first = &item;
    if (item.dump() != first->dump()) return nullptr;
  }
  return first;
}

Result<void> check_layer_facts(const model::Model& model) {
  const std::string architecture(
      model::metadata_text(model.metadata, kArchitectureKey).value_or(""));
  AMBRY_RETURN_IF_ERROR(check_gemma_facts(model));
  const Json* layers = architecture_value(model, "block_count");
  for (const Fact& fact : kFacts) {
    const Json* value = architecture_value(model, fact.suffix);
    const bool is_list = value != nullptr && (value->is_array() || value->is_object());
    if (!is_list || fact.suffix == kLocalLayers) continue;
    const auto refuse = [&](ErrorCode code, const Text& message) {
      return model::metadata_error(model.metadata, concat({architecture, ".", fact.suffix}), code,
                                   message);
    };
    if (value->is_object())
      return refuse(ErrorCode::LimitExceeded, "a list of more than 64 values");
    const size_t n = value->items().size();
    if (layers != nullptr && layers->is_uint() && layers->uint() != n) {
      return refuse(ErrorCode::Mismatch, {n, " values for ", layers->uint(), " layers"});
    }
    if (value_of_layers(*value, is_hybrid(architecture)) == nullptr &&
        !may_differ_by_layer(architecture, fact.suffix)) {
      return refuse(ErrorCode::Unsupported,
                    {value->dump(), " differs by layer, which is not supported"});
    }
  }
  const bool has_epsilon = std::ranges::any_of(kEpsilons, [&](std::string_view suffix) {
    return architecture_value(model, suffix) != nullptr;
  });
  if (has_epsilon) return {};
  return make_error(ErrorCode::NotFound, {"metadata.", architecture, ".", kEpsilons.front()},
                    "the file does not state the epsilon of its norms");
}

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
  if (name == "reranker.prompt") return "metadata.tokenizer.chat_template.rerank";
  if (name == "embedding.pooling" || name == "reranker")
    return concat({"metadata.", architecture, ".pooling_type"});
  if (name == "bidirectional_attention") {
    return concat({"metadata.", architecture, ".attention.causal"});
  }
  if (name == "n_vocab") return concat({"metadata.", architecture, ".vocab_size"});
  if (name == "partial_rotary_factor") {
    return concat({"metadata.", architecture, ".rope.dimension_count"});
  }
  const auto* delta = std::ranges::find(kDeltaFacts, name, &DeltaFact::name);
  if (architecture.starts_with(kGatedDelta) && delta != kDeltaFacts.end()) {
    return concat({"metadata.", architecture, ".", delta->suffix});
  }
  const std::string_view space = first == nullptr ? state_space_key(name) : std::string_view();
  if (!space.empty()) return concat({"metadata.", architecture, ".", space});
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
  const bool skips_zeros = is_hybrid(architecture->string());
  for (const Fact& fact : kFacts) {
    // Values that differ by layer have no place in the config (check_layer_facts).
    const Json* stated = architecture_value(model, fact.suffix);
    const Json* value = stated == nullptr ? nullptr : value_of_layers(*stated, skips_zeros);
    const bool is_list = stated != value;
    if (is_list && fact.suffix == kLocalLayers) continue;
    if (value != nullptr && (value->is_number() || value->is_bool())) config.set(fact.name, *value);
  }
  add_rotation(model, config);
  add_scaling(model, config);
  add_logit_scale(model, config);
  add_temperature(model, config);
  add_local_layers(model, config);
  add_layer_kinds(model, architecture->string(), config);
  add_special_facts(model, architecture->string(), config);
  add_state_spaces(model, architecture->string(), config);
  add_attention_scale(architecture->string(), config);
  add_conventions(architecture->string(), config);
  const GgufArchitecture* const known = find_checked_architecture(architecture->string());
  if (known == nullptr || !known->is_encoder) add_embedding(model, architecture->string(), config);
  add_tensor_facts(model, config);
  return config;
}

}  // namespace ambry::formats::gguf
