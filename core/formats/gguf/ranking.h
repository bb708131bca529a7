// What a GGUF file of a language model says of ranking documents (README.md, Rerankers).
#pragma once

#include <string_view>

#include "io/json/json.h"
#include "model/file/model.h"

namespace ambry::formats::gguf {

// Whether this value of `<architecture>.pooling_type` is that of rerankers.
[[nodiscard]] bool is_rank_pooling(const io::Json& type);

// AMB's `config.reranker`: by the tensor cls.output with the template named `rerank`, else by the
// name of a known reranker. Null for a file that says neither. What is wrong in it is refused where
// it is read.
[[nodiscard]] io::Json ranking_of(const model::Model& model, std::string_view architecture);

}  // namespace ambry::formats::gguf
