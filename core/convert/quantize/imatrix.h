// llama.cpp's files of importance (`llama-imatrix`): sums of squares of what each matrix of a model
// was multiplied by.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "model/decoder/decoder_activations.h"

namespace ambry::convert {

// Both forms: GGUF files with the tensors NAME.in_sum2 and NAME.counts, and the older form without
// a magic. The file names matrices as GGUF does. Those of experts, and of other roles, are left
// out, and what the file does not have is not known (DecoderActivations::partial). BadValue,
// Truncated or LimitExceeded for damaged files, and BadValue where no name is one of a decoder's
// matrices.
[[nodiscard]] Result<model::DecoderActivations> read_imatrix(Bytes file);

}  // namespace ambry::convert
