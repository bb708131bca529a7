// The layout of llama2.c's checkpoints. The format without a version, which has no magic either,
// and version 1 (`ak42`) are float32. Version 2 has int8 matrices in groups. All values are
// little-endian, matrices are [out, in], and the rows of query and key are in interleaved order.
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
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::convert {

inline constexpr std::string_view kLlama2cMagic = "24ka";  // of versions 1 and 2

struct Llama2cHead {
  uint32_t dim = 0;
  uint32_t hidden = 0;
  uint32_t layers = 0;
  uint32_t heads = 0;
  uint32_t kv_heads = 0;
  uint32_t vocab = 0;
  uint32_t positions = 0;
  bool own_output = false;
  int32_t version = 0;
  uint32_t group_size = 0;  // only in version 2

  [[nodiscard]] uint64_t head_dim() const { return dim / heads; }
  [[nodiscard]] uint64_t kv_dim() const { return head_dim() * kv_heads; }
};

// Unsupported for versions after 2. On NeedBytes, load the bytes and call it again.
[[nodiscard]] Result<Llama2cHead> read_llama2c_head(const io::Source& source);

struct Llama2cTensors {
  std::vector<model::TensorEntry> tensors;  // in file order, under Hugging Face's names
  std::map<std::string, model::TensorEntry, std::less<>> scales;  // by the name of the codes
  uint64_t end = 0;                                               // the size of the file
};
[[nodiscard]] Llama2cTensors llama2c_tensors(const Llama2cHead& head);

// Whether the file is a checkpoint. Without a magic, its seven integers must be plausible and must
// give the file's exact size.
[[nodiscard]] Result<bool> probe_llama2c(const io::Source& source);

}  // namespace ambry::convert
