// Reads the config.json of a decoder language model, with the names of AMB's config
// (core/formats/amb/README.md#config).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/huggingface/side_files/own_code.h"
#include "formats/huggingface/side_files/side_files.h"
#include "io/json/json.h"
#include "model/encoder/head/dense_layers.h"

namespace ambry::formats::huggingface {

// Whether models with this model_type generate text and are supported.
[[nodiscard]] bool is_decoder_type(std::string_view model_type);
// All types of models that generate text.
[[nodiscard]] std::vector<std::string_view> decoder_type_names();
// The usual type of each architecture, the first of its rows.
[[nodiscard]] std::vector<std::string_view> usual_decoder_type_names();
// The names of all types as a list for messages.
[[nodiscard]] std::string decoder_types();

struct DecoderDirectory {
  io::Json config = io::Json::object();  // AMB's config
  io::Json stated;                       // config.json itself
  std::string model_name;
  // For a model that makes embeddings: the folders with the weights of config.embedding.dense.
  std::vector<std::string> dense_folders;
  std::vector<model::DenseConfig> dense;
  OwnCode own_code;  // the class that config.json names
  std::vector<Error> warnings;
};

// `architecture` replaces the model_type if it is not empty. NotFound when config.json is missing.
// Unsupported, with the key, for an unknown architecture and for any setting that would change the
// model's results. The values are checked where they are used. A modules.json with a Pooling module
// becomes config.embedding (modules/embedding_modules.h), and what a directory says of ranking
// config.reranker (reranker_settings.h).
[[nodiscard]] Result<DecoderDirectory> read_decoder_config(const SideFiles& files,
                                                           std::string_view architecture);

}  // namespace ambry::formats::huggingface
