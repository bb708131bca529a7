// Reads AMB's `config.tokenizer` (core/formats/amb/README.md#tokenizer-options): the settings that
// the tokenizer section cannot hold. Other decoder formats are converted to these settings on the
// way to AMB.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::model {

// Overrides and completes `tokenizer`. Absent settings keep their values. `path` starts the paths
// of errors. BadValue for a value of the wrong type.
[[nodiscard]] Result<void> read_tokenizer_options(const io::Json& options, std::string_view path,
                                                  TokenizerData& tokenizer);

// The settings that `tokenizer` states, of kinds other than WordPiece, as read_tokenizer_options()
// reads them.
[[nodiscard]] io::Json tokenizer_options_json(const TokenizerData& tokenizer);

// Sets `eos_id` to all ids that end an answer, if the tokenizer's section does not say as much.
void put_end_ids(const TokenizerData& tokenizer, io::Json& options);

// What byte-level BPE does with a text first: as stated, or as its pre-tokenizer's models do.
[[nodiscard]] std::vector<TextChange> text_changes_of(const TokenizerData& tokenizer);

}  // namespace ambry::model
