// Any of the five formats to safetensors: every tensor under its own name, all facts
// and the vocabulary as texts in the metadata.
#pragma once

#include "base/result.h"
#include "convert/options.h"
#include "convert/plan.h"
#include "convert/source_files.h"

namespace ambry::convert {

// Metadata that is text stays as it is, other values become JSON. Under `ambry.` follow the
// format, its facts as JSON (`config`), the vocabulary as JSON (`tokenizer` or `words`), and the
// tokenizer's own file (`tokenizer.json`, or `tokenizer.model` in base64). AMB's quantised tensors
// need a type to become, or a lossy conversion to F16; integers stay integers, beside the scales
// that EMBD and tinyRuntime have for them. Linear layers of EMBD's layout F1 are turned. The widest
// types come first, so that every tensor is aligned.
[[nodiscard]] Result<Plan> plan_safetensors(const SourceFiles& sources, const Options& options);

}  // namespace ambry::convert
