// What an architecture makes of the tokens of a text before they run.
#pragma once

#include <cstdint>
#include <vector>

#include "model/encoder/encoder_config.h"

namespace ambry::model {

// Leaves out what follows the first token that ends a text (EncoderFacts::end_token_id), and fills
// the text up (EncoderFacts::filled). Does nothing in a module that does not run such architectures
// (api/encoder/bert_family_only.h).
void fit_tokens(const EncoderConfig& config, std::vector<uint32_t>& ids);

}  // namespace ambry::model
