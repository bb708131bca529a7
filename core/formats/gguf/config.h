// The facts that a GGUF file states about its model, with the names of
// model/decoder/decoder_config.h.
#pragma once

#include <string>
#include <string_view>

#include "io/json/json.h"
#include "model/file/model.h"

namespace ambry::formats::gguf {

// Reads the architecture's keys and the tensors. Null without an architecture.
[[nodiscard]] io::Json config_of(const model::Model& model);

// The value of `<architecture>.<suffix>`, or nullptr.
[[nodiscard]] const io::Json* architecture_value(const model::Model& model,
                                                 std::string_view suffix);

// The path of the metadata that states the fact `config.<name>`, for errors. Any other path stays.
[[nodiscard]] std::string path_of_fact(const model::Model& model, std::string_view path);

}  // namespace ambry::formats::gguf
