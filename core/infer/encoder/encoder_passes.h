// The forward passes of a module.
#pragma once

#include <span>

#include "base/result.h"
#include "infer/encoder/encoder.h"

namespace ambry::infer {

// The pass for models with BERT's facts.
[[nodiscard]] Result<void> plain_pass(const EncoderWeights& weights, EncoderScratch& scratch,
                                      std::span<const Sequence> batch, bool first_only,
                                      std::span<float> out);

// The pass for models with any facts, or nullptr in a module that leaves this pass out. Such a
// module has a definition of its own (api/encoder/bert_family_only.h), which replaces the one here.
[[nodiscard]] EncoderPass general_encoder_pass();

}  // namespace ambry::infer
