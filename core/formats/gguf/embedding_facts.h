// What GGUF states of embeddings and of ranking.
#pragma once

#include <string_view>

#include "io/json/json.h"
#include "model/file/model.h"

namespace ambry::formats::gguf {

// Adds the pooling, the dense layers after it and whether tokens see later ones. llama.cpp gives
// vectors of length 1. Files whose tokens do not see later ones and that state no pooling only
// generate text.
void add_embedding(const model::Model& model, std::string_view architecture, io::Json& config);

}  // namespace ambry::formats::gguf
