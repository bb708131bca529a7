// Reads the tokenizer of a sentence encoder's directory, of any kind, as Hugging Face's fast
// tokenizers read it (core/formats/huggingface/README.md#encoder-tokenizers).
#pragma once

#include <string_view>

#include "base/result.h"
#include "formats/huggingface/side_files/side_files.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::huggingface {

// Reads tokenizer.json, else vocab.txt, else vocab.json with merges.txt, else SentencePiece's model
// file, with the options of tokenizer_config.json and special_tokens_map.json. `folder` is where
// the files are ("" or "0_Transformer/"). `model_type` is that of config.json; it decides where
// tokenizer_config.json names no class. NotFound when there is no tokenizer. Unsupported, with the
// name, for a component that no kind can run.
[[nodiscard]] Result<model::TokenizerData> read_tokenizer(const SideFiles& files,
                                                          std::string_view folder,
                                                          std::string_view model_type = {});

// Mismatch, with the file as path, where the tokenizer in `folder` gives other tokens than `other`
// does. Nothing where there is no tokenizer in the folder.
[[nodiscard]] Result<void> check_same_tokens(const SideFiles& files, std::string_view folder,
                                             std::string_view model_type,
                                             const model::TokenizerData& other);

// Makes the texts lower case before they are tokenized, and keeps accents, as sentence-transformers
// does with `do_lower_case`.
[[nodiscard]] Result<void> lower_texts_first(model::TokenizerData& tokenizer);

}  // namespace ambry::formats::huggingface
