// The classification head of an encoder in GGUF: the tensors `cls`, `cls.norm` and `cls.output`,
// and the labels in `<architecture>.classifier.output_labels`.
#pragma once

#include <vector>

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "formats/gguf/names/encoder_names.h"
#include "io/json/json.h"
#include "model/encoder/head/head_config.h"
#include "model/file/model.h"

namespace ambry::convert {

// llama.cpp's number of the pooling of rerankers: the head on the first token.
inline constexpr uint32_t kRankPooling = 4;

// Sets the labels in EMBD's `metadata`, if `gguf` has a head. Labels that the file does not state
// are LABEL_0, LABEL_1 and so on, as in Transformers. NotFound for a reranker without a head.
// Unsupported for a head that lacks a part of its architecture's. Mismatch and BadValue for labels
// that do not fit the head.
[[nodiscard]] Result<void> add_gguf_head(const model::Model& gguf,
                                         const formats::gguf::GgufEncoder& encoder,
                                         io::Json& metadata);

// Sets the labels of a BERT's head in GGUF's `metadata`. llama.cpp applies tanh after `cls` and
// gives the outputs of `cls.output`; Unsupported for heads that do otherwise.
[[nodiscard]] Result<void> put_gguf_head(const model::HeadConfig& head, const Options& options,
                                         io::Json& metadata, std::vector<Error>& warnings);

}  // namespace ambry::convert
