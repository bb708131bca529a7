// Rewrites a file in its own format, strictly: the same metadata and tokenizer, and the same bytes
// of each tensor.
#pragma once

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/plan.h"
#include "convert/plan/source_files.h"
#include "convert/plan/source_model.h"
#include "formats/registry.h"
#include "model/file/file_layout.h"
#include "model/file/model.h"

namespace ambry::convert {

// Lays out the model in its own format and updates the offsets of its tensors. Unsupported when the
// format cannot be written, or not without changing tensors.
[[nodiscard]] Result<model::FileLayout> make_same_layout(const formats::Format& format,
                                                         model::Model& model);

// Whether the options ask for no change, except possibly the source's own format.
[[nodiscard]] bool asks_for_no_change(const Options& options);

[[nodiscard]] Result<Plan> rewrite(SourceModel source);
// For any format. Unsupported when the options ask for a change.
[[nodiscard]] Result<Plan> plan_rewrite(const SourceFiles& sources, const Options& options);

}  // namespace ambry::convert
