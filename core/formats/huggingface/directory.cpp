#include "formats/huggingface/directory.h"

#include <algorithm>
#include <utility>

#include "formats/huggingface/decoder_config.h"
#include "formats/huggingface/file_values.h"
#include "formats/huggingface/module_chain.h"
#include "formats/huggingface/sentence_settings.h"
#include "formats/huggingface/tokenizer_files.h"
#include "model/tokenizer/letter_case.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using model::EncoderConfig;

Failure unsupported_type(const FileValues& values, std::string_view type) {
  if (is_decoder_type(type)) {
    return values.fail("model_type", ErrorCode::Unsupported,
                       {"\"", type,
                        "\" generates text, and EMBD holds sentence encoders; "
                        "convert it to amb (ambry convert DIR model.amb)"});
  }
  const std::string what = type.empty()
                               ? "the kind of model is not stated"
                               : concat({"models of type \"", type, "\" are not supported"});
  return values.fail("model_type", ErrorCode::Unsupported,
                     {what, "; supported are bert for embd, and for amb ", decoder_types()});
}

Result<void> check_architecture(const FileValues& values) {
  std::string type = values.text("model_type");
  if (type.empty()) {
    const Json* names = values.json().find("architectures");
    if (names != nullptr && names->is_array() && !names->items().empty() &&
        names->items()[0].is_string()) {
      type = names->items()[0].string();
    }
    if (type.starts_with("Bert")) type = "bert";
  }
  if (type != "bert") return unsupported_type(values, type);
  std::string positions = "absolute";
  AMBRY_RETURN_IF_ERROR(values.read({{"position_embedding_type", positions}}));
  if (positions != "absolute") {
    return values.fail("position_embedding_type", ErrorCode::Unsupported,
                       {"\"", positions, "\" positions are not supported"});
  }
  bool is_decoder = false;
  AMBRY_RETURN_IF_ERROR(values.read({{"is_decoder", is_decoder}}));
  if (is_decoder) {
    return values.fail("is_decoder", ErrorCode::Unsupported, "a decoder is not supported");
  }
  return {};
}

Result<void> read_config(const FileValues& values, EncoderConfig& config) {
  AMBRY_RETURN_IF_ERROR(check_architecture(values));
  // Without a value, the defaults of the library's BertConfig apply.
  config.vocab_size = 30522;
  config.hidden_size = 768;
  config.num_layers = 12;
  config.num_heads = 12;
  config.intermediate_size = 3072;
  config.max_positions = 512;
  return values.read({{"vocab_size", config.vocab_size},
                      {"hidden_size", config.hidden_size},
                      {"num_hidden_layers", config.num_layers},
                      {"num_attention_heads", config.num_heads},
                      {"intermediate_size", config.intermediate_size},
                      {"max_position_embeddings", config.max_positions},
                      {"type_vocab_size", config.type_vocab_size},
                      {"layer_norm_eps", config.layer_norm_eps},
                      {"hidden_act", config.hidden_act}});
}

// The last part of the name or path from which the model was saved. It removes authors' local
// paths.
std::string model_name_of(const FileValues& values) {
  std::string name = values.text("_name_or_path");
  while (name.ends_with('/')) name.pop_back();
  name.erase(0, name.find_last_of("/\\") + 1);
  return name.empty() ? "model" : name;
}

// sentence_bert_config.json decides. Without it, the smaller limit of the model and the tokenizer
// counts.
Result<void> read_lengths(const SideFiles& files, const std::string& folder, Directory& directory) {
  EncoderConfig& config = directory.config;
  config.max_seq_length = config.max_positions;
  const std::string tokenizer_name = folder + "tokenizer_config.json";
  AMBRY_TRY(const auto options, read_json_file(files, tokenizer_name));
  if (options) {
    double max_length = config.max_positions;  // 1e30 stands for "no limit"
    AMBRY_RETURN_IF_ERROR(
        FileValues(tokenizer_name, *options).read({{"model_max_length", max_length}}));
    if (max_length >= 2 && max_length < config.max_positions) {
      config.max_seq_length = static_cast<uint32_t>(max_length);
    }
  }
  const std::string name = folder + "sentence_bert_config.json";
  AMBRY_TRY(const auto sentence, read_json_file(files, name));
  if (!sentence) return {};
  const FileValues values(name, *sentence);
  AMBRY_RETURN_IF_ERROR(values.read({{"max_seq_length", config.max_seq_length}}));
  config.max_seq_length = std::min(config.max_seq_length, config.max_positions);
  bool lowercase = false;
  AMBRY_RETURN_IF_ERROR(values.read({{"do_lower_case", lowercase}}));
  if (lowercase && !directory.tokenizer.lowercase) {
    // The text is lower-cased before the tokenizer, which still keeps accents.
    if (!directory.tokenizer.strip_accents) directory.tokenizer.strip_accents = false;
    directory.tokenizer.lowercase = true;
  }
  return {};
}

}  // namespace

Result<Directory> read_directory(const SideFiles& files, io::Diagnostics& diagnostics,
                                 std::optional<bool> lowercase) {
  AMBRY_TRY(ModuleChain modules, read_module_chain(files));
  const std::string& folder = modules.transformer_folder;
  const std::string config_name = folder + "config.json";
  AMBRY_TRY(const Json config_json, require_json_file(files, config_name));
  const FileValues values(config_name, config_json);
  Directory directory;
  AMBRY_RETURN_IF_ERROR(read_config(values, directory.config));
  directory.model_name = model_name_of(values);
  AMBRY_TRY(directory.tokenizer, read_tokenizer(files, folder));
  AMBRY_RETURN_IF_ERROR(model::set_lowercase(lowercase, "options.lowercase", directory.tokenizer));
  if (directory.tokenizer.lowercase_assumed) {
    diagnostics.warn(model::assumed_uncased(folder + "vocab.txt"));
    directory.tokenizer.lowercase_assumed = false;  // the target will state it
  }
  if (!modules.pooling_file.empty()) {
    AMBRY_RETURN_IF_ERROR(read_pooling(files, modules.pooling_file, directory.config));
  }
  AMBRY_TRY(directory.config.dense,
            read_dense_modules(files, modules, directory.config.hidden_size));
  directory.config.normalize = modules.normalize.value_or(true);
  if (!modules.normalize) {
    diagnostics.warn(make_error(
        ErrorCode::NotFound, "modules.json",
        {"missing; assuming ", directory.config.pooling, " pooling and vectors of length 1"}));
  }
  AMBRY_RETURN_IF_ERROR(read_prompts(files, directory.config));
  AMBRY_RETURN_IF_ERROR(read_lengths(files, folder, directory));
  directory.dense_folders = std::move(modules.dense_folders);
  return directory;
}

}  // namespace ambry::formats::huggingface
