// Reads the tokenizer section, which has four kinds (README.md#tokenizer).
#pragma once

#include "base/result.h"
#include "formats/amb/amb_layout.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::formats::amb {

// Without `options.vocabulary`, only the first 11 bytes are requested, and the config gives the
// number of tokens. `config.tokenizer` overrides and completes the section.
[[nodiscard]] Result<model::TokenizerData> read_tokenizer_section(
    const io::Source& source, const Sections& sections, const io::Json& config,
    io::Diagnostics& diagnostics, const model::ReadOptions& options);

}  // namespace ambry::formats::amb
