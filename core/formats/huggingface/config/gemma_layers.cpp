#include "formats/huggingface/config/gemma_layers.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;

constexpr std::string_view kGemma3n = "gemma3n";
constexpr std::string_view kGemma4 = "gemma4";
constexpr std::string_view kGemmaFile = "config.json";
// More than any model has. Keeps a hostile value from growing a list.
constexpr uint64_t kMostGemmaLayers = 512;
// The standard deviations above the mean under which 95 % of a normal distribution lie.
constexpr double kDeviations = 1.6448534;
constexpr double kSparseShare = 0.95;

struct UsualNumber {
  std::string_view name;    // AMB's key
  std::string_view stated;  // the library's key
  uint32_t value;
};

class GemmaReader {
 public:
  GemmaReader(const Json& stated, Json& config) : stated_(stated), config_(config) {
    const Json* layers = stated.find("num_hidden_layers");
    const bool counts =
        layers != nullptr && layers->is_uint() && layers->uint() <= kMostGemmaLayers;
    n_layers_ = counts ? static_cast<size_t>(layers->uint()) : 0;
  }

  Result<void> read_both();
  Result<void> read_gemma3n();
  Result<void> read_gemma4();

 private:
  [[nodiscard]] Failure refuse(const char* key, const Text& message) const {
    return model::metadata_error(stated_, key, ErrorCode::Unsupported, message, kGemmaFile);
  }
  // Adds a key if the file states it or the library has a value. Null is a value.
  void add(const UsualNumber& usual) {
    const Json* value = stated_.find(usual.stated);
    config_.set(usual.name, value != nullptr ? *value : Json(usual.value));
  }
  void add_base(std::string_view name, uint32_t usual) {
    if (!model::has_value(config_, name)) config_.set(name, usual);
  }
  [[nodiscard]] uint64_t number_of(std::string_view name) const {
    const Json* value = config_.find(name);
    return value != nullptr && value->is_uint() ? value->uint() : 0;
  }
  // A switch of the file that must be in this position.
  [[nodiscard]] Result<void> expect(const char* key, const Json& usual) const {
    const Json* value = stated_.find(key);
    if (value == nullptr || value->is_null() || value->dump() == usual.dump()) return {};
    return refuse(key, {value->dump(), ", but only ", usual.dump(), " is supported"});
  }
  Result<void> read_widths();
  Result<void> read_experts();
  Result<void> read_sparsity();
  Result<void> read_rotation();
  Result<void> read_global_heads();
  Result<void> read_overrides(const Json& overrides);
  void end_with_whole_context();

  const Json& stated_;
  Json& config_;
  size_t n_layers_ = 0;
};

