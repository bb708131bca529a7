// Decoder language models as AMB or ALT, wherever they come from: their tensors under Hugging
// Face's names, their facts under those of AMB's config.
#pragma once

#include "base/result.h"
#include "convert/options.h"
#include "convert/plan.h"
#include "convert/source_model.h"

namespace ambry::convert {

// Both take a model whose config has what model/decoder/decoder_config.h reads. Rows of query and
// key matrices that pair neighbours (rope_style interleaved) are put into the order of halves.
// NotFound or Mismatch, naming the expected shape, for a tensor that is missing or has another one;
// Unsupported for a tensor that the architecture does not have, unless the options are lossy.
[[nodiscard]] Result<Plan> plan_decoder_as_amb(SourceModel source, const Options& options);
// Unsupported, too, for what ALT v1 has no words for.
[[nodiscard]] Result<Plan> plan_decoder_as_alt(SourceModel source, const Options& options);

}  // namespace ambry::convert
