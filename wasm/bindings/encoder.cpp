// Sentence encoders: embedding and scoring.
#include <emscripten/bind.h>

#include <string>

#include "api/encoder/embed_job.h"
#include "api/encoder/encoder_model.h"
#include "api/encoder/score_job.h"
#include "bindings/kind.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::EmbedJob;
using api::EncoderModel;
using api::ScoreJob;
using api::TextJob;

const Kind kEncoders = kind_of<EncoderModel>();

JsText begin_embed(Handle model, const std::string& options) {
  return with<EncoderModel>(model, [&](const EncoderModel& encoder) {
    return EmbedJob::begin(encoder.runtime(), options);
  });
}

const Kind kEmbed("embed", begin_embed);

JsText begin_score(Handle model, const std::string& options) {
  return with<EncoderModel>(model, [&](const EncoderModel& encoder) {
    return ScoreJob::begin(encoder.runtime(), options);
  });
}

const Kind kScore("score", begin_score);

JsText add_pair(Handle job, const JsBytes& first, const JsBytes& second) {
  return with<TextJob>(job, [&](TextJob& texts) -> Result<void> {
    texts.add_pair(text_of(first), text_of(second));
    return {};
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_encoder) { emscripten::function("addPair", &add_pair); }

}  // namespace ambry::wasm
