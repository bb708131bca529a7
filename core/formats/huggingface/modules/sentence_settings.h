// What a sentence-transformers directory says of its vectors beside the modules: the pooling and
// the prompts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "formats/huggingface/side_files/side_files.h"
#include "io/json/json.h"
#include "model/encoder/encoder_config.h"

namespace ambry::formats::huggingface {

// The file with the settings of a whole sentence-transformers model.
inline constexpr const char* kSentenceTransformers = "config_sentence_transformers.json";

// The settings of the Transformer module, with the name of the file that has them. Older
// directories name the file by the kind of model, such as `sentence_roberta_config.json`, and the
// first that is there counts, as in sentence-transformers.
struct SentenceFile {
  std::string name;
  io::Json json;
};
[[nodiscard]] Result<std::optional<SentenceFile>> read_sentence_file(const SideFiles& files,
                                                                     std::string_view folder);

// Reads the `config.json` of the Pooling module, `name`. Unsupported for no pooling, for several at
// once and for an unknown one; Mismatch for another width than config.hidden_size.
[[nodiscard]] Result<void> read_pooling(const SideFiles& files, const std::string& name,
                                        model::EncoderConfig& config);

// Reads `config_sentence_transformers.json`, if there is one.
[[nodiscard]] Result<void> read_prompts(const SideFiles& files, model::EncoderConfig& config);

// What the same file says that changes no vector: the similarity that vectors are compared with
// (`similarity_fn_name`), and the length that they may be cut to (`truncate_dim`, which
// sentence-transformers applies only where the caller asks for it). As metadata.
[[nodiscard]] Result<io::Json> read_noted_settings(const SideFiles& files);

}  // namespace ambry::formats::huggingface
