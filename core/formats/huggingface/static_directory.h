// Reads the side files of a static encoder's directory: Model2Vec's, or one of
// sentence-transformers whose first module is StaticEmbedding (README.md#static).
#pragma once

#include <string>

#include "base/result.h"
#include "formats/huggingface/side_files/side_files.h"
#include "model/static_encoder/static_config.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::huggingface {

struct StaticDirectory {
  model::StaticConfig config;  // without the sizes, which the tensors show
  model::TokenizerData tokenizer;
  std::string model_name;
};

// Whether config.json or modules.json says so.
[[nodiscard]] bool is_static_directory(const SideFiles& files);

// NotFound, with the file's name as path, when a needed file is missing. Unsupported for a part of
// the tokenizer that no kind has, and for other modules after StaticEmbedding than Normalize.
[[nodiscard]] Result<StaticDirectory> read_static_directory(const SideFiles& files);

}  // namespace ambry::formats::huggingface
