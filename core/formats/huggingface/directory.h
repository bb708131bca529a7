// What the side files of a Hugging Face or sentence-transformers directory say about a BERT
// encoder; see README.md. Files are read whole: they are small, and the tokenizer is the largest.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "formats/huggingface/side_files.h"
#include "io/diagnostics.h"
#include "io/json/json.h"
#include "model/encoder/encoder_config.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::huggingface {

struct Directory {
  model::EncoderConfig config;
  model::TokenizerData tokenizer;
  std::string model_name;
};

// NotFound, with the file's name as path, where a needed file is missing; Unsupported, naming it,
// for anything that would change what the model computes and is not implemented.
[[nodiscard]] Result<Directory> read_directory(const SideFiles& files,
                                               io::Diagnostics& diagnostics);

// The value of a JSON file; nullopt when the file is absent. Errors carry the offset in that file
// and a path that starts with its name.
[[nodiscard]] Result<std::optional<io::Json>> read_json_file(const SideFiles& files,
                                                             std::string_view name);

}  // namespace ambry::formats::huggingface
