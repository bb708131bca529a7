// What a directory says of the head of a sparse encoder.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/huggingface/modules/module_chain.h"
#include "formats/huggingface/side_files/file_values.h"
#include "model/encoder/encoder_config.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::huggingface {

// The name of the head, for callers that ask for it.
inline constexpr std::string_view kSparseHead = "sparseEncoder";
// The file with the head of BGE-M3, which weighs the tokens of a text.
inline constexpr std::string_view kOwnWordsFile = "sparse_linear.pt";
// The file with BGE-M3's layer that makes the vectors of tokens.
inline constexpr std::string_view kTokenVectorsFile = "colbert_linear.pt";

// The head of the modules that `modules` lists, else that of kOwnWordsFile if it is there, else
// that of a `…ForMaskedLM` with the usual pooling. The sizes of the result are not set: they follow
// from the weights. NotFound at `options.head` for a directory without such a head.
[[nodiscard]] Result<model::HeadConfig> read_sparse_head(const SideFiles& files,
                                                         const FileValues& values,
                                                         const ModuleChain& modules,
                                                         bool has_own_words,
                                                         const model::EncoderConfig& config);

// Adds the heads of BGE-M3, which weigh the tokens of a text and make vectors of these, to an
// encoder that makes vectors of whole texts.
void add_token_outputs(model::EncoderConfig& config);

// Where the fixed weights of queries come from. Nothing is set where queries are run.
struct QueryWeights {
  std::optional<std::string> folder;  // of a file with the tensor `weight`; ends with a slash
  std::vector<float> given;           // by the id of the token
};
[[nodiscard]] Result<QueryWeights> read_fixed_queries(const SideFiles& files,
                                                      const ModuleChain& modules,
                                                      const model::EncoderConfig& config,
                                                      const model::TokenizerData& tokenizer);

}  // namespace ambry::formats::huggingface
