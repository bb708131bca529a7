// Converts decoder language models from any source to AMB or ALT, with Hugging Face's tensor names
// and the facts of AMB's config.
#pragma once

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/plan.h"
#include "convert/plan/source_model.h"

namespace ambry::convert {

// Plans AMB of a model whose config model/decoder/decoder_config.h can read. Rows of query and key
// matrices with rope_style interleaved are reordered to halves. NotFound or Mismatch, with the
// expected shape, for a tensor that is missing or has another shape. Unsupported for a tensor that
// the architecture does not have, unless the options are lossy.
[[nodiscard]] Result<Plan> plan_decoder_as_amb(SourceModel source, const Options& options);
// Plans ALT of such a model. Unsupported, too, for facts that ALT v1 cannot state.
[[nodiscard]] Result<Plan> plan_decoder_as_alt(SourceModel source, const Options& options);

}  // namespace ambry::convert
