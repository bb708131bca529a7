// The checkpoints of llama2.c: the one without a version, which has no magic either, and version 1
// (`ak42`), both of float32, and version 2, whose matrices are int8 in groups; with the tokenizer
// file that its programs read beside them. Numbers are little-endian, matrices [out, in], query and
// key rows in pairs of neighbours.
//
//   7 int32: dim, hidden_dim, n_layers, n_heads, n_kv_heads, vocab_size, seq_len; a negative
//   vocab_size says that the output is a matrix of its own
//   token_embedding; then each for all layers: rms_att, wq, wk, wv, wo, rms_ffn, w1 (gate),
//   w2 (down), w3 (up); rms_final; two tables of seq_len × head_size / 2 that nobody reads;
//   the output, if it is its own
//
// Version 1: `ak42` as an int32, int32 1, the 7 int32, u8 whether the output is the embedding,
// zeros up to 256; then rms_att, rms_ffn, rms_final, token_embedding, wq, wk, wv, wo, w1, w2, w3,
// the output, if it is its own.
//
// Version 2: as version 1, with an int32 group_size after the u8. It divides dim, so that groups of
// consecutive elements divide every matrix, though not each of its rows. A matrix is all its int8
// codes, then a float32 scale for each group; norms are float32.
//
// The tokenizer (`tokenizer.bin`): int32 longest token, then for each of the vocab_size tokens
// float32 score, int32 length, text with plain spaces.
#pragma once

#include <string_view>

#include "base/result.h"
#include "convert/source_files.h"
#include "convert/source_model.h"
#include "io/source.h"

namespace ambry::convert {

inline constexpr std::string_view kLlama2cTokenizer = "tokenizer.bin";

// Without a magic, whether the seven numbers make sense and give the file's size to the byte.
[[nodiscard]] Result<bool> probe_llama2c(const io::Source& source);

// Tensors under Hugging Face's names, config under AMB's, the tokenizer of the side file
// `tokenizer.bin` if there is one. Unsupported for versions after 2, Mismatch when the file has
// another size than its head says. Restartable.
[[nodiscard]] Result<SourceModel> read_llama2c(const SourceFiles& sources);

}  // namespace ambry::convert
