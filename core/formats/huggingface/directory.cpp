#include "formats/huggingface/directory.h"

#include <algorithm>
#include <utility>

#include "formats/huggingface/config/encoder_config_json.h"
#include "formats/huggingface/config/encoders/encoder_sources.h"
#include "formats/huggingface/config/encoders/text_towers.h"
#include "formats/huggingface/config/fields/task_class.h"
#include "formats/huggingface/config/heads/head_settings.h"
#include "formats/huggingface/config/heads/token_head_settings.h"
#include "formats/huggingface/config/nearest_way.h"
#include "formats/huggingface/modules/late_settings.h"
#include "formats/huggingface/modules/module_chain.h"
#include "formats/huggingface/modules/sentence_settings.h"
#include "formats/huggingface/side_files/file_values.h"
#include "formats/huggingface/tokenizer/encoder_tokenizer_files.h"
#include "model/tokenizer/letter_case.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using model::EncoderConfig;

// The last part of the name or path from which the model was saved. It removes authors' local
// paths.
std::string model_name_of(const FileValues& values) {
  std::string name = values.text("_name_or_path");
  while (name.ends_with('/')) name.pop_back();
  name.erase(0, name.find_last_of("/\\") + 1);
  return name.empty() ? "model" : name;
}

// The file of the Transformer module decides. Where it states none, the smaller limit of the model
// and the tokenizer counts.
Result<void> read_lengths(const SideFiles& files, const std::string& folder, Directory& directory) {
  EncoderConfig& config = directory.config;
  const uint32_t longest = config.max_tokens();
  config.max_seq_length = longest;
  const std::string tokenizer_name = folder + "tokenizer_config.json";
  AMBRY_TRY(const auto options, read_json_file(files, tokenizer_name));
  if (options) {
    double max_length = longest;  // 1e30 stands for "no limit"
    AMBRY_RETURN_IF_ERROR(
        FileValues(tokenizer_name, *options).read({{"model_max_length", max_length}}));
    if (max_length >= 2 && max_length < longest) {
      config.max_seq_length = static_cast<uint32_t>(max_length);
    }
  }
  AMBRY_TRY(const auto sentence, read_sentence_file(files, folder));
  if (!sentence) return {};
  const FileValues values(sentence->name, sentence->json);
  AMBRY_RETURN_IF_ERROR(values.read({{"max_seq_length", config.max_seq_length}}));
  config.max_seq_length = std::min(config.max_seq_length, longest);
  bool lowercase = false;
  AMBRY_RETURN_IF_ERROR(values.read({{"do_lower_case", lowercase}}));
  return lowercase ? lower_texts_first(directory.tokenizer) : Result<void>();
}

// A chain that is only a Transformer is that of a cross-encoder, which has a head, or of ColBERT.
Result<void> check_without_pooling(const ModuleChain& modules, const EncoderConfig& config) {
  if (!modules.logit_score_file.empty()) {
    return make_error(ErrorCode::Unsupported, kModules,
                      "LogitScore reads the output of a language model, and this is an encoder");
  }
  if (!modules.is_stated || config.head || config.late) return {};
  if (encoder_source(*config.architecture).pools_by_itself) return {};
  return make_error(ErrorCode::Unsupported, "modules.json",
                    "a model without Transformer and Pooling modules is not supported");
}

// Reads the head. A directory that pools vectors is that of an encoder, whatever config.json names,
// and so is one that names the encoder alone beside a head for tokens, or one that does not run.
// Weights of a head are left out then, as the libraries do. A head that the caller wants wins.
Result<void> read_head_of(const SideFiles& files, const FileValues& values,
                          const ModuleChain& modules, const DirectoryOptions& options,
                          Directory& directory) {
  EncoderConfig& config = directory.config;
  const std::string_view wanted = options.head;
  if (wanted == kSparseHead || (modules.sparse && wanted.empty())) {
    AMBRY_TRY(config.head, read_sparse_head(files, values, modules, options.has_own_words, config));
    return {};
  }
  const bool pools = modules.is_stated && !modules.pooling_file.empty();
  const bool alone = names_encoder_alone(values);
  if (!pools && wanted.empty()) {
    const model::HeadLayout& layout = config.architecture->head;
    AMBRY_TRY(config.head, read_head(files, values, layout));
    if (config.head && layout.dense_flag != nullptr) {
      bool dense = true;
      AMBRY_RETURN_IF_ERROR(values.read({{layout.dense_flag, dense}}));
      directory.head_without_dense = !dense;
    }
  }
  if (!config.head && ((!pools && !alone) || !wanted.empty())) {
    AMBRY_TRY(config.head, read_token_head(values, config, wanted));
  }
  if (config.head) return {};
  const bool has_other = token_task(values) || !other_head_class(values).empty();
  directory.leaves_head_out = pools || (has_other && alone);
  return directory.leaves_head_out ? Result<void>() : refuse_other_head(values);
}

// Reads what models with late interaction add. A chain of Transformer and Dense is that of PyLate.
Result<void> read_late(const SideFiles& files, const ModuleChain& modules, const FileValues& values,
                       Directory& directory) {
  if (!modules.dense_folders.empty() && modules.pooling_file.empty()) {
    return read_pylate(files, directory.tokenizer, directory.config);
  }
  if (!is_colbert(values)) return {};
  if (!modules.pooling_file.empty()) {
    return make_error(ErrorCode::Unsupported, modules.pooling_file,
                      "a ColBERT gives a vector for each token, so it has no pooling");
  }
  return read_colbert(files, directory.tokenizer, directory.config);
}

