// Static encoders: embedding.
#include <emscripten/bind.h>

#include <string>

#include "api/static_encoder/static_encoder_model.h"
#include "bindings/model_kind.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::StaticEmbedJob;
using api::StaticEncoderModel;

const ModelKind kStaticEncoders = ModelKind::of<StaticEncoderModel>();

JsText begin_embed(Handle model, const std::string& options) {
  return with<StaticEncoderModel>(model, [&](const StaticEncoderModel& encoder) {
    return StaticEmbedJob::begin(encoder.runtime(), options);
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_static) { emscripten::function("beginStaticEmbed", &begin_embed); }

}  // namespace ambry::wasm
