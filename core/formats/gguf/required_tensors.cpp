#include "formats/gguf/required_tensors.h"

#include <algorithm>
#include <array>
#include <span>

namespace ambry::formats::gguf {
namespace {

enum class Extent : uint8_t {
  None,
  Vocab,
  Embd,
  Query,          // all heads
  KeyValue,       // all key-value heads
  QueryKeyValue,  // rows q | k | v
  Ff,
  TwoFf,  // rows gate | up
  Positions,
  TokenTypes,
};
using enum Extent;

// `output.weight` may always be missing. Then the token embedding is used.
struct Row {
  std::string_view name;  // without `.weight`; `#` stands before the names in layers
  Extent rows;
  Extent cols = None;
};

constexpr std::array<Row, 11> kLlama = {{{"token_embd", Vocab, Embd},
                                         {"output_norm", Embd},
                                         {"#attn_norm", Embd},
                                         {"#attn_q", Query, Embd},
                                         {"#attn_k", KeyValue, Embd},
                                         {"#attn_v", KeyValue, Embd},
                                         {"#attn_output", Embd, Query},
                                         {"#ffn_norm", Embd},
                                         {"#ffn_gate", Ff, Embd},
                                         {"#ffn_up", Ff, Embd},
                                         {"#ffn_down", Embd, Ff}}};
constexpr std::array<Row, 8> kPhi3 = {{{"token_embd", Vocab, Embd},
                                       {"output_norm", Embd},
                                       {"#attn_norm", Embd},
                                       {"#attn_qkv", QueryKeyValue, Embd},
                                       {"#attn_output", Embd, Query},
                                       {"#ffn_norm", Embd},
                                       {"#ffn_up", TwoFf, Embd},
                                       {"#ffn_down", Embd, Ff}}};
constexpr std::array<Row, 7> kPhi2 = {{{"token_embd", Vocab, Embd},
                                       {"output_norm", Embd},
                                       {"output", Vocab, Embd},
                                       {"#attn_norm", Embd},
                                       {"#attn_output", Embd, Query},
                                       {"#ffn_up", Ff, Embd},
                                       {"#ffn_down", Embd, Ff}}};
constexpr std::array<Row, 9> kGpt2 = {{{"token_embd", Vocab, Embd},
                                       {"position_embd", Positions, Embd},
                                       {"output_norm", Embd},
                                       {"#attn_norm", Embd},
                                       {"#attn_qkv", QueryKeyValue, Embd},
                                       {"#attn_output", Embd, Query},
                                       {"#ffn_norm", Embd},
                                       {"#ffn_up", Ff, Embd},
                                       {"#ffn_down", Embd, Ff}}};
constexpr std::array<Row, 12> kBert = {{{"token_embd", Vocab, Embd},
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
                                        {"#layer_output_norm", Embd}}};

struct Table {
  std::string_view architecture;
  std::span<const Row> rows;
};
constexpr std::array<Table, 6> kTables = {{{"llama", kLlama},
                                           {"gemma", kLlama},
                                           {"phi3", kPhi3},
                                           {"phi2", kPhi2},
                                           {"gpt2", kGpt2},
                                           {"bert", kBert}}};

uint64_t size_of(Extent extent, const Sizes& sizes) {
  const uint64_t query = sizes.n_heads * sizes.head_dim;
  const uint64_t key_value = sizes.n_kv_heads * sizes.head_dim;
  switch (extent) {
    case Vocab:
      return sizes.n_vocab;
    case Embd:
      return sizes.n_embd;
    case Query:
      return query;
    case KeyValue:
      return key_value;
    case QueryKeyValue:
      return query + 2 * key_value;
    case Ff:
      return sizes.n_ff;
    case TwoFf:
      return 2 * sizes.n_ff;
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

std::optional<std::vector<model::TensorSpec>> required_tensors(std::string_view architecture,
                                                               const Sizes& sizes) {
  const auto* table = std::ranges::find(kTables, architecture, &Table::architecture);
  if (table == kTables.end()) return std::nullopt;
  std::vector<model::TensorSpec> specs;
  for (const Row& row : table->rows) {
    if (row.name.starts_with('#')) continue;
    specs.push_back(spec_of(row, concat({row.name, ".weight"}), sizes));
  }
  for (uint64_t layer = 0; layer < sizes.n_layers; ++layer) {
    for (const Row& row : table->rows) {
      if (!row.name.starts_with('#')) continue;
      specs.push_back(
          spec_of(row, concat({"blk.", layer, ".", row.name.substr(1), ".weight"}), sizes));
    }
  }
  return specs;
}

}  // namespace ambry::formats::gguf
