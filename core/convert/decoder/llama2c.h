// The checkpoints of llama2.c (import/llama2c_layout.h), and the tokenizer file that its programs
// read beside them.
//
// The tokenizer (`tokenizer.bin`): int32 longest token; then for each of the vocab_size tokens
// float32 score, int32 length, text with plain spaces.
#pragma once

#include <string_view>

#include "base/result.h"
#include "convert/plan/source_files.h"
#include "convert/plan/source_model.h"

namespace ambry::convert {

inline constexpr std::string_view kLlama2cTokenizer = "tokenizer.bin";

// Reads tensors under Hugging Face's names, the config under AMB's names, and the tokenizer from
// the side file `tokenizer.bin` if there is one. Unsupported for versions after 2. Mismatch when
// the file's size differs from the size that its header implies. On NeedBytes, load the bytes and
// call it again.
[[nodiscard]] Result<SourceModel> read_llama2c(const SourceFiles& sources);

}  // namespace ambry::convert