// Code of authors that Ambry follows is not worth a warning.
Result<void> note_own_code(const SideFiles& files, const ModuleChain& modules,
                           const FileValues& values, Directory& directory,
                           io::Diagnostics& diagnostics) {
  const model::EncoderArchitecture& architecture = *directory.config.architecture;
  if (encoder_source(architecture).is_of_authors_code) return {};
  directory.own_code = own_code(values);
  AMBRY_TRY(const OwnCode tokenizer, own_tokenizer_code(files, modules.transformer_folder));
  for (auto warning :
       {own_code_warning(directory.own_code, {"the model runs as ", architecture.name, " does"}),
        own_code_warning(tokenizer, "the files of the tokenizer count"),
        own_code_warning(modules.own_module, kOwnModule)}) {
    if (warning) diagnostics.warn(Failure(std::move(*warning)));
  }
  return {};
}

Result<model::TokenizerData> read_tokenizer_of(const SideFiles& files, const std::string& folder,
                                               const FileValues& values) {
  auto tokenizer = read_tokenizer(files, folder, values.text("model_type"));
  if (tokenizer) return tokenizer;
  AMBRY_TRY(const OwnCode code, own_tokenizer_code(files, folder));
  return of_own_code(code, "tokenizer", tokenizer.take_error());
}

// The longest text of either kind.
void limit_late_texts(EncoderConfig& config) {
  if (!config.late) return;
  const uint32_t longest = std::max(config.late->query_length, config.late->document_length);
  config.max_seq_length = std::min(longest, config.max_tokens());
}

}  // namespace

Result<Directory> read_directory(const SideFiles& files, io::Diagnostics& diagnostics,
                                 const DirectoryOptions& options) {
  AMBRY_TRY(ModuleChain modules, read_module_chain(files));
  const std::string& folder = modules.transformer_folder;
  const std::string config_name = folder + "config.json";
  AMBRY_TRY(const Json config_json, require_json_file(files, config_name));
  const std::optional<Json> half = text_half(config_json);
  const FileValues values(half ? config_name + ".text_config" : config_name,
                          half ? *half : config_json);
  Directory directory;
  AMBRY_RETURN_IF_ERROR(read_encoder_config(values, directory.config));
  AMBRY_TRY(directory.adapters, read_adapter_config(values));
  if (modules.pooling_file.empty()) AMBRY_RETURN_IF_ERROR(refuse_adapter_files(values));
  AMBRY_RETURN_IF_ERROR(read_head_of(files, values, modules, options, directory));
  directory.config_file = config_name;
  AMBRY_RETURN_IF_ERROR(note_own_code(files, modules, values, directory, diagnostics));
  directory.model_name = model_name_of(values);
  AMBRY_TRY(directory.tokenizer, read_tokenizer_of(files, folder, values));
  if (modules.sparse && modules.sparse->query_folder) {
    // Queries are read with the tokenizer of documents.
    AMBRY_RETURN_IF_ERROR(check_same_tokens(files, *modules.sparse->query_folder,
                                            values.text("model_type"), directory.tokenizer));
  }
  AMBRY_RETURN_IF_ERROR(
      model::set_lowercase(options.lowercase, "options.lowercase", directory.tokenizer));
  AMBRY_RETURN_IF_ERROR(read_tower_tokens(files, folder, directory.tokenizer, directory.config));
  if (directory.tokenizer.lowercase_assumed) {
    diagnostics.warn(model::assumed_uncased(folder + "vocab.txt"));
    directory.tokenizer.lowercase_assumed = false;  // the target will state it
  }
  AMBRY_TRY(directory.queries,
            read_fixed_queries(files, modules, directory.config, directory.tokenizer));
  AMBRY_RETURN_IF_ERROR(set_mask(directory.tokenizer, directory.config.head));
  AMBRY_RETURN_IF_ERROR(read_late(files, modules, values, directory));
  if (modules.pooling_file.empty()) {
    AMBRY_RETURN_IF_ERROR(check_without_pooling(modules, directory.config));
  } else if (encoder_source(*directory.config.architecture).pools_by_itself) {
    return make_error(ErrorCode::Unsupported, modules.pooling_file,
                      {directory.config.architecture->name, " has a pooling of its own"});
  } else {
    AMBRY_RETURN_IF_ERROR(read_pooling(files, modules.pooling_file, directory.config));
  }
  AMBRY_TRY(auto dense, read_dense_modules(files, modules, directory.config.hidden_size));
  if (!dense.empty()) directory.config.dense = std::move(dense);
  const bool pools = !directory.config.head && !directory.config.late;
  const bool gives_all = pools && directory.config.dense.empty() && options.head.empty() &&
                         options.has_own_words && options.has_token_vectors;
  // BGE-M3 has no other pooling.
  if (gives_all && modules.pooling_file.empty()) directory.config.pooling = "cls";
  directory.config.normalize = !pools || modules.normalize.value_or(true);
  const bool stated = encoder_source(*directory.config.architecture).pools_by_itself;
  if (!modules.normalize && pools && !stated) {
    const std::string masked = masked_class(values);
    diagnostics.warn(make_error(
        ErrorCode::NotFound, "modules.json",
        {"missing; assuming ", directory.config.pooling, " pooling and vectors of length 1",
         masked.empty() ? "" : "; config.json names ", masked,
         masked.empty() ? "" : ", whose head for pre-training is not used"}));
  }
  AMBRY_RETURN_IF_ERROR(read_prompts(files, directory.config));
  AMBRY_TRY(directory.noted, read_noted_settings(files));
  AMBRY_RETURN_IF_ERROR(read_lengths(files, folder, directory));
  limit_late_texts(directory.config);
  if (gives_all) add_token_outputs(directory.config);
  directory.dense_folders = std::move(modules.dense_folders);
  return directory;
}

}  // namespace ambry::formats::huggingface
