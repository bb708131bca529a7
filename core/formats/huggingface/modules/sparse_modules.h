// The modules of sentence-transformers' sparse encoders: MLMTransformer and SpladePooling. With a
// Router these are for documents, and SparseStaticEmbedding is for queries.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/huggingface/side_files/side_files.h"
#include "io/json/json.h"
#include "model/encoder/head/head_config.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::huggingface {

// The file in which OpenSearch's models have the weights of queries.
inline constexpr const char* kIdfFile = "idf.json";

// Folders end with a slash.
struct SparseModules {
  std::string transformer_folder;           // "" for the directory itself
  std::string pooling_file;                 // of SpladePooling
  std::optional<std::string> query_folder;  // of SparseStaticEmbedding, if there is one
};

// Reads the list of a modules.json. Nothing where it is that of another model. Unsupported, with
// the module's place as path, for modules or routes that are not supported there.
[[nodiscard]] Result<std::optional<SparseModules>> read_sparse_modules(const SideFiles& files,
                                                                       const io::Json& list);

// Reads the `config.json` of SpladePooling, `name`. Unsupported for another pooling or activation.
[[nodiscard]] Result<model::SparseSettings> read_splade_pooling(const SideFiles& files,
                                                                const std::string& name);

// The JSON file with the weights of queries that the `config.json` of SparseStaticEmbedding names.
// Empty: the weights are a tensor.
[[nodiscard]] Result<std::string> query_weights_file(const SideFiles& files,
                                                     const std::string& folder);

// The weight of each token that a JSON file names, by id; 0 for other tokens. BadValue for a weight
// that is not finite, and for words that are no tokens.
[[nodiscard]] Result<std::vector<float>> read_query_weights(const SideFiles& files,
                                                            const std::string& name,
                                                            const model::TokenizerData& tokenizer);

}  // namespace ambry::formats::huggingface
