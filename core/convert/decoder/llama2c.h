// The checkpoints of llama2.c, and the tokenizer file that its programs read beside them. The
// format without a version, which has no magic either, and version 1 (`ak42`) are float32. Version
// 2 has int8 matrices in groups. All values are little-endian, matrices are [out, in], and the rows
// of query and key are in interleaved order.
//
//   7 int32: dim, hidden_dim, n_layers, n_heads, n_kv_heads, vocab_size, seq_len; a negative
//   vocab_size means that the output has its own matrix
//   token_embedding; then for all layers each of: rms_att, wq, wk, wv, wo, rms_ffn, w1 (gate),
//   w2 (down), w3 (up); rms_final; two unused tables of seq_len × head_size / 2;
//   the output, if it has its own matrix
//
// Version 1: `ak42` as an int32, int32 1, the 7 int32, u8 whether the output shares the embedding,
// zeros up to byte 256; then rms_att, rms_ffn, rms_final, token_embedding, wq, wk, wv, wo, w1, w2,
// w3, and the output if it has its own matrix.
//
// Version 2: like version 1, with an int32 group_size after the u8. group_size divides dim, so
// groups of consecutive elements divide each matrix, but not necessarily each row. A matrix is all
// its int8 codes, then a float32 scale for each group. Norms are float32.
//
// The tokenizer (`tokenizer.bin`): int32 longest token; then for each of the vocab_size tokens
// float32 score, int32 length, text with plain spaces.
#pragma once

#include <string_view>

#include "base/result.h"
#include "convert/source_files.h"
#include "convert/source_model.h"
#include "io/source.h"

namespace ambry::convert {

inline constexpr std::string_view kLlama2cMagic = "24ka";  // of versions 1 and 2
inline constexpr std::string_view kLlama2cTokenizer = "tokenizer.bin";

// Whether the file is a checkpoint. Without a magic, its seven integers must be plausible and must
// give the file's exact size.
[[nodiscard]] Result<bool> probe_llama2c(const io::Source& source);

// Reads tensors under Hugging Face's names, the config under AMB's names, and the tokenizer from
// the side file `tokenizer.bin` if there is one. Unsupported for versions after 2. Mismatch when
// the file's size differs from the size that its header implies. On NeedBytes, load the bytes and
// call it again.
[[nodiscard]] Result<SourceModel> read_llama2c(const SourceFiles& sources);

}  // namespace ambry::convert
