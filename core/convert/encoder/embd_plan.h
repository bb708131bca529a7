// BERT sentence encoders as EMBD layout F0.
#pragma once

#include "base/result.h"
#include "convert/options.h"
#include "convert/plan.h"
#include "convert/source_files.h"
#include "convert/source_model.h"

namespace ambry::convert {

// Of safetensors with the side files of their directory. Restartable.
[[nodiscard]] Result<Plan> plan_embd(const SourceFiles& sources, const Options& options);
// Of EMBD: the other layout, another element type, other metadata; or a rewrite.
[[nodiscard]] Result<Plan> plan_embd_from_embd(const SourceFiles& sources, const Options& options);

// Of an encoder that was read elsewhere and has EMBD's metadata and names by now.
[[nodiscard]] Result<Plan> plan_embd_from_model(SourceModel source, const Options& options);

}  // namespace ambry::convert
