// A Gemma 3n of the sizes that llama.cpp has for every one: a directory becomes AMB, that GGUF, and
// that AMB again, and all give the same bits.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "convert/decoder/decoder_directory.h"
#include "formats/gguf/gguf_decoder.h"
#include "infer/decoder/run_decoder.h"
#include "infer/decoder/synthetic_decoder.h"

namespace ambry {
namespace {

using convert::testing::ReadBack;
using infer::testing::DecoderRun;
using infer::testing::SyntheticDecoder;

constexpr int kLayers = 22;

std::string list_of_layers(const std::string& first, int n_first, const std::string& rest) {
  std::string list = "[";
  for (int layer = 0; layer < kLayers; ++layer) {
    list += (layer == 0 ? "" : ", ") + (layer < n_first ? first : rest);
  }
  return list + "]";
}

std::string amb_config() {
  return R"({"architecture": "gemma3n", "n_vocab": 23, "n_embd": 18, "n_layers": 22, "n_heads": 2,
    "n_kv_heads": 1, "head_dim": 6, "n_ff": 35, "max_seq_len": 64, "sliding_window": 5,
    "rope_freq_base": 1000000, "n_shared_kv_layers": 2, "n_embd_per_layer": 256,
    "n_vocab_per_layer": 23, "n_streams": 4, "laurel_rank": 64, "final_softcap": 30,
    "tie_word_embeddings": true, "activation_sparsity": )" +
         list_of_layers("1.6448534", 10, "null") + "}";
}

constexpr const char* kDirectoryConfig = R"({"model_type": "gemma3n_text", "vocab_size": 23,
    "hidden_size": 18, "num_hidden_layers": 22, "num_attention_heads": 2, "num_key_value_heads": 1,
    "head_dim": 6, "intermediate_size": 35, "max_position_embeddings": 64, "sliding_window": 5,
    "num_kv_shared_layers": 2, "vocab_size_per_layer_input": 23})";

ReadBack converted(const convert::testing::File& source, const convert::SideFiles& files,
                   const char* format) {
  return convert::testing::read_strictly(
      convert::testing::run(source, files, convert::testing::to(format)), format);
}

std::vector<float> last_logits(const model::Model& model, Bytes file) {
  io::Diagnostics diagnostics;
  const auto config = model::decoder_config(model, diagnostics);
  EXPECT_TRUE(config) << describe(config.error());
  if (!config) return {};
  const auto bytes = [&](size_t i) {
    const model::TensorEntry& tensor = model.tensors[i];
    return infer::testing::copy_of(
        file.subspan(static_cast<size_t>(tensor.offset), static_cast<size_t>(tensor.bytes)));
  };
  auto decoder = infer::testing::build(model, *config, bytes);
  EXPECT_TRUE(decoder) << describe(decoder.error());
  if (!decoder) return {};
  std::vector<uint32_t> ids;
  for (uint32_t i = 0; i < 40; ++i) ids.push_back(i * 7 % 23);
  DecoderRun run(*decoder);
  const auto fed = run.feed(ids);
  EXPECT_TRUE(fed) << describe(fed.error());
  return {run.logits().begin(), run.logits().end()};
}

TEST(Gemma3nGguf, GivesTheSameBitsAsTheDirectory) {
  const SyntheticDecoder made = SyntheticDecoder::make(amb_config());
  convert::testing::DecoderDirectory directory;
  directory.files.add("config.json", kDirectoryConfig);
  for (size_t i = 0; i < made.model.tensors.size(); ++i) {
    const model::TensorEntry& tensor = made.model.tensors[i];
    const auto extents = tensor.shape.extents();
    directory.tensors.push_back({"model." + tensor.name,
                                 "F32",
                                 {extents.begin(), extents.end()},
                                 {made.bytes[i].begin(), made.bytes[i].end()}});
  }
  const ReadBack amb = converted(directory.weights(), directory.files, "amb");
  const std::vector<float> expected = last_logits(amb.model, amb.file);
  ASSERT_EQ(expected.size(), 23U);
  EXPECT_NE(expected[0], expected[1]);

  const ReadBack gguf = converted(amb.file, {}, "gguf");
  const auto stack =
      std::ranges::find(gguf.model.tensors, "altup_unembd_proj.weight", &model::TensorEntry::name);
  ASSERT_NE(stack, gguf.model.tensors.end());
  EXPECT_EQ(stack->shape, (tensor::Shape{3, 18, 18}));
  EXPECT_EQ(gguf.model.metadata.find("gemma3n.altup.num_inputs")->uint(), 4U);
  EXPECT_EQ(gguf.model.metadata.find("gemma3n.attention.shared_kv_layers")->uint(), 2U);
  io::Diagnostics found;
  const auto running = formats::gguf::to_run(io::MemorySource(gguf.file), gguf.model, found);
  ASSERT_TRUE(running) << describe(running.error());
  EXPECT_EQ(last_logits(*running, gguf.file), expected);

  const ReadBack again = converted(gguf.file, {}, "amb");
  EXPECT_EQ(last_logits(again.model, again.file), expected);
}

}  // namespace
}  // namespace ambry
