#include "formats/huggingface/config/heads/reranker_settings.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "formats/huggingface/config/fields/task_class.h"
#include "formats/huggingface/config/heads/head_settings.h"
#include "formats/huggingface/modules/embedding_modules.h"
#include "formats/huggingface/modules/module_chain.h"
#include "formats/huggingface/modules/sentence_settings.h"
#include "model/decoder/config/known_rerankers.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using model::KnownReranker;
using model::RerankerConfig;

constexpr std::array<std::string_view, 3> kLogitScoreKeys = {"true_token_id", "false_token_id",
                                                             "module_input_name"};
// Settings of sentence-transformers that a chat template does not see.
constexpr std::array<std::string_view, 4> kSizeSettings = {"padding", "truncation", "max_length",
                                                           "return_tensors"};

Result<uint32_t> read_token_id(const FileValues& values, const char* key, const Json& config) {
  const Json& stated = *values.json().find(key);
  const Json* n_vocab = config.find("n_vocab");
  if (!stated.is_uint() || stated.uint() > UINT32_MAX) {
    return values.fail(key, ErrorCode::BadValue, "expected the id of a token");
  }
  if (n_vocab == nullptr || !n_vocab->is_uint() || stated.uint() < n_vocab->uint()) {
    return static_cast<uint32_t>(stated.uint());
  }
  return values.fail(
      key, ErrorCode::BadValue,
      {"the id ", stated.uint(), ", but the model's ids are below ", n_vocab->uint()});
}

// The file of the module LogitScore.
Result<void> read_logit_score(const SideFiles& files, const std::string& name, const Json& config,
                              RerankerConfig& reranker) {
  AMBRY_TRY(const Json json, require_json_file(files, name));
  if (!json.is_object()) return error_at(ErrorCode::BadValue, 0, name, "not an object");
  const FileValues values(name, json);
  for (const auto& [key, value] : json.members()) {
    if (std::ranges::find(kLogitScoreKeys, key) != kLogitScoreKeys.end()) continue;
    return values.fail(key, ErrorCode::Unsupported, "this setting of LogitScore is unknown");
  }
  const std::string input = values.text("module_input_name");
  if (!input.empty() && input != "causal_logits") {
    return values.fail("module_input_name", ErrorCode::Unsupported,
                       "only the logits of the language model are supported");
  }
  if (!model::has_value(json, "true_token_id")) {
    return values.fail("true_token_id", ErrorCode::NotFound,
                       "the token that stands for a match is not stated");
  }
  AMBRY_TRY(reranker.match, read_token_id(values, "true_token_id", config));
  if (!model::has_value(json, "false_token_id")) return {};
  AMBRY_TRY(reranker.mismatch, read_token_id(values, "false_token_id", config));
  return {};
}

const Json* object_at_key(const Json& json, std::string_view key) {
  const Json* found = json.find(key);
  return found != nullptr && found->is_object() ? found : nullptr;
}

// How sentence-transformers gives a query and a document to the chat template.
Result<void> read_messages(const SideFiles& files, RerankerConfig& reranker) {
  AMBRY_TRY(const auto sentence, read_sentence_file(files, ""));
  if (!sentence) return {};
  const Json* modalities = object_at_key(sentence->json, "modality_config");
  const Json* message = modalities == nullptr ? nullptr : object_at_key(*modalities, "message");
  const std::string path = concat({sentence->name, ".modality_config.message"});
  if (message != nullptr) {
    const FileValues values(path, *message);
    const std::string format = values.text("format");
    if (!format.empty() && format != "flat" && format != "structured") {
      return values.fail("format", ErrorCode::Unsupported, {"\"", format, "\" is not supported"});
    }
    reranker.structured_messages = format == "structured";
  }
  const Json* processing = object_at_key(sentence->json, "processing_kwargs");
  const Json* given = processing == nullptr ? nullptr : object_at_key(*processing, "chat_template");
  if (given == nullptr) return {};
  for (const auto& [key, value] : given->members()) {
    const FileValues values(concat({sentence->name, ".processing_kwargs.chat_template"}), *given);
    if (std::ranges::find(kSizeSettings, key) != kSizeSettings.end() || key == "chat_template") {
      return values.fail(key, ErrorCode::Unsupported, "this setting is not supported");
    }
    // Whether what follows the document stays when it is cut, which it does here always.
    if (key == "restore_suffix") continue;
    reranker.variables.set(key, value);
  }
  return {};
}

