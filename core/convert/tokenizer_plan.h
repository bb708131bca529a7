// The tokenizer of a directory as a file without weights.
#pragma once

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/plan.h"
#include "convert/plan/source_files.h"

namespace ambry::convert {

// Stores what the conversion to `options.to` (amb or embd) stores of the tokenizer, so that reading
// the file gives the ids that the opened model gets. Only the small files are read. Where the model
// itself cannot be opened, the files of the tokenizer count alone, and they may become the other
// format. Errors name the file; NotFound without such files.
[[nodiscard]] Result<Plan> plan_tokenizer(const SourceFiles& sources, const Options& options);

}  // namespace ambry::convert
