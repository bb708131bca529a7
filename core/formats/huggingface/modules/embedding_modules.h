// How the directory of a decoder language model makes embeddings: its modules.json and the files
// that this names, as in the directories of sentence encoders
// (formats/huggingface/directory.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/huggingface/side_files/own_code.h"
#include "formats/huggingface/side_files/side_files.h"
#include "model/decoder/config/embedding_config.h"

namespace ambry::formats::huggingface {

struct EmbeddingModules {
  model::EmbeddingConfig config;
  std::vector<std::string> dense_folders;  // of config.dense; they hold the weights
  OwnCode own_module;  // the class of the Transformer, if it is none of a known library
};

// Nothing for a directory without a Pooling module. `width` is the model's hidden size. Errors as
// in module_chain.h and sentence_settings.h; Unsupported for a model in a folder of its own and for
// texts in lower case.
[[nodiscard]] Result<std::optional<EmbeddingModules>> read_embedding_modules(const SideFiles& files,
                                                                             uint32_t width);

// The tokens that a text may have, by the Transformer module, else by the tokenizer; 0: no file
// says it.
[[nodiscard]] Result<uint32_t> longest_text(const SideFiles& files);

}  // namespace ambry::formats::huggingface
