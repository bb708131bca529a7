// The chat templates and settings of tokenizers without models, as JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "io/json/json.h"
#include "model/file/model.h"
#include "model/tokenizer/chat_templates.h"

namespace ambry::api {

// The templates of a model's file. AMB has them in its config
// (core/formats/amb/README.md#chat-template), GGUF in its metadata until the model runs.
[[nodiscard]] Result<model::ChatTemplates> stated_templates(const model::Model& model,
                                                            std::vector<Error>& warnings);

// Sets `chatTemplate` to the default or null, and `named` to the others by their names.
void put_templates(const model::ChatTemplates& templates, io::Json& info);

// {chatTemplate, named, specialTokens, lowercase?, addBos?, addEos?, warnings?}: what the files
// beside a tokenizer say (formats/huggingface/tokenizer/stated_settings.h). `sizes` is JSON of
// [[name, number of bytes], …], whose bytes follow each other.
[[nodiscard]] Result<std::string> tokenizer_settings(std::string_view sizes,
                                                     std::string_view bytes);

}  // namespace ambry::api
