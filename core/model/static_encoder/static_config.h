// The facts of a static encoder: each token of the vocabulary has a vector of its own, and a text's
// vector is the mean of its tokens' (core/formats/embd/README.md#static).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/diagnostics.h"
#include "model/file/model.h"
#include "model/metadata/prompts.h"

namespace ambry::model {

// The metadata key by which a sentence encoder of EMBD states its architecture, and its value for a
// static one.
inline constexpr const char* kArchitectureKey = "architecture";
inline constexpr std::string_view kStaticArchitecture = "static";
inline constexpr std::string_view kStaticRows = "embeddings.word_embeddings.weight";
inline constexpr std::string_view kStaticRowScale = "embeddings.word_embeddings.weight.scale";
// For each token: the factor of its row, and which row it has.
inline constexpr std::string_view kStaticWeights = "embeddings.token_weights";
inline constexpr std::string_view kStaticMapping = "embeddings.token_mapping";

struct StaticConfig {
  uint32_t vocab_size = 0;
  uint32_t n_rows = 0;
  uint32_t embedding_dim = 0;
  bool normalize = true;
  // Whether unknown words are left out. Otherwise they have the row of [UNK].
  bool drop_unknown = true;
  // The tokens that are read; 0: all. With a median length, the text is cut to this times as many
  // characters before it is tokenized.
  uint32_t max_seq_length = 512;
  uint32_t median_token_length = 0;
  // The tokens to which the tokenizer itself cuts, unknown ones included; 0: it cuts nothing.
  uint32_t tokenizer_max_length = 0;
  Prompts prompts;
  std::string default_prompt_name;
};

// Whether the metadata states this architecture.
[[nodiscard]] bool is_static(const Model& model);

// From the metadata and the shapes of the tensors. NotFound for a missing tensor; Mismatch for
// shapes that do not fit the vocabulary; Unsupported for types that cannot be rows, weights or a
// mapping; BadValue for metadata that cannot be right.
[[nodiscard]] Result<StaticConfig> static_config(const Model& model);
// Reads the metadata of a static encoder, and collects all errors about tensors, and warnings.
[[nodiscard]] Result<StaticConfig> static_config(const Model& model, io::Diagnostics& diagnostics);

// The facts as metadata, the architecture first, so that a file's first bytes show it.
void set_static_metadata(const StaticConfig& config, io::Json& metadata);

// What a parsed file of this architecture means without saying it: no special tokens stand around a
// text, and the mapping holds numbers of rows.
void apply_static_rules(Model& model);

// The median length of the tokens in code points, rounded down, as Model2Vec has it.
[[nodiscard]] uint32_t median_token_length(const Vocabulary& vocabulary);

}  // namespace ambry::model
