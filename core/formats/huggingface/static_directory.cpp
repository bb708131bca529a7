#include "formats/huggingface/static_directory.h"

#include <optional>
#include <string_view>
#include <utility>

#include "formats/huggingface/modules/module_chain.h"
#include "formats/huggingface/modules/sentence_settings.h"
#include "formats/huggingface/side_files/file_values.h"
#include "formats/huggingface/tokenizer/bpe_json.h"
#include "formats/huggingface/tokenizer/tokenizer_files.h"
#include "model/metadata/metadata_value.h"
#include "model/tokenizer/files/model_type.h"
#include "model/tokenizer/files/unigram_file.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using model::TokenizerData;
using model::TokenizerKind;

constexpr const char* kConfig = "config.json";
constexpr std::string_view kModel2Vec = "model2vec";
constexpr std::string_view kStaticModule = "StaticEmbedding";
// The tokens that Model2Vec reads unless the caller says otherwise.
constexpr uint32_t kModel2VecTokens = 512;

// The last part of a module's type.
std::string_view module_kind(const Json& module) {
  const std::string_view type = model::metadata_text(module, "type").value_or("");
  return type.substr(type.find_last_of('.') + 1);
}

std::string module_folder(const Json& module) {
  std::string path(model::metadata_text(module, "path").value_or(""));
  if (path == ".") return {};
  if (!path.empty() && !path.ends_with('/')) path += '/';
  return path;
}

// The parsed modules.json, if its first module is a StaticEmbedding.
std::optional<Json> static_modules(const SideFiles& files) {
  auto list = read_json_file(files, kModules);
  if (!list || !*list || !(*list)->is_array() || (*list)->items().empty()) return std::nullopt;
  if (module_kind((*list)->items()[0]) != kStaticModule) return std::nullopt;
  return std::move(*list);
}

std::optional<Json> model2vec_config(const SideFiles& files) {
  auto config = read_json_file(files, kConfig);
  if (!config || !*config || !(*config)->is_object()) return std::nullopt;
  if (model::metadata_text(**config, "model_type") != kModel2Vec) return std::nullopt;
  return std::move(*config);
}

// Whether vectors get length 1. Other modules would change the vectors.
Result<bool> has_normalize(const Json& modules) {
  bool normalize = false;
  for (size_t i = 1; i < modules.items().size(); ++i) {
    const Json& module = modules.items()[i];
    const std::string_view kind = module_kind(module);
    if (kind != "Normalize") {
      return error_at(ErrorCode::Unsupported, module.byte_offset(), {kModules, "[", i, "].type"},
                      {"the module ", kind, " after StaticEmbedding is not supported"});
    }
    normalize = true;
  }
  return normalize;
}

// The tokenizer cuts texts if its file says so. Padding adds nothing to a text by itself.
Result<uint32_t> tokenizer_limit(const Json& root, const std::string& name) {
  const Json* truncation = root.find("truncation");
  if (truncation == nullptr || !truncation->is_object()) return 0;
  const FileValues values(name + ".truncation", *truncation);
  uint32_t limit = 0;
  std::string direction = "Right";
  AMBRY_RETURN_IF_ERROR(values.read({{"max_length", limit}, {"direction", direction}}));
  if (direction == "Right") return limit;
  return values.fail("direction", ErrorCode::Unsupported,
                     {"truncation from the ", direction, " is not supported"});
}

// Texts get no special tokens, so what the post-processor says does not count.
// `root` is the parsed `text`.
Result<TokenizerData> read_static_tokenizer(const Json& root, std::string_view text) {
  const std::string_view type = model::tokenizer_model_type(root);
  if (type == "Unigram") {
    AMBRY_TRY(auto file, model::read_unigram_file(text));
    return model::unigram_tokenizer(std::move(file));
  }
  return type == "BPE" ? parse_bpe_json(root, false) : read_wordpiece_json(root);
}

// A path without the folders that the author's machine had.
std::string model_name_of(const Json* config) {
  if (config == nullptr) return "model";
  std::string name(model::metadata_text(*config, "tokenizer_name").value_or(""));
  name.erase(0, name.find_last_of("/\\") + 1);
  return name.empty() ? "model" : name;
}

Result<void> read_prompts_of(const SideFiles& files, model::StaticConfig& config) {
  model::EncoderConfig read;
  AMBRY_RETURN_IF_ERROR(read_prompts(files, read));
  config.prompts = std::move(read.prompts);
  config.default_prompt_name = std::move(read.default_prompt_name);
  return {};
}

}  // namespace

bool is_static_directory(const SideFiles& files) {
  return model2vec_config(files).has_value() || static_modules(files).has_value();
}

Result<StaticDirectory> read_static_directory(const SideFiles& files) {
  const auto modules = static_modules(files);
  const auto config = model2vec_config(files);
  StaticDirectory directory;
  directory.model_name = model_name_of(config ? &*config : nullptr);
  const std::string folder = modules ? module_folder(modules->items()[0]) : std::string();
  bool normalize = false;
  if (modules) {
    AMBRY_TRY(normalize, has_normalize(*modules));
  }
  model::StaticConfig& facts = directory.config;
  facts.normalize = normalize;
  const std::string name = folder + "tokenizer.json";
  AMBRY_TRY(const Json tokenizer, require_json_file(files, name));
  AMBRY_TRY(facts.tokenizer_max_length, tokenizer_limit(tokenizer, name));
  AMBRY_TRY(directory.tokenizer, read_static_tokenizer(tokenizer, *files.find(name)));
  if (config) {  // Model2Vec's own rules hold, also where modules.json is there
    AMBRY_RETURN_IF_ERROR(FileValues(kConfig, *config).read({{"normalize", facts.normalize}}));
    facts.max_seq_length = kModel2VecTokens;
    facts.median_token_length = model::median_token_length(directory.tokenizer.vocabulary);
    // The library asks the tokenizer's model for its unknown token, and Unigram names none.
    facts.drop_unknown = directory.tokenizer.kind != TokenizerKind::Unigram;
  } else {
    facts.drop_unknown = false;
    facts.max_seq_length = 0;
  }
  AMBRY_RETURN_IF_ERROR(read_prompts_of(files, facts));
  return directory;
}

}  // namespace ambry::formats::huggingface
