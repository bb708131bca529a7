// ALT v1's config, and the checks that a model fits it.
#pragma once

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/plan.h"
#include "model/decoder/decoder_config.h"

namespace ambry::convert {

// Gives the plan's target ALT's config and no metadata. Unsupported for models that are not
// structured like Mistral's. Pieces whose scores do not follow their ids, and a chat template, are
// losses.
[[nodiscard]] Result<void> fit_into_alt(const model::DecoderConfig& facts, const Options& options,
                                        Plan& plan);

}  // namespace ambry::convert
