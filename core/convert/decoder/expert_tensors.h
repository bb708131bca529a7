// The matrices of a mixture of experts, which directories have under several names and forms.
#pragma once

#include "base/result.h"
#include "convert/plan/source_model.h"
#include "io/json/json.h"

namespace ambry::convert {

// Names all experts and routers alike (`…mlp.experts.0.gate_proj.weight`, `…mlp.gate.weight`), and
// makes tensors of their own of the experts that a file has in one tensor [experts, rows, columns],
// also where gate and up follow each other in it. Mismatch for another number of experts than
// `config` states; Unsupported for a type that cannot be divided.
[[nodiscard]] Result<void> split_decoder_experts(const io::Json& config, SourceModel& source);

}  // namespace ambry::convert
