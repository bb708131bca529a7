#include "formats/huggingface/config/encoders/newer_sources.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using model::EncoderConfig;
using model::EncoderFacts;

// Distances with embeddings of their own: far above any real model.
constexpr uint32_t kMaxSpan = 1 << 16;

// Whether a class in `auto_map` comes from this repository.
bool has_code_of(const FileValues& values, std::string_view repository) {
  const Json* map = values.json().find("auto_map");
  if (map == nullptr || !map->is_object()) return false;
  return std::ranges::any_of(map->members(), [&](const auto& entry) {
    return entry.second.is_string() && entry.second.string().find(repository) != std::string::npos;
  });
}

// A number that may be -1 for "none", which becomes 0.
Result<uint32_t> count_of(const FileValues& values, const char* key) {
  double number = -1;
  AMBRY_RETURN_IF_ERROR(values.read({{key, number}}));
  if (number > UINT32_MAX) return values.fail(key, ErrorCode::BadValue, "is too large");
  return number < 1 ? 0 : static_cast<uint32_t>(number);
}

// The words of a list, or of a text with bars between them.
std::vector<std::string> words_of(const Json* value) {
  std::vector<std::string> words;
  if (value != nullptr && value->is_array()) {
    for (const Json& item : value->items()) words.push_back(item.is_string() ? item.string() : "");
  } else if (value != nullptr && value->is_string()) {
    std::string_view rest = value->string();
    while (!rest.empty()) {
      const size_t bar = std::min(rest.find('|'), rest.size());
      words.emplace_back(rest.substr(0, bar));
      rest.remove_prefix(std::min(bar + 1, rest.size()));
    }
  }
  return words;
}

Failure unknown_word(const FileValues& values, const char* key, std::string_view word,
                     std::string_view known) {
  return values.fail(key, ErrorCode::Unsupported, {"\"", word, "\" is not supported; ", known});
}

Result<void> check_distances(const FileValues& values, const char* key, const EncoderFacts& facts) {
  const char* fault = facts.distances_fault();
  return fault == nullptr ? Result<void>() : values.fail(key, ErrorCode::BadValue, fault);
}

// The newer form of the two bases: one object a kind of layer.
Result<void> read_rope_parameters(const FileValues& values, EncoderFacts& facts) {
  const Json* all = values.json().find("rope_parameters");
  if (all == nullptr || all->is_null()) return {};
  struct Base {
    const char* key;
    double& theta;
  };
  for (const auto& [key, theta] : {Base{"full_attention", facts.rope_theta},
                                   Base{"sliding_attention", facts.local_rope_theta}}) {
    const Json* one = all->find(key);
    if (one == nullptr) continue;
    const Json* type = one->find("rope_type");
    if (type != nullptr && !(type->is_string() && type->string() == "default")) {
      return values.fail("rope_parameters", ErrorCode::Unsupported,
                         {"the rope_type of ", key, " is not \"default\""});
    }
    const Json* base = one->find("rope_theta");
    if (base == nullptr) continue;
    if (!base->is_number() || !(base->number() >= 1)) {
      return values.fail("rope_parameters", ErrorCode::BadValue,
                         {"the rope_theta of ", key, " must be at least 1"});
    }
    theta = base->number();
  }
  return {};
}

}  // namespace

bool is_jina_bert(const FileValues& values) {
  return has_code_of(values, "jina-bert") || values.text("position_embedding_type") == "alibi";
}

bool is_jina_bert_qk_norm(const FileValues& values) { return has_code_of(values, "qk-post-norm"); }

bool is_jina_v3(const FileValues& values) {
  return has_code_of(values, "xlm-roberta-flash") ||
         values.text("position_embedding_type") == "rotary";
}

Result<void> read_modernbert(const FileValues& values, EncoderConfig& config) {
  const Json* scaling = values.json().find("rope_scaling");
  if (scaling != nullptr && !scaling->is_null()) {
    return values.fail("rope_scaling", ErrorCode::Unsupported, "is not supported for ModernBERT");
  }
  AMBRY_RETURN_IF_ERROR(read_rope_parameters(values, config.facts));
  const std::vector<std::string> types = words_of(values.json().find("layer_types"));
  for (uint32_t i = 0; i < types.size(); ++i) {
    const std::string_view usual =
        config.facts.is_local(i) ? "sliding_attention" : "full_attention";
    if (types[i] == usual) continue;
    return values.fail("layer_types", ErrorCode::Unsupported,
                       {"layer ", i, " is \"", types[i],
                        "\", which does not follow from global_attn_every_n_layers"});
  }
  return {};
}

