// The architectures of sentence encoders, and lists of them.
#pragma once

#include <array>

#include "model/encoder/encoder_architecture.h"

namespace ambry::model {

extern const EncoderArchitecture kBert;

// Those that BERT's forward pass runs: a table of positions, norms after the layers, no gate.
inline constexpr std::array kBertFamily = {&kBert};

// All of them.
inline constexpr std::array kEveryArchitecture = {&kBert};

// Those that this module reads and runs: all, or what a definition in the module says
// (api/encoder/bert_family_only.h).
[[nodiscard]] EncoderArchitectures known_architectures();

}  // namespace ambry::model
