// The tokenizer of a sentence encoder that brings only SentencePiece's model file. Hugging Face
// makes a tokenizer.json of it by rules of the tokenizer's class, and so does this
// (core/formats/huggingface/README.md#encoder-tokenizers).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "io/json/json.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::huggingface {

// `proto` is the file `name`. `class_name` is the tokenizer's class without `Fast`; if it is empty,
// `model_type` decides. `options` is tokenizer_config.json. Unsupported for another class, and for
// a model that is not Unigram.
[[nodiscard]] Result<model::TokenizerData> read_unigram_pieces(const std::string& proto,
                                                               std::string_view name,
                                                               std::string_view class_name,
                                                               std::string_view model_type,
                                                               const io::Json& options);

}  // namespace ambry::formats::huggingface
