// Writes the vocabulary of a GGUF file: the values of the keys under `tokenizer.ggml.`.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "io/byte_writer.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::gguf {

// Whether the tokenizer has a value for this key.
[[nodiscard]] bool has_vocabulary_value(const model::TokenizerData& tokenizer,
                                        std::string_view key);

// Writes the value of such a key with its types. `types_as` is the stored type of token types.
[[nodiscard]] Result<void> put_vocabulary_value(const model::TokenizerData& tokenizer,
                                                std::string_view key, ValueType types_as,
                                                io::ByteWriter& writer);

// `llama`, `gpt2` and so on, for `tokenizer.ggml.model`. Returns nothing for a kind without a name.
[[nodiscard]] std::optional<std::string_view> tokenizer_model_name(model::TokenizerKind kind);

}  // namespace ambry::formats::gguf
