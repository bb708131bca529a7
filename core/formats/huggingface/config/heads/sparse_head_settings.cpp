#include "formats/huggingface/config/heads/sparse_head_settings.h"

#include "formats/huggingface/config/fields/task_class.h"
#include "formats/huggingface/config/heads/token_head_settings.h"

namespace ambry::formats::huggingface {

using model::HeadConfig;
using model::HeadTask;
namespace {

HeadConfig own_words_head() {
  HeadConfig head;
  head.task = HeadTask::Sparse;
  head.sparse.own_words = true;
  head.sparse.logarithms = 0;
  return head;
}

}  // namespace

Result<HeadConfig> read_sparse_head(const SideFiles& files, const FileValues& values,
                                    const ModuleChain& modules, bool has_own_words,
                                    const model::EncoderConfig& config) {
  HeadConfig head;
  head.task = HeadTask::Sparse;
  if (modules.sparse) {
    AMBRY_TRY(head.sparse, read_splade_pooling(files, modules.sparse->pooling_file));
  } else if (has_own_words) {
    return own_words_head();
  } else if (masked_class(values).empty()) {
    return make_error(ErrorCode::NotFound, "options.head",
                      {values.file(), " names no …ForMaskedLM, and there is no ", kOwnWordsFile,
                       ", so there is no head that gives the weights of words"});
  }
  AMBRY_RETURN_IF_ERROR(read_masked_head(values, config, head));
  return head;
}

void add_token_outputs(model::EncoderConfig& config) {
  config.head = own_words_head();
  config.dense = {{config.hidden_size, config.hidden_size, true, model::DenseActivation::Identity}};
  model::LateInteraction& late = config.late.emplace();
  late.query_length = late.document_length = config.max_seq_length;
  late.with_sentences = true;
}

Result<QueryWeights> read_fixed_queries(const SideFiles& files, const ModuleChain& modules,
                                        const model::EncoderConfig& config,
                                        const model::TokenizerData& tokenizer) {
  QueryWeights weights;
  const HeadConfig* head = config.token_head();
  if (head == nullptr || head->task != HeadTask::Sparse || head->sparse.own_words) return weights;
  std::string file;
  if (modules.sparse && modules.sparse->query_folder) {
    AMBRY_TRY(file, query_weights_file(files, *modules.sparse->query_folder));
    if (file.empty()) weights.folder = modules.sparse->query_folder;
  } else if (!modules.is_stated && files.find(kIdfFile) != nullptr) {
    file = kIdfFile;
  }
  if (!file.empty()) AMBRY_TRY(weights.given, read_query_weights(files, file, tokenizer));
  return weights;
}

}  // namespace ambry::formats::huggingface
