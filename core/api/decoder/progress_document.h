// The progress of a job that passes tokens through a decoder, as JSON.
#pragma once

#include "generate/run/decoder_run.h"
#include "io/json/json.h"

namespace ambry::api {

// PassProgress of wasm/declarations/types.d.mts: {part, done, loaded, total}.
[[nodiscard]] io::Json progress_document(const generate::PassProgress& progress);

}  // namespace ambry::api
