// Biases that a directory's config.json states.
#pragma once

#include "base/result.h"
#include "convert/plan/source_model.h"
#include "io/json/json.h"

namespace ambry::convert {

// Where a switch of `stated`, as config.json has it, gives matrices a bias, each such matrix must
// have one: otherwise NotFound at the switch. Biases of queries, keys, values and of feed-forward
// layers are among the tensors that a config requires (model/decoder/decoder_tensors.h).
[[nodiscard]] Result<void> check_stated_biases(const io::Json& stated, const SourceModel& source);

}  // namespace ambry::convert
