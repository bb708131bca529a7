// How the directory of a model with late interaction describes it. There are two layouts: that of
// ColBERT's own code, which has `artifact.metadata`, and that of PyLate, a sentence-transformers
// directory without Pooling (core/formats/huggingface/README.md#late-interaction).
#pragma once

#include "base/result.h"
#include "formats/huggingface/side_files/file_values.h"
#include "formats/huggingface/side_files/side_files.h"
#include "model/encoder/encoder_config.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::huggingface {

// The projection in the main weights of ColBERT's layout.
inline constexpr const char* kColbertProjection = "linear.weight";

// Whether config.json (`values`) is of ColBERT's layout.
[[nodiscard]] bool is_colbert(const FileValues& values);

// Reads artifact.metadata to config.late and config.dense. NotFound without the file, for a marker
// that is no token, and where queries are filled and there is no [MASK]. Unsupported for another
// similarity or interaction than ColBERT's, and for a list of punctuation where the tokenizer is
// not WordPiece.
[[nodiscard]] Result<void> read_colbert(const SideFiles& files,
                                        const model::TokenizerData& tokenizer,
                                        model::EncoderConfig& config);

// Reads config_sentence_transformers.json to config.late, with the defaults of PyLate. Errors as
// above; Unsupported for another similarity than MaxSim.
[[nodiscard]] Result<void> read_pylate(const SideFiles& files,
                                       const model::TokenizerData& tokenizer,
                                       model::EncoderConfig& config);

}  // namespace ambry::formats::huggingface
