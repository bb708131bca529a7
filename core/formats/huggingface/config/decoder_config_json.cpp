#include "formats/huggingface/config/decoder_config_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "base/concat.h"
#include "formats/huggingface/config/decoder_keys.h"
#include "formats/huggingface/config/encoders/encoder_sources.h"
#include "formats/huggingface/config/fields/stated_quantization.h"
#include "formats/huggingface/config/fields/task_class.h"
#include "formats/huggingface/config/heads/reranker_settings.h"
#include "formats/huggingface/config/known_decoders.h"
#include "formats/huggingface/config/nearest_way.h"
#include "formats/huggingface/config/newer_decoders.h"
#include "formats/huggingface/modules/embedding_modules.h"
#include "formats/huggingface/side_files/file_values.h"
#include "model/decoder/architectures/architecture.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using Architecture = KnownDecoder;

constexpr std::string_view kFile = "config.json";
// More than any model has. Keeps a hostile value from growing a list.
constexpr uint64_t kMaxLayers = 512;

class ConfigReader {
 public:
  explicit ConfigReader(Json stated) { directory_.stated = std::move(stated); }

  Result<DecoderDirectory> read(std::string_view architecture);

 private:
  [[nodiscard]] const Json& stated() const { return directory_.stated; }
  void set(std::string_view key, Json value) { directory_.config.set(key, std::move(value)); }
  [[nodiscard]] bool flag(const Json& json, std::string_view key, bool fallback) const {
    const Json* value = json.find(key);
    return value != nullptr && value->is_bool() ? value->boolean() : fallback;
  }
  static Failure refuse(const Json& json, const char* key, const Text& message) {
    return model::metadata_error(json, key, ErrorCode::Unsupported, message, kFile);
  }
  Result<void> read_architecture(std::string_view given);
  Result<void> check_switches(const Json& json, std::span<const Switch> switches,
                              std::span<const char* const> foreign);
  void read_keys();
  void read_keys(std::span<const Key> keys);
  [[nodiscard]] bool has_experts() const;
  void read_scaling();
  void read_rope_of_layers(const Json& parameters);
  void read_window();
  Result<void> read_bidirectional();
  void read_gemma();
  void read_scales();
  void read_gptj();
  void read_falcon();
  Result<void> read_mpt();
  void read_name();

  const Architecture* architecture_ = nullptr;
  DecoderDirectory directory_;
};

Result<DecoderDirectory> ConfigReader::read(std::string_view architecture) {
  AMBRY_RETURN_IF_ERROR(read_architecture(architecture));
  AMBRY_RETURN_IF_ERROR(stated_quantization({std::string(kFile), stated()}));
  AMBRY_RETURN_IF_ERROR(check_switches(stated(), kSwitches, kForeignKeys));
  set("architecture", architecture_->name);
  read_keys();
  if (directory_.config.find("norm_eps") == nullptr) set("norm_eps", architecture_->norm_eps);
  set("tie_word_embeddings", flag(stated(), "tie_word_embeddings", architecture_->tied));
  read_scaling();
  read_window();
  read_scales();
  AMBRY_RETURN_IF_ERROR(read_bidirectional());
  if (architecture_->name.starts_with("gemma")) read_gemma();
  if (architecture_->name == "gptj") read_gptj();
  if (architecture_->name == "falcon") read_falcon();
  if (architecture_->name == "mpt") AMBRY_RETURN_IF_ERROR(read_mpt());
  if (architecture_->name == "phi2" && !model::has_value(stated(), "partial_rotary_factor")) {
    set("partial_rotary_factor", 0.5);
  }
  AMBRY_RETURN_IF_ERROR(read_newer_family(architecture_->model_type, stated(), directory_.config));
  read_name();
  return std::move(directory_);
}

