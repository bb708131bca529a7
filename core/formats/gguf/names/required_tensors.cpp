#include "formats/gguf/names/required_tensors.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "formats/gguf/names/state_space_names.h"
#include "model/decoder/decoder_tensors.h"

namespace ambry::formats::gguf {
namespace {

enum class Extent : uint8_t { None, Vocab, Embd, Query, KeyValue, Ff, Positions, TokenTypes };
using enum Extent;

struct Row {
  std::string_view name;  // without `.weight`; `#` stands before the names in layers
  Extent rows;
  Extent cols = None;
};

constexpr auto kBert = std::to_array<Row>({{"token_embd", Vocab, Embd},
                                           {"token_types", TokenTypes, Embd},
                                           {"position_embd", Positions, Embd},
                                           {"token_embd_norm", Embd},
                                           {"#attn_q", Query, Embd},
                                           {"#attn_k", KeyValue, Embd},
                                           {"#attn_v", KeyValue, Embd},
                                           {"#attn_output", Embd, Query},
                                           {"#attn_output_norm", Embd},
                                           {"#ffn_up", Ff, Embd},
                                           {"#ffn_down", Embd, Ff},
                                           {"#layer_output_norm", Embd}});

uint64_t size_of(Extent extent, const Sizes& sizes) {
  switch (extent) {
    case Vocab:
      return sizes.n_vocab;
    case Embd:
      return sizes.n_embd;
    case Query:
      return sizes.n_heads * sizes.head_dim;
    case KeyValue:
      return sizes.n_kv_heads * sizes.head_dim;
    case Ff:
      return sizes.n_ff;
    case Positions:
      return sizes.max_seq_len;
    case TokenTypes:
      return 2;
    case None:
      break;
  }
  return 0;
}

model::TensorSpec spec_of(const Row& row, std::string name, const Sizes& sizes) {
  model::TensorSpec spec;
  spec.name = std::move(name);
  spec.shape.push_back(size_of(row.rows, sizes));
  if (row.cols != None) spec.shape.push_back(size_of(row.cols, sizes));
  return spec;
}

}  // namespace

std::vector<model::TensorSpec> required_bert_tensors(const Sizes& sizes) {
  std::vector<model::TensorSpec> specs;
  for (const Row& row : kBert) {
    if (row.name.starts_with('#')) continue;
    specs.push_back(spec_of(row, concat({row.name, ".weight"}), sizes));
  }
  for (uint64_t layer = 0; layer < sizes.n_layers; ++layer) {
    for (const Row& row : kBert) {
      if (!row.name.starts_with('#')) continue;
      specs.push_back(
          spec_of(row, concat({"blk.", layer, ".", row.name.substr(1), ".weight"}), sizes));
    }
  }
  return specs;
}

std::vector<model::TensorSpec> required_decoder_tensors(const GgufArchitecture& architecture,
                                                        const model::DecoderConfig& facts,
                                                        const model::TensorIndex& stored) {
  std::vector<model::TensorSpec> specs;
  for (const model::DecoderTensor& tensor : model::decoder_tensors(facts)) {
    if (tensor.spec.optional || tensor.bias || tensor.role == model::DecoderRole::Output) continue;
    if (tensor.expert != model::kNoExpert && tensor.expert > 0) continue;
    const auto name = gguf_name_of(architecture, tensor.spec.name);
    if (!name) continue;
    const TensorName parts = split_name(*name);
    const std::string pattern = pattern_of_experts(split_name(tensor.spec.name).pattern);
    const bool joined = std::ranges::any_of(architecture.names, [&](const GgufName& row) {
      return row.part != Part::All &&
             model::decoder_tensor_key(row.other) == model::decoder_tensor_key(pattern) &&
             stored.find(join_name(row.gguf, parts)) != nullptr;
    });
    if (joined) continue;
    const tensor::Shape& shape = tensor.spec.shape;
    // One tensor has all experts of a layer.
    specs.push_back({*name, tensor.expert == 0
                                ? tensor::Shape{facts.experts.count, shape[0], shape[1]}
                                : gguf_shape(parts.pattern, facts, shape)});
  }
  return specs;
}

}  // namespace ambry::formats::gguf
