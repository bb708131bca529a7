// The vocabulary of a GGUF file, as it is written: values of the keys under `tokenizer.ggml.`.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "formats/gguf/layout.h"
#include "io/byte_writer.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::gguf {

// Whether the tokenizer has anything to say under this key.
[[nodiscard]] bool has_vocabulary_value(const model::TokenizerData& tokenizer,
                                        std::string_view key);

// The value of such a key with its types; `types_as` is how the tokens' types are stored.
[[nodiscard]] Result<void> put_vocabulary_value(const model::TokenizerData& tokenizer,
                                                std::string_view key, ValueType types_as,
                                                io::ByteWriter& writer);

// `llama`, `gpt2`, …, for `tokenizer.ggml.model`; nothing for a kind that GGUF has no name for.
[[nodiscard]] std::optional<std::string_view> tokenizer_model_name(model::TokenizerKind kind);

}  // namespace ambry::formats::gguf
