#include "api/tokenizer/tokenizer_trial.h"

namespace ambry::api {
namespace {

Result<void> look_at_kind(model::Model& model) {
  if (model.tokenizer->kind != model::TokenizerKind::Custom) return {};
  return make_error(ErrorCode::Unsupported, "tokenizer",
                    "the tokenizer is of a kind that may not be supported");
}

// Set once, before the first use.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
TokenizerTrial g_trial = look_at_kind;

}  // namespace

void set_tokenizer_trial(TokenizerTrial trial) { g_trial = trial; }

Result<void> check_tokenizer(model::Model& model) {
  if (model.tokenizer) return g_trial(model);
  return make_error(ErrorCode::NotFound, "tokenizer", "there is no tokenizer");
}

}  // namespace ambry::api
