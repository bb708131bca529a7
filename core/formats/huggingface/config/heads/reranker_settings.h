// How the directory of a language model ranks documents: by the LogitScore module of its
// modules.json, as sentence-transformers does, or as the card of a known model says
// (model/decoder/config/known_rerankers.h).
#pragma once

#include <optional>

#include "base/result.h"
#include "formats/huggingface/side_files/file_values.h"
#include "io/json/json.h"
#include "model/decoder/config/reranker_config.h"

namespace ambry::formats::huggingface {

// Nothing for a directory that says nothing of it. `values` is its config.json, and `config` AMB's.
// NotFound without a token for a match; BadValue for an id outside the vocabulary; Unsupported for
// a setting that would change a score. Paths have the file and the key.
[[nodiscard]] Result<std::optional<model::RerankerConfig>> read_reranker(const SideFiles& files,
                                                                         const FileValues& values,
                                                                         const io::Json& config);

// Whether a directory says it.
[[nodiscard]] bool states_reranker(const SideFiles& files, const FileValues& values);

}  // namespace ambry::formats::huggingface
