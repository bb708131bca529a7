// Included in one file of a module, this leaves out what only other encoders than BERT's family
// need, late interaction and heads for tokens: their tables of tensors, the general forward pass,
// and the facts of token vectors and of such heads. The linker then takes these functions instead
// of the weak ones of the core, and leaves out what can no longer be reached.
#pragma once

#include "infer/encoder/encoder_passes.h"
#include "model/encoder/architectures/architectures.h"
#include "model/encoder/encoder_config.h"
#include "model/encoder/fit_tokens.h"
#include "model/encoder/token_head.h"
#include "model/metadata/metadata_value.h"

namespace ambry {

// NOLINTBEGIN(misc-definitions-in-headers): a module has one file that includes this
model::EncoderArchitectures model::known_architectures() { return kBertFamily; }
infer::EncoderPass infer::general_encoder_pass() { return nullptr; }
void model::fit_tokens(const EncoderConfig& /*config*/, std::vector<uint32_t>& /*ids*/) {}
Result<void> model::read_late_interaction(const io::Json& metadata, EncoderConfig& /*config*/) {
  if (!has_value(metadata, kLateInteraction)) return {};
  return metadata_error(metadata, kLateInteraction, ErrorCode::Unsupported,
                        "this module does not run models with late interaction");
}
Result<void> model::read_token_head(const Model& model, EncoderConfig& /*config*/) {
  if (!has_value(model.metadata, kTokenHead)) return {};
  return metadata_error(model.metadata, kTokenHead, ErrorCode::Unsupported,
                        "this module does not run models with a head for tokens");
}
const model::HeadConfig* model::EncoderConfig::token_head() const { return nullptr; }
const model::LateInteraction* model::EncoderConfig::late_interaction() const { return nullptr; }
// NOLINTEND(misc-definitions-in-headers)

}  // namespace ambry
