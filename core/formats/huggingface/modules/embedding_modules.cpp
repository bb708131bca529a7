#include "formats/huggingface/modules/embedding_modules.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "formats/huggingface/modules/module_chain.h"
#include "formats/huggingface/modules/sentence_settings.h"
#include "formats/huggingface/side_files/file_values.h"

namespace ambry::formats::huggingface {
namespace {

Result<void> check_known_pooling(const std::string& file, const std::string& pooling) {
  static constexpr std::array<std::string_view, 5> kKnown = {"mean", "cls", "max", "mean_sqrt_len",
                                                             "lasttoken"};
  if (std::ranges::find(kKnown, pooling) != kKnown.end()) return {};
  return make_error(ErrorCode::Unsupported, {file, ".pooling_mode"},
                    {"the pooling \"", pooling, "\" is not supported"});
}

}  // namespace

Result<std::optional<EmbeddingModules>> read_embedding_modules(const SideFiles& files,
                                                               uint32_t width) {
  AMBRY_TRY(ModuleChain chain, read_module_chain(files));
  std::optional<EmbeddingModules> none;
  if (chain.sparse) {
    return make_error(ErrorCode::Unsupported, kModules,
                      "sparse encoders made of language models are not supported; those made of "
                      "encoders, such as BERT, are");
  }
  if (chain.pooling_file.empty()) {
    if (chain.dense_folders.empty()) return none;
    return make_error(ErrorCode::Unsupported, kModules,
                      "a language model with Dense modules and no Pooling, as of late interaction, "
                      "is not supported");
  }
  if (!chain.transformer_folder.empty()) {
    return make_error(ErrorCode::Unsupported, "modules.json[0].path",
                      "a language model in a folder of its own is not supported");
  }
  model::EncoderConfig read;
  read.hidden_size = width;
  AMBRY_RETURN_IF_ERROR(read_pooling(files, chain.pooling_file, read));
  AMBRY_RETURN_IF_ERROR(check_known_pooling(chain.pooling_file, read.pooling));
  AMBRY_RETURN_IF_ERROR(read_prompts(files, read));
  EmbeddingModules modules;
  model::EmbeddingConfig& config = modules.config;
  config.pooling = std::move(read.pooling);
  config.normalize = chain.normalize.value_or(true);
  config.prompts = std::move(read.prompts);
  config.default_prompt_name = std::move(read.default_prompt_name);
  config.include_prompt = read.include_prompt;
  AMBRY_TRY(config.dense, read_dense_modules(files, chain, width));
  AMBRY_TRY(config.max_seq_len, longest_text(files));
  modules.dense_folders = std::move(chain.dense_folders);
  modules.own_module = std::move(chain.own_module);
  return std::optional(std::move(modules));
}

// The file of the Transformer module decides. Without it, the limit of the tokenizer counts. The
// context of the model is the limit in any case.
Result<uint32_t> longest_text(const SideFiles& files) {
  uint32_t longest = 0;
  AMBRY_TRY(const auto sentence, read_sentence_file(files, ""));
  if (sentence) {
    const FileValues values(sentence->name, sentence->json);
    bool lowercase = false;
    AMBRY_RETURN_IF_ERROR(values.read({{"max_seq_length", longest}, {"do_lower_case", lowercase}}));
    if (lowercase) {
      return values.fail("do_lower_case", ErrorCode::Unsupported,
                         "texts in lower case are not supported here");
    }
    if (longest > 0) return longest;
  }
  const std::string name = "tokenizer_config.json";
  AMBRY_TRY(const auto tokenizer, read_json_file(files, name));
  if (!tokenizer) return longest;
  double stated = 0;  // 1e30 stands for "no limit"
  AMBRY_RETURN_IF_ERROR(FileValues(name, *tokenizer).read({{"model_max_length", stated}}));
  return stated >= 1 && stated <= UINT32_MAX ? static_cast<uint32_t>(stated) : longest;
}

}  // namespace ambry::formats::huggingface
