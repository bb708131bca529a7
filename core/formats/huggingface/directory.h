// Reads the side files of a Hugging Face or sentence-transformers directory of a sentence encoder;
// see README.md. Files are read whole: they are small, and the tokenizer is the largest.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/huggingface/config/fields/adapter_config.h"
#include "formats/huggingface/config/heads/sparse_head_settings.h"
#include "formats/huggingface/side_files/own_code.h"
#include "formats/huggingface/side_files/side_files.h"
#include "io/diagnostics.h"
#include "io/json/json.h"
#include "model/encoder/encoder_config.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::huggingface {

struct Directory {
  model::EncoderConfig config;
  model::TokenizerData tokenizer;
  std::string model_name;
  io::Json noted = io::Json::object();  // metadata that changes no vector
  std::string config_file;              // such as `config.json`
  // Of config.dense, each with a slash at its end. They hold the weights. Of ColBERT's layout there
  // are none: its projection is in the main weights (modules/late_settings.h).
  std::vector<std::string> dense_folders;
  QueryWeights queries;  // of a sparse encoder
  AdapterConfig adapters;
  // Whether weights of a head that Ambry does not run may be left out.
  bool leaves_head_out = false;
  bool head_without_dense = false;  // HeadLayout::dense_flag
  OwnCode own_code;                 // the class that config.json names, unless it runs here
};

// What the caller says that the files do not.
struct DirectoryOptions {
  // Whether a vocab.txt is of an uncased model, where no file says it. Nothing: this is assumed,
  // with a warning.
  std::optional<bool> lowercase;
  // The head that the caller wants (config/token_head_settings.h, config/sparse_head_settings.h).
  // Empty: what the files say.
  std::string_view head;
  bool has_own_words = false;      // whether kOwnWordsFile is there
  bool has_token_vectors = false;  // whether kTokenVectorsFile is there
};

// NotFound, with the file's name as path, when a needed file is missing. Unsupported, with the
// name, for any setting that would change the model's results and is not supported.
[[nodiscard]] Result<Directory> read_directory(const SideFiles& files, io::Diagnostics& diagnostics,
                                               const DirectoryOptions& options = {});

}  // namespace ambry::formats::huggingface