Result<RerankerConfig> read_reranker_modules(const SideFiles& files, const FileValues& values,
                                             const ModuleChain& chain, const Json& config) {
  if (!chain.transformer_folder.empty()) {
    return make_error(ErrorCode::Unsupported, "modules.json[0].path",
                      "a language model in a folder of its own is not supported");
  }
  RerankerConfig reranker;
  AMBRY_RETURN_IF_ERROR(read_logit_score(files, chain.logit_score_file, config, reranker));
  // Where no file says it, transformers asks for no beginning of an answer.
  reranker.variables.set("add_generation_prompt", false);
  AMBRY_RETURN_IF_ERROR(read_messages(files, reranker));
  model::DenseActivation activation = model::usual_score_activation(1);
  AMBRY_RETURN_IF_ERROR(read_score_activation(files, values, activation));
  reranker.activation = model::dense_activation_name(activation);
  model::EncoderConfig prompts;
  AMBRY_RETURN_IF_ERROR(read_prompts(files, prompts));
  reranker.instruction = "";
  for (const auto& [name, text] : prompts.prompts) {
    if (name == prompts.default_prompt_name) reranker.instruction = text;
  }
  AMBRY_TRY(reranker.max_length, longest_text(files));
  return reranker;
}

// The lines of a README.md that begin with this character.
bool heading_names(std::string_view readme, std::string_view architecture) {
  while (!readme.empty()) {
    const std::string_view line = readme.substr(0, readme.find('\n'));
    if (line.starts_with('#') && model::find_known_reranker(line, architecture) != nullptr) {
      return true;
    }
    readme.remove_prefix(std::min(line.size() + 1, readme.size()));
  }
  return false;
}

// By the name that the model was saved from, or by a README.md: a heading of it, or any place where
// the authors state a use that ranks.
const KnownReranker* named_by_files(const SideFiles& files, const FileValues& values,
                                    std::string_view architecture) {
  const std::string saved = values.text("_name_or_path");
  if (const auto* known = model::find_known_reranker(saved, architecture)) return known;
  const std::string* readme = files.find("README.md");
  if (readme == nullptr) return nullptr;
  const std::string_view use = pipeline_tag(files);
  const bool ranks = use == "text-ranking" || use == "text-classification";
  if (!ranks && !heading_names(*readme, architecture)) return nullptr;
  return model::find_known_reranker(*readme, architecture);
}

// The class of bge-reranker-v2-minicpm-layerwise, which scores by a layer of its own after each of
// its last layers.
bool is_layerwise(const FileValues& values) {
  return names_class(values, "LayerWiseMiniCPMForCausalLM");
}

Result<RerankerConfig> read_layerwise(const FileValues& values) {
  const std::string type = values.text("head_type");
  if (!type.empty() && type != "simple") {
    return values.fail("head_type", ErrorCode::Unsupported,
                       {"\"", type, "\" is not supported, only heads with one number, \"simple\""});
  }
  bool is_multi = true;
  uint32_t first = 8;
  AMBRY_RETURN_IF_ERROR(values.read({{"head_multi", is_multi}, {"start_layer", first}}));
  if (!is_multi) {
    return values.fail("head_multi", ErrorCode::Unsupported,
                       "one head for all layers is not supported, only a head for each");
  }
  if (first == 0) return values.fail("start_layer", ErrorCode::BadValue, "must be at least 1");
  return model::layerwise_config(first);
}

std::string_view reranker_architecture(const Json& config) {
  return model::metadata_text(config, "architecture").value_or("");
}

}  // namespace

Result<std::optional<RerankerConfig>> read_reranker(const SideFiles& files,
                                                    const FileValues& values, const Json& config) {
  std::optional<RerankerConfig> read;
  AMBRY_TRY(const ModuleChain chain, read_module_chain(files));
  if (!chain.logit_score_file.empty()) {
    AMBRY_TRY(read, read_reranker_modules(files, values, chain, config));
  } else if (!chain.is_stated && is_layerwise(values)) {
    AMBRY_TRY(read, read_layerwise(values));
  } else if (!chain.is_stated) {
    const KnownReranker* known = named_by_files(files, values, reranker_architecture(config));
    if (known != nullptr) read = model::config_of(*known);
  }
  return read;
}

bool states_reranker(const SideFiles& files, const FileValues& values) {
  const auto chain = read_module_chain(files);
  if (!chain || chain->is_stated) return chain && !chain->logit_score_file.empty();
  // The types of these models are the names of their architectures.
  return is_layerwise(values) ||
         named_by_files(files, values, values.text("model_type")) != nullptr;
}

}  // namespace ambry::formats::huggingface
