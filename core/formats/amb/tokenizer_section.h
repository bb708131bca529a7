// The tokenizer section in its four kinds (README.md#tokenizer).
#pragma once

#include "base/result.h"
#include "formats/amb/layout.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/model.h"

namespace ambry::formats::amb {

// With `options.vocabulary` off only the first 11 bytes are asked for, and the number of tokens is
// what the config says. `config.tokenizer` overrides and completes what the section says.
[[nodiscard]] Result<model::TokenizerData> read_tokenizer_section(
    const io::Source& source, const Sections& sections, const io::Json& config,
    io::Diagnostics& diagnostics, const model::ReadOptions& options);

}  // namespace ambry::formats::amb
