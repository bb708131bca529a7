// What config.json of language models with state spaces (Mamba-2) states: granitemoehybrid,
// falcon_h1 and nemotron_h.
#pragma once

#include <string_view>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::formats::huggingface {

// Whether these functions are for this `model_type`. Of granitemoehybrid only those with a layer of
// Mamba are; the others are a granite.
[[nodiscard]] bool has_state_spaces(std::string_view model_type, const io::Json& stated);

// Adds the family's facts to AMB's config. `stated` is config.json. Unsupported for layers of
// experts and for switches that no published model turns; BadValue for sizes that do not fit.
[[nodiscard]] Result<void> read_state_spaces(std::string_view model_type, const io::Json& stated,
                                             io::Json& config);

}  // namespace ambry::formats::huggingface
