// Converts any of the five formats to safetensors: each tensor under its own name, and all facts
// and the vocabulary as text in the metadata.
#pragma once

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/plan.h"
#include "convert/plan/source_files.h"

namespace ambry::convert {

// Text metadata stays unchanged; other values become JSON. `ambry.` keys hold the format, its facts
// as JSON (`config`), the vocabulary as JSON (`tokenizer` or `words`), and the tokenizer's own file
// (`tokenizer.json`, or `tokenizer.model` in base64). AMB's quantized tensors need a target dtype,
// or a lossy conversion to F16. Integers stay integers next to their scales (EMBD, tinyRuntime).
// Linear layers of EMBD's layout F1 are transposed. The widest types come first, so that each
// tensor is aligned.
[[nodiscard]] Result<Plan> plan_safetensors(const SourceFiles& sources, const Options& options);

}  // namespace ambry::convert
