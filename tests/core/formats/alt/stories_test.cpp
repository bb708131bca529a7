// Real weights: stories260K in the names and the row order of ALT, with its own tokenizer.
#include <array>

#include "data_files.h"
#include "formats/alt/read_alt.h"
#include "formats/expect_format.h"

namespace ambry::formats::alt {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): our own folder's

constexpr int32_t kDim = 64;
constexpr int32_t kInner = 172;
constexpr int32_t kLayers = 5;
constexpr int32_t kHeads = 8;
constexpr int32_t kKvHeads = 4;
constexpr int32_t kVocab = 512;
constexpr size_t kHeadSize = 8;

// llama2.c's groups, each stacked over the layers, in file order.
class Groups {
 public:
  explicit Groups(File file) : file_(std::move(file)) {}

  // The next `rows`×`columns` floats of every layer.
  std::vector<std::string> take(size_t n_layers, size_t rows, size_t columns) {
    std::vector<std::string> layers;
    for (size_t i = 0; i < n_layers; ++i) {
      const size_t bytes = rows * columns * sizeof(float);
      layers.emplace_back(reinterpret_cast<const char*>(file_.data()) + at_, bytes);
      at_ += bytes;
    }
    return layers;
  }

 private:
  File file_;
  size_t at_ = 28;
};

// Meta's layout turns neighbours (2j, 2j+1) of a head, ALT the halves: even rows first, then odd.
std::string halves_first(const std::string& rows, size_t n_rows) {
  const size_t row_bytes = rows.size() / n_rows;
  std::string result;
  for (size_t head = 0; head < n_rows; head += kHeadSize) {
    for (const size_t odd : {size_t{0}, size_t{1}}) {
      for (size_t i = odd; i < kHeadSize; i += 2) {
        result += rows.substr((head + i) * row_bytes, row_bytes);
      }
    }
  }
  return result;
}

std::vector<Token> read_tokens(const File& file) {
  std::vector<Token> tokens;
  for (size_t at = 4; at < file.size();) {
    const auto length = load_le<uint32_t>(file.data() + at + 4);
    tokens.push_back({std::string(as_text(Bytes(file).subspan(at + 8, length)))});
    at += 8 + length;
  }
  return tokens;
}

V1Maker convert(const File& weights, const File& tokens) {
  Groups groups(weights);
  const auto embedding = groups.take(1, kVocab, kDim);
  const auto attention_norm = groups.take(kLayers, 1, kDim);
  const auto query = groups.take(kLayers, kDim, kDim);
  const auto key = groups.take(kLayers, kKvHeads * kHeadSize, kDim);
  const auto value = groups.take(kLayers, kKvHeads * kHeadSize, kDim);
  const auto output = groups.take(kLayers, kDim, kDim);
  const auto mlp_norm = groups.take(kLayers, 1, kDim);
  const auto gate = groups.take(kLayers, kInner, kDim);
  const auto down = groups.take(kLayers, kDim, kInner);
  const auto up = groups.take(kLayers, kInner, kDim);
  const auto norm = groups.take(1, 1, kDim);

  V1Maker maker;
  maker.tokens = read_tokens(tokens);
  maker.hidden_size = kDim;
  maker.n_layers = kLayers;
  maker.intermediate_size = kInner;
  maker.n_heads = kHeads;
  maker.n_kv_heads = kKvHeads;
  maker.head_size = kHeadSize;
  maker.context_length = 512;
  constexpr int32_t kKv = kKvHeads * static_cast<int32_t>(kHeadSize);
  maker.tensors = {{"model.embed_tokens.weight", {kVocab, kDim}, 0, embedding[0]}};
  for (size_t i = 0; i < kLayers; ++i) {
    const std::string layer = "model.layers." + std::to_string(i) + ".";
    const std::vector<Tensor> more = {
        {layer + "input_layernorm.weight", {kDim}, 0, attention_norm[i]},
        {layer + "self_attn.q_proj.weight", {kDim, kDim}, 0, halves_first(query[i], kDim)},
        {layer + "self_attn.k_proj.weight", {kKv, kDim}, 0, halves_first(key[i], kKv)},
        {layer + "self_attn.v_proj.weight", {kKv, kDim}, 0, value[i]},
        {layer + "self_attn.o_proj.weight", {kDim, kDim}, 0, output[i]},
        {layer + "post_attention_layernorm.weight", {kDim}, 0, mlp_norm[i]},
        {layer + "mlp.gate_proj.weight", {kInner, kDim}, 0, gate[i]},
        {layer + "mlp.up_proj.weight", {kInner, kDim}, 0, up[i]},
        {layer + "mlp.down_proj.weight", {kDim, kInner}, 0, down[i]}};
    maker.tensors.insert(maker.tensors.end(), more.begin(), more.end());
  }
  maker.tensors.push_back({"model.norm.weight", {kDim}, 0, norm[0]});
  return maker;
}

TEST(AltStories, AreAModelWhosePiecesNeedSpelling) {
  AMBRY_NEEDS_DATA("stories260k");
  V1Maker maker = convert(*ambry::testing::data_file("stories260k/stories260K.bin"),
                          *ambry::testing::data_file("stories260k/tok512.bin"));
  const File file = maker.make();
  expect_tolerated(file, "tokenizer.tokens", maker.places.tokens[0]);
  const model::Model model = *read_leniently(file).model;
  EXPECT_EQ(model.tensors.size(), 47U);
  EXPECT_EQ(model.tokenizer->vocabulary.size(), 512U);
  EXPECT_EQ(model.tokenizer->vocabulary[260], "he");
  uint64_t n_weights = 0;
  for (const auto& tensor : model.tensors) n_weights += tensor.bytes / 4;
  EXPECT_EQ(n_weights, 260'032U);
}

}  // namespace
}  // namespace ambry::formats::alt
