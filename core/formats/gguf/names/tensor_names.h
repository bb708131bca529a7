// The names of tensors in GGUF and in Hugging Face's files, with one table for each architecture in
// tensor_names.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ambry::formats::gguf {

// Which rows of GGUF's tensor the other tensor has, or which one of three matrices that GGUF
// stacks; of one expert, which half of the rows. Shared: all rows, of the part that all tokens take
// in a file with experts.
enum class Part : uint8_t { All, Query, Key, Value, Shared, First, Second, Third };

// `#` stands for the layer's index, and `*` for that of an expert: GGUF has one tensor for all
// experts of a layer. The names have no `.weight` or `.bias`.
struct GgufName {
  std::string_view gguf;
  std::string_view other;
  Part part = Part::All;
  bool permuted = false;  // whether converters to GGUF permute its rows for interleaved rotation
  bool whole = false;     // whether these are the whole names: `ssm_dt.bias` is `dt_bias`
};

// llama.cpp's name of the gemma3 whose tokens see later ones, and of the two layers after its
// pooling, which have neither bias nor activation.
inline constexpr std::string_view kGemmaEmbedding = "gemma-embedding";
inline constexpr auto kDenseTensors = std::to_array<std::string_view>({"dense_2", "dense_3"});

// The layer of rerankers made of language models: the rows of the output for two tokens.
inline constexpr std::string_view kRankTensor = "cls.output";

// llama.cpp's numbers of poolings, by their place. It has a fifth, of rerankers.
inline constexpr auto kPoolingTypes =
    std::to_array<std::string_view>({"none", "mean", "cls", "lasttoken"});
inline constexpr uint64_t kRankPooling = 4;

struct GgufArchitecture {
  std::string_view gguf;   // `general.architecture`
  std::string_view other;  // the name in decoder_config.h
  std::span<const GgufName> names;
  // A model with a pooling of its own, which files state for others, as they may state that tokens
  // see later ones.
  bool is_encoder = false;
};

// Returns nullptr when there is no table. Several of our architectures may be one in GGUF: mistral
// is llama.
[[nodiscard]] const GgufArchitecture* find_gguf_architecture(std::string_view gguf);
[[nodiscard]] const GgufArchitecture* gguf_architecture_for(std::string_view other);
// GGUF's names of the decoders with a table, each once.
[[nodiscard]] std::vector<std::string_view> gguf_decoder_names();

// The parts of a name: `blk.3.attn_q.weight` is {"blk.#.attn_q", ".weight", 3}.
struct TensorName {
  std::string pattern;
  std::string_view ending;  // with its dot; empty when the tensor is neither a weight nor a bias
  std::optional<uint32_t> layer;
};
[[nodiscard]] TensorName split_name(std::string_view name);
// GGUF's name of the tensor that has this other name, which may leave out what
// model::decoder_tensor_key() ignores; nothing when the architecture has no such tensor.
[[nodiscard]] std::optional<std::string> gguf_name_of(const GgufArchitecture& architecture,
                                                      std::string_view other);
// The other name of GGUF's tensor `name` by this row; nothing when the row is of another tensor.
[[nodiscard]] std::optional<std::string> other_name_of(const GgufName& row, const TensorName& name);
// GGUF's name by this row of the tensor with the other name `name`.
[[nodiscard]] std::string gguf_name_by(const GgufName& row, const TensorName& name);
// Whether GGUF's tensor of this row has all experts of a layer.
[[nodiscard]] constexpr bool is_of_experts(const GgufName& row) {
  return row.other.find('*') != std::string_view::npos;
}
// The name of one expert's tensor, from a name with `*`, and back from the pattern of a name.
[[nodiscard]] std::string name_of_expert(std::string_view name, uint64_t expert);
[[nodiscard]] std::string pattern_of_experts(std::string pattern);
// The pattern with the layer and ending of `name`.
[[nodiscard]] std::string join_name(std::string_view pattern, const TensorName& name);

}  // namespace ambry::formats::gguf
