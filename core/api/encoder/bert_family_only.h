// Included in one file of a module, this leaves out what only other encoders than BERT's family
// need: their tables of tensors and the general forward pass. The linker then takes these functions
// instead of the weak ones of the core.
#pragma once

#include "infer/encoder/encoder_passes.h"
#include "model/encoder/architectures/architectures.h"

namespace ambry {

// NOLINTBEGIN(misc-definitions-in-headers): a module has one file that includes this
model::EncoderArchitectures model::known_architectures() { return kBertFamily; }
infer::EncoderPass infer::general_encoder_pass() { return nullptr; }
// NOLINTEND(misc-definitions-in-headers)

}  // namespace ambry
