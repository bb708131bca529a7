#include "api/tokenizer/chat_template.h"

#include "formats/gguf/metadata/tokenizer_keys.h"

namespace ambry::api {

using io::Json;

Json chat_template(const model::Model& model) {
  const Json* settings = model.config.find("tokenizer");
  const Json* given = settings == nullptr ? nullptr : settings->find("chat_template");
  if (given == nullptr) given = model.metadata.find(formats::gguf::kChatTemplateKey);
  return given != nullptr && given->is_string() ? Json(given->string()) : Json();
}

}  // namespace ambry::api
