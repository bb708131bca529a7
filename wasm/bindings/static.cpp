// Static encoders: embedding.
#include <string>

#include "api/static_encoder/static_encoder_model.h"
#include "bindings/kind.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::StaticEmbedJob;
using api::StaticEncoderModel;

const Kind kStaticEncoders = kind_of<StaticEncoderModel>();

JsText begin_embed(Handle model, const std::string& options) {
  return with<StaticEncoderModel>(model, [&](const StaticEncoderModel& encoder) {
    return StaticEmbedJob::begin(encoder.runtime(), options);
  });
}

const Kind kEmbed("staticEmbed", begin_embed);

}  // namespace

}  // namespace ambry::wasm