Result<void> ConfigReader::read_architecture(std::string_view given) {
  const auto type = model::metadata_text(stated(), "model_type");
  const std::string_view wanted = given.empty() ? type.value_or("") : given;
  const auto known = std::ranges::find(kKnownDecoders, wanted, &Architecture::model_type);
  if (known != kKnownDecoders.end()) {
    architecture_ = &*known;
    return {};
  }
  if (!given.empty()) {
    return make_error(
        ErrorCode::Unsupported, "options.arch",
        {"the architecture \"", given, "\" is not supported; supported are ", decoder_types()});
  }
  if (!type) {
    return refuse(
        stated(), "model_type",
        {"the kind of model is not stated; state it as the option arch: ", decoder_types()});
  }
  if (is_encoder_type(*type)) {
    return refuse(stated(), "model_type",
                  {"\"", *type,
                   "\" is a sentence encoder and generates no text; convert it to embd "
                   "(ambry convert DIR model.weights)"});
  }
  return unknown_type({std::string(kFile), stated()}, *type);
}

Result<void> ConfigReader::check_switches(const Json& json, std::span<const Switch> switches,
                                          std::span<const char* const> foreign) {
  for (const auto& [key, usual] : switches) {
    if (flag(json, key, usual) != usual) {
      return refuse(json, key, {usual ? "turned off" : "turned on", ", which is not supported"});
    }
  }
  for (const char* key : foreign) {
    // A model without experts may say that it has 0, or 1.
    const Json* value = json.find(key);
    const bool counts = std::string_view(key).starts_with("num_");
    const bool is_none = value != nullptr && value->is_uint() && value->uint() <= 1 &&
                         std::string_view(key).ends_with("experts");
    if (model::has_value(json, key) && !is_none && !(counts && has_experts()))
      return refuse(json, key, "not supported");
  }
  return {};
}

bool ConfigReader::has_experts() const {
  // A granitemoehybrid may become a granite, which has none.
  auto architecture = model::find_architecture(architecture_->model_type);
  if (!architecture) architecture = model::find_architecture(architecture_->name);
  return architecture && model::architecture_defaults(*architecture).experts;
}

void ConfigReader::read_keys() {
  read_keys(kKeys);
  if (has_experts()) read_keys(kExpertKeys);
}

void ConfigReader::read_keys(std::span<const Key> keys) {
  const bool has_window = flag(stated(), "use_sliding_window", true);
  for (const Key& key : keys) {
    const std::string_view name = key.name;
    if (!has_window && (name == "sliding_window" || name == "layer_types")) continue;
    for (const char* other : key.others) {
      if (other == nullptr || !model::has_value(stated(), other)) continue;
      set(key.name, *stated().find(other));
      break;
    }
  }
}

// Newer files state the base and the scaling in one object.
void ConfigReader::read_scaling() {
  const Json* scaling = stated().find("rope_scaling");
  if (scaling == nullptr || !scaling->is_object()) scaling = stated().find("rope_parameters");
  if (scaling == nullptr || !scaling->is_object()) return;
  if (model::has_value(*scaling, "full_attention")) return read_rope_of_layers(*scaling);
  if (const Json* factor = scaling->find("partial_rotary_factor")) {
    set("partial_rotary_factor", *factor);
  }
  if (const Json* theta = scaling->find("rope_theta")) set("rope_freq_base", *theta);
  const auto type =
      model::metadata_text(*scaling, scaling->find("rope_type") != nullptr ? "rope_type" : "type");
  if (type == "default") return;
  Json own = *scaling;
  constexpr const char* kOriginal = "original_max_position_embeddings";
  if (own.find(kOriginal) == nullptr && model::has_value(stated(), kOriginal)) {
    own.set(kOriginal, *stated().find(kOriginal));
  }
  set("rope_scaling", std::move(own));
}

// The newest files state the rotation of layers with and without a window apart.
void ConfigReader::read_rope_of_layers(const Json& parameters) {
  const Json& full = *parameters.find("full_attention");
  if (!full.is_object()) return set("rope_scaling", full);  // refused where it is read
  if (const Json* theta = full.find("rope_theta")) set("rope_freq_base", *theta);
  if (model::metadata_text(full, "rope_type").value_or("default") != "default") {
    set("rope_scaling", full);
  }
  const Json* local = parameters.find("sliding_attention");
  if (local == nullptr || !local->is_object()) return;
  if (const Json* theta = local->find("rope_theta")) set("rope_local_freq_base", *theta);
}

