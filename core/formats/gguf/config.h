// What a GGUF file says about its model, in the names of model/decoder/decoder_config.h.
#pragma once

#include <string_view>

#include "io/json/json.h"
#include "model/model.h"

namespace ambry::formats::gguf {

// From the keys under the architecture's name and from the tensors; null without an architecture.
[[nodiscard]] io::Json config_of(const model::Model& model);

// The value of `<architecture>.<suffix>`; nullptr when absent.
[[nodiscard]] const io::Json* architecture_value(const model::Model& model,
                                                 std::string_view suffix);

}  // namespace ambry::formats::gguf