Result<void> read_gte(const FileValues& values, EncoderConfig& config) {
  const Json* scaling = values.json().find("rope_scaling");
  if (scaling == nullptr || scaling->is_null()) return {};
  const Json* type = scaling->find("type");
  if (type == nullptr || !type->is_string() || type->string() != "ntk") {
    return values.fail("rope_scaling", ErrorCode::Unsupported, "its type is not \"ntk\"");
  }
  const Json* mixed = scaling->find("mixed_b");
  if (mixed != nullptr && !mixed->is_null()) {
    return values.fail("rope_scaling", ErrorCode::Unsupported, "mixed_b is not supported");
  }
  const Json* factor = scaling->find("factor");
  if (factor == nullptr || !factor->is_number() ||
      !(factor->number() >= 1 && factor->number() <= 1e6)) {
    return values.fail("rope_scaling", ErrorCode::BadValue, "its factor must be from 1 to 1000000");
  }
  config.facts.rope_ntk_factor = factor->number();
  return {};
}

Result<void> read_jina_bert(const FileValues& values, EncoderConfig& config) {
  const std::string type = values.text("feed_forward_type");
  if (type != "geglu" && type != "reglu") {
    return unknown_word(values, "feed_forward_type", type, "geglu and reglu are");
  }
  config.hidden_act = type == "geglu" ? "gelu" : "relu";
  return {};
}

Result<void> read_deberta(const FileValues& values, EncoderConfig& config) {
  bool relative = false;
  bool biased = true;
  uint32_t embedding = config.hidden_size;
  uint32_t head = config.num_heads > 0 ? config.hidden_size / config.num_heads : 0;
  const uint32_t usual_head = head;
  AMBRY_RETURN_IF_ERROR(values.read({{"relative_attention", relative},
                                     {"position_biased_input", biased},
                                     {"embedding_size", embedding},
                                     {"attention_head_size", head}}));
  if (!relative) {
    return values.fail("relative_attention", ErrorCode::Unsupported, "must be true");
  }
  if (biased) {
    return values.fail("position_biased_input", ErrorCode::Unsupported, "must be false");
  }
  if (embedding != config.hidden_size) {
    return values.fail("embedding_size", ErrorCode::Unsupported, "differs from hidden_size");
  }
  if (head != usual_head) {
    return values.fail("attention_head_size", ErrorCode::Unsupported,
                       "differs from hidden_size / num_attention_heads");
  }
  EncoderFacts& facts = config.facts;
  AMBRY_TRY(facts.relative_buckets, count_of(values, "position_buckets"));
  AMBRY_TRY(facts.max_distance, count_of(values, "max_relative_positions"));
  if (facts.max_distance == 0) facts.max_distance = config.max_positions;
  if (facts.relative_span() > kMaxSpan) {
    return values.fail(facts.relative_buckets > 0 ? "position_buckets" : "max_relative_positions",
                       ErrorCode::BadValue, {"must be at most ", kMaxSpan});
  }
  for (const std::string& word : words_of(values.json().find("pos_att_type"))) {
    bool* fact = word == "c2p"   ? &facts.content_to_position
                 : word == "p2c" ? &facts.position_to_content
                                 : nullptr;
    if (fact == nullptr) return unknown_word(values, "pos_att_type", word, "c2p and p2c are");
    *fact = true;
  }
  for (const std::string& word : words_of(values.json().find("norm_rel_ebd"))) {
    if (word == "none") continue;
    if (word != "layer_norm") {
      return unknown_word(values, "norm_rel_ebd", word, "none and layer_norm are");
    }
    facts.relative_norm = true;
  }
  const bool few = facts.relative_buckets > 0 && facts.relative_buckets < 4;
  return check_distances(values, few ? "position_buckets" : "max_relative_positions", facts);
}

Result<void> read_t5(const FileValues& values, EncoderConfig& config) {
  const std::string stated = values.text("feed_forward_proj");
  std::string_view act = stated.empty() ? "relu" : std::string_view(stated);
  config.facts.gated = act.starts_with("gated-");
  if (config.facts.gated) act.remove_prefix(6);
  // Only the gated form means the approximation.
  if (config.facts.gated && act == "gelu") act = "gelu_new";
  if (act != "relu" && act != "gelu" && act != "gelu_new" &&
      !(config.facts.gated && act == "silu")) {
    return unknown_word(values, "feed_forward_proj", stated,
                        "relu, gelu, gated-gelu, gated-relu and gated-silu are");
  }
  config.hidden_act = act;
  return check_distances(values, "relative_attention_max_distance", config.facts);
}

}  // namespace ambry::formats::huggingface