// Qwen's window may begin at a certain layer.
void ConfigReader::read_window() {
  const Json* first = stated().find("max_window_layers");
  const Json* layers = stated().find("num_hidden_layers");
  if (directory_.config.find("sliding_window") == nullptr ||
      directory_.config.find("layer_types") != nullptr || first == nullptr || !first->is_uint() ||
      layers == nullptr || !layers->is_uint() || layers->uint() > kMaxLayers) {
    return;
  }
  Json types = Json::array();
  for (uint64_t layer = 0; layer < layers->uint(); ++layer) {
    types.append(layer >= first->uint() ? "sliding_attention" : "full_attention");
  }
  set("layer_types", std::move(types));
}

// Only gemma's code has the first switch, and halves a window. The second one is that of gte-Qwen2,
// and since transformers 5.2 of all models.
Result<void> ConfigReader::read_bidirectional() {
  constexpr const char* kKey = "use_bidirectional_attention";
  constexpr const char* kCausal = "is_causal";
  const bool of_gemma = flag(stated(), kKey, false);
  if (of_gemma && architecture_->name != "gemma3") {
    return refuse(stated(), kKey, "turned on, which is supported for gemma3_text only");
  }
  if (!of_gemma && flag(stated(), kCausal, true)) return {};
  if (!of_gemma && directory_.config.find("sliding_window") != nullptr) {
    return refuse(stated(), kCausal, "turned off, which is not supported in models with a window");
  }
  set("bidirectional_attention", true);
  return {};
}

// gemma's hidden_act is not used. hidden_activation counts, or else the approximation.
void ConfigReader::read_gemma() {
  const auto activation = model::metadata_text(stated(), "hidden_activation");
  set("activation_fn", activation.value_or("gelu_pytorch_tanh"));
}

// What a file states as a divisor, AMB states as a factor.
void ConfigReader::read_scales() {
  const Json* query = stated().find("query_pre_attn_scalar");
  if (query != nullptr && query->is_number() && query->number() > 0) {
    set("attn_scale", 1 / std::sqrt(query->number()));
  }
  const Json* logits = stated().find("logits_scaling");
  if (logits != nullptr && logits->is_number() && logits->number() != 0) {
    set("logit_scale", 1 / logits->number());
  }
}

// gptj states the number of rotated dimensions, and a feed-forward layer of usual width as null.
void ConfigReader::read_gptj() {
  const Json* rotated = stated().find("rotary_dim");
  const Json* width = stated().find("n_embd");
  const Json* heads = stated().find("n_head");
  if (width == nullptr || heads == nullptr || !width->is_uint() || !heads->is_uint() ||
      heads->uint() == 0 || width->uint() > UINT32_MAX || width->uint() < heads->uint()) {
    return;
  }
  if (rotated != nullptr && rotated->is_uint()) {
    const uint64_t head_dim = width->uint() / heads->uint();
    set("partial_rotary_factor",
        static_cast<double>(rotated->uint()) / static_cast<double>(head_dim));
  }
  if (!model::has_value(stated(), "n_inner")) set("n_ff", 4 * width->uint());
}

void ConfigReader::read_falcon() {
  const bool grouped = flag(stated(), "new_decoder_architecture", false);
  if (grouped && model::has_value(stated(), "num_kv_heads")) {
    set("n_kv_heads", *stated().find("num_kv_heads"));
  } else if (!grouped && flag(stated(), "multi_query", true)) {
    set("n_kv_heads", 1U);
  }
  set("parallel_residual", grouped || flag(stated(), "parallel_attn", true));
  const bool alibi = flag(stated(), "alibi", false);
  set("alibi", alibi);
  set("is_rope", !alibi);
}