Result<void> GemmaReader::read_both() {
  for (const UsualNumber& usual :
       {UsualNumber{"n_embd_per_layer", "hidden_size_per_layer_input", 256},
        UsualNumber{"n_vocab_per_layer", "vocab_size_per_layer_input", 262'144},
        UsualNumber{"sliding_window", "sliding_window", 512},
        UsualNumber{"head_dim", "head_dim", 256}}) {
    add(usual);
  }
  config_.set("attn_scale", Json());  // the library scales no scores, whatever the file states
  AMBRY_RETURN_IF_ERROR(read_rotation());
  return read_widths();
}

// One width for all layers, or a list in which only the layers at the end that share keys have
// another.
Result<void> GemmaReader::read_widths() {
  constexpr const char* kWidths = "intermediate_size";
  const Json* list = stated_.find(kWidths);
  if (list == nullptr || !list->is_array()) return {};
  const std::vector<Json>& widths = list->items();
  const uint64_t n_shared = number_of("n_shared_kv_layers");
  const auto first =
      static_cast<size_t>(widths.size() - std::min<uint64_t>(n_shared, widths.size()));
  const auto alike = [&](size_t from, size_t to) {
    return std::all_of(widths.begin() + static_cast<std::ptrdiff_t>(from),
                       widths.begin() + static_cast<std::ptrdiff_t>(to),
                       [&](const Json& width) { return width.dump() == widths[from].dump(); });
  };
  if (widths.size() != n_layers_ || widths.empty() || !alike(0, first) ||
      (first < widths.size() && !alike(first, widths.size()))) {
    return refuse(kWidths,
                  "expected a number, or a list with a number for each layer of which only those "
                  "of the last num_kv_shared_layers may differ from the others");
  }
  config_.set("n_ff", widths.front());
  if (widths.back().dump() != widths.front().dump()) config_.set("shared_ff", widths.back());
  return {};
}

// Newer files state the rotation of both kinds of layers in one object, which others have read.
Result<void> GemmaReader::read_rotation() {
  add_base("rope_freq_base", 1'000'000);
  add_base("rope_local_freq_base", 10'000);
  const Json* scaling = config_.find("rope_scaling");
  if (scaling == nullptr || model::metadata_text(*scaling, "rope_type") != "proportional")
    return {};
  const Json* factor = scaling->find("factor");
  if (factor != nullptr && factor->is_number() && factor->number() != 1) {
    return refuse("rope_parameters", "a proportional rotation with a factor is not supported");
  }
  const Json* share = scaling->find("partial_rotary_factor");
  if (share != nullptr) config_.set("global_rotary_factor", *share);
  config_.set("rope_scaling", Json());
  return {};
}

Result<void> GemmaReader::read_gemma3n() {
  for (const UsualNumber& usual : {UsualNumber{"n_shared_kv_layers", "num_kv_shared_layers", 15},
                                   UsualNumber{"n_streams", "altup_num_inputs", 4},
                                   UsualNumber{"laurel_rank", "laurel_rank", 64},
                                   UsualNumber{"final_softcap", "final_logit_softcapping", 30}}) {
    add(usual);
  }
  AMBRY_RETURN_IF_ERROR(expect("altup_active_idx", 0U));
  AMBRY_RETURN_IF_ERROR(expect("altup_correct_scale", true));
  AMBRY_RETURN_IF_ERROR(read_both());
  return read_sparsity();
}

// A share of each layer's gates that are 0, or one for all layers.
Result<void> GemmaReader::read_sparsity() {
  constexpr const char* kShares = "activation_sparsity_pattern";
  constexpr size_t kUsualSparse = 10;
  const Json* shares = stated_.find(kShares);
  Json list = Json::array();
  for (size_t layer = 0; layer < n_layers_; ++layer) {
    double share = layer < kUsualSparse && n_layers_ > kUsualSparse ? kSparseShare : 0;
    if (shares != nullptr && !shares->is_null()) {
      const bool whole = shares->is_array() && shares->items().size() == n_layers_;
      const Json* stated = shares->is_array() ? nullptr : shares;
      if (whole) stated = &shares->items()[layer];
      if (stated == nullptr || !stated->is_number()) {
        return refuse(kShares, {"expected a number, or a list of ", n_layers_});
      }
      share = stated->number();
    }
    if (share != 0 && share != kSparseShare) {
      return refuse(kShares, {"layer ", layer, ": only 0.95 and 0 are supported"});
    }
    list.append(share == 0 ? Json() : Json(kDeviations));
  }
  config_.set("activation_sparsity", std::move(list));
  return {};
}

Result<void> GemmaReader::read_gemma4() {
  add({"n_shared_kv_layers", "num_kv_shared_layers", 0});
  AMBRY_RETURN_IF_ERROR(read_experts());
  // Pictures see themselves as a whole; text does not.
  const auto both_ways = model::metadata_text(stated_, "use_bidirectional_attention");
  if (both_ways && *both_ways != "vision") {
    return refuse("use_bidirectional_attention", {"\"", *both_ways, "\" is not supported"});
  }
  const bool states_rotation = model::has_value(stated_, "rope_parameters");
  if (!states_rotation) config_.set("global_rotary_factor", 0.25);
  AMBRY_RETURN_IF_ERROR(read_both());
  const Json* wide = stated_.find("use_double_wide_mlp");
  if (wide != nullptr && wide->is_bool() && wide->boolean() && number_of("n_ff") > 0 &&
      number_of("n_shared_kv_layers") > 0) {
    config_.set("shared_ff", 2 * number_of("n_ff"));
  }
  end_with_whole_context();
  return read_global_heads();
}

// Numbers of experts count with this switch only.
Result<void> GemmaReader::read_experts() {
  const Json* on = stated_.find("enable_moe_block");
  if (on == nullptr || !on->is_bool() || !on->boolean()) {
    if (number_of("n_experts") <= 1) return {};
    return refuse("num_experts", "stated, but enable_moe_block is not turned on");
  }
  const Json* used = stated_.find("top_k_experts");
  if (used != nullptr) config_.set("n_experts_used", *used);
  if (number_of("n_experts") > 0 && number_of("n_ff_expert") > 0) return {};
  return refuse("enable_moe_block",
                "turned on, but num_experts or moe_intermediate_size is not stated");
}

// The library makes the last layer see all.
void GemmaReader::end_with_whole_context() {
  const Json* stated = config_.find("layer_types");
  constexpr size_t kPattern = 6;
  Json types = Json::array();
  for (size_t layer = 0; layer < n_layers_; ++layer) {
    const bool lists = stated != nullptr && stated->is_array() && layer < stated->items().size();
    const bool global = (layer + 1) % kPattern == 0;
    types.append(layer + 1 == n_layers_ ? Json("full_attention")
                 : lists                ? stated->items()[layer]
                                        : Json(global ? "full_attention" : "sliding_attention"));
  }
  const bool fits = stated == nullptr || stated->is_null() ||
                    (stated->is_array() && stated->items().size() == n_layers_);
  if (fits && n_layers_ > 0) config_.set("layer_types", std::move(types));
}

Result<void> GemmaReader::read_global_heads() {
  const Json* shared = stated_.find("attention_k_eq_v");
  const bool key_is_value = shared != nullptr && shared->is_bool() && shared->boolean();
  config_.set("key_is_value", key_is_value);
  const Json* overrides = stated_.find("per_layer_config");
  if (overrides != nullptr && overrides->is_object()) return read_overrides(*overrides);
  add({"global_head_dim", "global_head_dim", 512});
  const Json* heads = stated_.find("num_global_key_value_heads");
  if (key_is_value && heads != nullptr) config_.set("global_kv_heads", *heads);
  return {};
}

// The newest files state the sizes of heads for each layer that sees all.
Result<void> GemmaReader::read_overrides(const Json& overrides) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kSizes = {
      {{"head_dim", "global_head_dim"}, {"num_key_value_heads", "global_kv_heads"}}};
  constexpr const char* kKey = "per_layer_config";
  const Json* types = config_.find("layer_types");
  for (size_t layer = 0; layer < n_layers_; ++layer) {
    const Json& type = types->items()[layer];
    const bool global = type.is_string() && type.string() == "full_attention";
    const Json* sizes = overrides.find(std::to_string(layer));
    if (global != (sizes != nullptr && sizes->is_object())) {
      return refuse(kKey, {"layer ", layer,
                           ": only all layers that see the whole context may have "
                           "sizes of their own"});
    }
    for (const auto& [stated, name] : kSizes) {
      const Json* size = sizes == nullptr ? nullptr : sizes->find(stated);
      if (size == nullptr) continue;
      const Json* before = config_.find(name);
      if (before != nullptr && before->dump() != size->dump()) {
        return refuse(kKey, {"layer ", layer, ": another ", stated, " than the layers before it"});
      }
      config_.set(name, *size);
    }
  }
  return {};
}

}  // namespace

bool has_gemma_layers(std::string_view model_type) {
  if (model_type.ends_with("_text")) model_type.remove_suffix(5);
  return model_type == kGemma3n || model_type == kGemma4;
}

Result<void> read_gemma_layers(std::string_view model_type, const Json& stated, Json& config) {
  GemmaReader reader(stated, config);
  return model_type.starts_with(kGemma3n) ? reader.read_gemma3n() : reader.read_gemma4();
}

}  // namespace ambry::formats::huggingface
