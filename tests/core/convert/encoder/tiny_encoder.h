// The tiny encoder of EMBD's fixtures as a Hugging Face directory.
#pragma once

#include <string>
#include <vector>

#include "convert/run_conversion.h"
#include "formats/embd/make_embd.h"
#include "formats/safetensors/make_safetensors.h"

namespace ambry::convert::testing {

inline SideFiles tiny_directory() {
  SideFiles files;
  files.add("config.json", R"({"model_type":"bert","vocab_size":8,"hidden_size":4,
    "num_hidden_layers":1,"num_attention_heads":2,"intermediate_size":6,
    "max_position_embeddings":6,"_name_or_path":"/home/me/tiny"})");
  files.add("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##b\n\xC3\xA9\n");
  return files;
}

inline std::string dtype_text(uint8_t code) {
  return code == 0 ? "F32" : code == 1 ? "F16" : "BF16";
}

// Tensor names start with `prefix`.
inline std::vector<formats::safetensors::testing::Tensor> as_safetensors(
    const std::string& prefix, const std::vector<formats::embd::testing::Tensor>& tensors) {
  std::vector<formats::safetensors::testing::Tensor> out;
  for (const formats::embd::testing::Tensor& tensor : tensors) {
    out.push_back({prefix + tensor.name,
                   dtype_text(tensor.dtype),
                   {tensor.shape.begin(), tensor.shape.end()},
                   formats::embd::testing::data_of(tensor)});
  }
  return out;
}

inline File tiny_safetensors(const std::string& prefix = "",
                             const std::vector<formats::embd::testing::Tensor>& tensors =
                                 formats::embd::testing::tiny_tensors()) {
  return formats::safetensors::testing::from_tensors(as_safetensors(prefix, tensors));
}

}  // namespace ambry::convert::testing