Result<void> ConfigReader::read_mpt() {
  const Json* attention = stated().find("attn_config");
  const Json none = Json::object();
  const Json& own = attention != nullptr && attention->is_object() ? *attention : none;
  AMBRY_RETURN_IF_ERROR(check_switches(own, kMptSwitches, kMptForeignKeys));
  set("alibi", flag(own, "alibi", true));
  if (model::has_value(own, "kv_n_heads")) set("n_kv_heads", *own.find("kv_n_heads"));
  const Json* ratio = stated().find("expansion_ratio");
  const Json* width = stated().find("d_model");
  if (ratio != nullptr && ratio->is_uint() && width != nullptr && width->is_uint() &&
      ratio->uint() <= 64 && width->uint() <= UINT32_MAX) {
    set("n_ff", ratio->uint() * width->uint());
  }
  return {};
}

void add_warning(std::optional<Error> warning, DecoderDirectory& directory) {
  if (warning) directory.warnings.push_back(std::move(*warning));
}

void ConfigReader::read_name() {
  std::string name(model::metadata_text(stated(), "_name_or_path").value_or(""));
  while (name.ends_with('/')) name.pop_back();
  name.erase(0, name.find_last_of("/\\") + 1);
  directory_.model_name = name.empty() ? "model" : name;
}

}  // namespace

bool is_decoder_type(std::string_view model_type) {
  return std::ranges::find(kKnownDecoders, model_type, &Architecture::model_type) !=
         kKnownDecoders.end();
}

std::vector<std::string_view> decoder_type_names() {
  std::vector<std::string_view> names;
  names.reserve(kKnownDecoders.size());
  for (const Architecture& known : kKnownDecoders) names.push_back(known.model_type);
  return names;
}

std::vector<std::string_view> usual_decoder_type_names() {
  std::vector<std::string_view> names;
  for (const Architecture& known : kKnownDecoders) {
    const auto* first = std::ranges::find(kKnownDecoders, known.name, &Architecture::name);
    if (first == &known) names.push_back(known.model_type);
  }
  return names;
}

std::string decoder_types() { return comma_list(decoder_type_names()); }

Result<DecoderDirectory> read_decoder_config(const SideFiles& files,
                                             std::string_view architecture) {
  AMBRY_TRY(auto stated, read_json_file(files, kFile));
  if (!stated) {
    return make_error(ErrorCode::NotFound, kFile, "this file of the model's directory is missing");
  }
  AMBRY_TRY(Json text, text_part(std::move(*stated)));
  AMBRY_TRY(DecoderDirectory directory, ConfigReader(std::move(text)).read(architecture));
  const FileValues values(std::string(kFile), directory.stated);
  directory.own_code = own_code(values);
  const std::string type = directory.config.find("architecture")->string();
  add_warning(own_code_warning(directory.own_code, {"the model runs as ", type, " does"}),
              directory);
  const Json* stated_width = directory.config.find("n_embd");
  const bool has_width = stated_width != nullptr && stated_width->is_uint();
  const uint64_t width = has_width ? std::min<uint64_t>(stated_width->uint(), UINT32_MAX) : 0;
  AMBRY_TRY(auto modules, read_embedding_modules(files, static_cast<uint32_t>(width)));
  if (!modules) {
    AMBRY_RETURN_IF_ERROR(refuse_decoder_head(values));
    AMBRY_TRY(const auto reranker, read_reranker(files, values, directory.config));
    if (reranker) {
      directory.config.set("reranker", model::reranker_document(*reranker));
      // There is no output of tokens, whatever the library's default is.
      if (reranker->first_layer > 0) directory.config.set("tie_word_embeddings", false);
    } else {
      add_warning(other_use(files, values), directory);
    }
    return directory;
  }
  add_warning(own_code_warning(modules->own_module, kOwnModule), directory);
  directory.config.set("embedding", model::embedding_document(modules->config));
  directory.dense = std::move(modules->config.dense);
  directory.dense_folders = std::move(modules->dense_folders);
  return directory;
}

}  // namespace ambry::formats::huggingface
