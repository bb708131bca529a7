// A model file's own template for conversations.
#pragma once

#include "io/json/json.h"
#include "model/file/model.h"

namespace ambry::api {

// The text, or null for a file without one. AMB has it in its config
// (core/formats/amb/README.md#chat-template), GGUF in its metadata until the model runs.
[[nodiscard]] io::Json chat_template(const model::Model& model);

}  // namespace ambry::api
