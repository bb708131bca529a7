// Merges adapters into bases of every form, and compares the weights with sums in double.
#include "convert/adapter/merge_adapters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "convert/adapter/adapter_files.h"

namespace ambry::convert {
namespace {

using testing::adapted;
using testing::AdapterFile;
using testing::DecoderDirectory;
using testing::File;
using testing::gguf_adapter;
using testing::Matrix;
using testing::merged;
using testing::peft;
using testing::read_strictly;
using testing::ReadBack;
using testing::to;

// 2 heads of 8, 1 key-value head.
constexpr const char* kBase = R"({"model_type":"llama","vocab_size":10,"hidden_size":16,
  "num_hidden_layers":2,"num_attention_heads":2,"num_key_value_heads":1,"intermediate_size":32,
  "max_position_embeddings":32,"tie_word_embeddings":false})";
constexpr const char* kQuery = "model.layers.1.self_attn.q_proj.weight";
constexpr const char* kDown = "model.layers.0.mlp.down_proj.weight";

const Matrix kQueryA = Matrix::named("query a", 2, 16);
const Matrix kQueryB = Matrix::named("query b", 16, 2);
const Matrix kDownA = Matrix::named("down a", 2, 32);
const Matrix kDownB = Matrix::named("down b", 16, 2);

AdapterFile of_peft(const std::string& config = testing::kAdapterConfig, double weight = 1) {
  const std::string start = "base_model.model.model.layers.";
  return peft({kQueryA.tensor(start + "1.self_attn.q_proj.lora_A.weight"),
               kQueryB.tensor(start + "1.self_attn.q_proj.lora_B.weight"),
               kDownA.tensor(start + "0.mlp.down_proj.lora_A.weight"),
               kDownB.tensor(start + "0.mlp.down_proj.lora_B.weight")},
              config, weight);
}

// Rows of heads of 8 in the order of interleaved rotation.
Matrix interleaved(const Matrix& from) {
  Matrix made = from;
  for (uint64_t row = 0; row < from.rows; ++row) {
    const uint64_t i = row % 8;
    const uint64_t at = row - i + (i < 4 ? 2 * i : 2 * (i - 4) + 1);
    std::copy_n(from.values.begin() + static_cast<std::ptrdiff_t>(row * from.cols), from.cols,
                made.values.begin() + static_cast<std::ptrdiff_t>(at * from.cols));
  }
  return made;
}

AdapterFile of_gguf(float alpha = 4) {
  return gguf_adapter({{"blk.1.attn_q.weight.lora_a", kQueryA},
                       {"blk.1.attn_q.weight.lora_b", interleaved(kQueryB)},
                       {"blk.0.ffn_down.weight.lora_a", kDownA},
                       {"blk.0.ffn_down.weight.lora_b", kDownB}},
                      alpha);
}

struct Base {
  DecoderDirectory directory = DecoderDirectory::make(kBase, "model.");
  File weights = directory.weights();

  [[nodiscard]] File as(const char* format) const {
    auto amb = testing::run(weights, directory.files, to("amb"));
    EXPECT_TRUE(amb) << describe(amb.error());
    if (std::string_view(format) == "amb") return *amb;
    auto made = testing::run(*amb, {}, to(format));
    EXPECT_TRUE(made) << describe(made.error());
    return *made;
  }
  [[nodiscard]] std::vector<float> values(const std::string& name) const {
    for (const auto& tensor : directory.tensors) {
      if (tensor.name != name) continue;
      std::vector<float> values(tensor.data.size() / sizeof(float));
      std::memcpy(values.data(), tensor.data.data(), tensor.data.size());
      return values;
    }
    ADD_FAILURE() << name;
    return {};
  }
};

void expect_merged(const ReadBack& made, const Base& base, double scale) {
  EXPECT_EQ(made.floats(kQuery), merged(base.values(kQuery), kQueryB, kQueryA, scale));
  EXPECT_EQ(made.floats(kDown), merged(base.values(kDown), kDownB, kDownA, scale));
  constexpr const char* kOther = "model.layers.0.self_attn.q_proj.weight";
  EXPECT_EQ(made.floats(kOther), base.values(kOther));
}

TEST(MergeAdapters, OfPeftIntoADirectory) {
  const Base base;
  const auto made = adapted(base.weights, base.directory.files, {of_peft()}, to("amb"));
  expect_merged(read_strictly(made, "amb"), base, 2);
}

TEST(MergeAdapters, OfBothFormsIntoFilesOfEveryForm) {
  const Base base;
  for (const char* format : {"amb", "gguf"}) {
    const File file = base.as(format);
    for (const AdapterFile& adapter : {of_peft(), of_gguf()}) {
      SCOPED_TRACE(concat({format, adapter.config.empty() ? " gguf" : " peft"}));
      const auto made = adapted(file, {}, {adapter}, to("amb"));
      expect_merged(read_strictly(made, "amb"), base, 2);
      // The format of the base again.
      const auto same = adapted(file, {}, {adapter}, to(format));
      ASSERT_TRUE(same) << describe(same.error());
      expect_merged(read_strictly(testing::run(*same, {}, to("amb")), "amb"), base, 2);
    }
  }
  const auto made = adapted(base.weights, base.directory.files, {of_gguf()}, to("amb"));
  expect_merged(read_strictly(made, "amb"), base, 2);
}

TEST(MergeAdapters, WithTheScaleThatTheFileStates) {
  const Base base;
  const auto with = [&](const AdapterFile& adapter) {
    return read_strictly(adapted(base.weights, base.directory.files, {adapter}, to("amb")), "amb");
  };
  expect_merged(with(of_peft(R"({"peft_type":"LORA","r":2,"lora_alpha":4,"use_rslora":true})")),
                base, 4 / std::sqrt(2.0));
  expect_merged(with(of_peft(testing::kAdapterConfig, 0.5)), base, 1);
  expect_merged(with(of_gguf(0)), base, 1);
  const ReadBack made = with(of_peft(
      R"({"peft_type":"LORA","r":8,"lora_alpha":4,"rank_pattern":{"q_proj":2,"mlp.down_proj":2},
          "alpha_pattern":{"self_attn.q_proj":6,"own_proj":1}})"));
  EXPECT_EQ(made.floats(kQuery), merged(base.values(kQuery), kQueryB, kQueryA, 3));
  EXPECT_EQ(made.floats(kDown), merged(base.values(kDown), kDownB, kDownA, 2));
}

TEST(MergeAdapters, SeveralWithWeights) {
  const Base base;
  const auto made = adapted(base.weights, base.directory.files,
                            {of_peft(testing::kAdapterConfig, 0.5), of_gguf()}, to("amb"));
  expect_merged(read_strictly(made, "amb"), base, 3);
}

TEST(MergeAdapters, OfAnEmbeddingInBothForms) {
  const Base base;
  constexpr const char* kTable = "model.embed_tokens.weight";
  const Matrix left = Matrix::named("table left", 10, 2);
  const Matrix right = Matrix::named("table right", 2, 16);
  const AdapterFile of_library =
      peft({left.transposed().tensor("base_model.model.model.embed_tokens.lora_embedding_A"),
            right.transposed().tensor("base_model.model.model.embed_tokens.lora_embedding_B")});
  const AdapterFile of_llama = gguf_adapter(
      {{"token_embd.weight.lora_a", left}, {"token_embd.weight.lora_b", right.transposed()}}, 4);
  for (const AdapterFile& adapter : {of_library, of_llama}) {
    const ReadBack made =
        read_strictly(adapted(base.weights, base.directory.files, {adapter}, to("amb")), "amb");
    EXPECT_EQ(made.floats(kTable), merged(base.values(kTable), left, right, 2));
  }
}

TEST(MergeAdapters, ReplacesTensorsThatWereTrainedAsAWhole) {
  const Base base;
  const Matrix head = Matrix::named("head", 10, 16);
  const Matrix norm = Matrix::named("norm", 1, 16);
  const AdapterFile adapter =
      peft({head.tensor("base_model.model.lm_head.modules_to_save.default.weight"),
            {"base_model.model.model.norm.weight", "F32", {16}, testing::stored(norm.values)}});
  for (const char* format : {"amb", "gguf"}) {
    const ReadBack made = read_strictly(adapted(base.as(format), {}, {adapter}, to("amb")), "amb");
    EXPECT_EQ(made.floats("lm_head.weight"), head.values);
    EXPECT_EQ(made.floats("model.norm.weight"), norm.values);
  }
}

// GPT-2 stores its matrices as [in, out].
TEST(MergeAdapters, IntoMatricesThatAreStoredTransposed) {
  Base base;
  base.directory = DecoderDirectory::make(
      R"({"model_type":"gpt2","vocab_size":10,"n_embd":8,"n_layer":1,"n_head":2,
          "n_positions":16,"activation_function":"gelu_new","n_inner":32})",
      "transformer.");
  base.weights = base.directory.weights();
  constexpr const char* kJoined = "transformer.h.0.attn.c_attn.weight";
  const Matrix a = Matrix::named("a", 2, 8);
  const Matrix b = Matrix::named("b", 24, 2);
  const AdapterFile adapter =
      peft({a.tensor("base_model.model.transformer.h.0.attn.c_attn.lora_A.weight"),
            b.tensor("base_model.model.transformer.h.0.attn.c_attn.lora_B.weight")},
           R"({"peft_type":"LORA","r":2,"lora_alpha":4,"fan_in_fan_out":true})");
  const auto expected = merged(base.values(kJoined), a.transposed(), b.transposed(), 2);
  const ReadBack made =
      read_strictly(adapted(base.weights, base.directory.files, {adapter}, to("amb")), "amb");
  EXPECT_EQ(made.floats(kJoined), expected);
  const ReadBack again = read_strictly(adapted(base.as("amb"), {}, {adapter}, to("amb")), "amb");
  EXPECT_EQ(again.floats(kJoined), expected);
  // GGUF has them as [out, in].
  const auto gguf = adapted(base.as("gguf"), {}, {adapter}, to("gguf"));
  ASSERT_TRUE(gguf) << describe(gguf.error());
  const auto direct = adapted(base.as("amb"), {}, {adapter}, to("gguf"));
  ASSERT_TRUE(direct) << describe(direct.error());
  const ReadBack from_gguf = read_strictly(testing::run(*gguf, {}, to("amb")), "amb");
  EXPECT_EQ(from_gguf.floats(kJoined),
            read_strictly(testing::run(*direct, {}, to("amb")), "amb").floats(kJoined));
}

// Half of one matrix of the file is one tensor of the model.
TEST(MergeAdapters, IntoAMatrixThatIsSplit) {
  Base base;
  base.directory = DecoderDirectory::make(
      R"({"model_type":"granite","vocab_size":10,"hidden_size":16,"num_hidden_layers":1,
          "num_attention_heads":2,"num_key_value_heads":1,"intermediate_size":8,
          "max_position_embeddings":32,"tie_word_embeddings":false})",
      "model.");
  auto& tensors = base.directory.tensors;
  const auto take = [&](const std::string& name) {
    const auto found =
        std::ranges::find_if(tensors, [&](const auto& tensor) { return tensor.name == name; });
    EXPECT_NE(found, tensors.end()) << name;
    auto taken = *found;
    tensors.erase(found);
    return taken;
  };
  auto joined = take("model.layers.0.mlp.gate_proj.weight");
  const auto up = take("model.layers.0.mlp.up_proj.weight");
  joined.name = "model.layers.0.shared_mlp.input_linear.weight";
  joined.shape[0] *= 2;
  joined.data += up.data;
  tensors.push_back(joined);
  auto down = take("model.layers.0.mlp.down_proj.weight");
  down.name = "model.layers.0.shared_mlp.output_linear.weight";
  tensors.push_back(down);
  base.weights = base.directory.weights();
  base.directory.files.add(
      "config.json",
      R"({"model_type":"granitemoehybrid","vocab_size":10,"hidden_size":16,"num_hidden_layers":1,
          "num_attention_heads":2,"num_key_value_heads":1,"intermediate_size":8,
          "shared_intermediate_size":8,"max_position_embeddings":32,"tie_word_embeddings":false,
          "layer_types":["attention"],"num_local_experts":0,"position_embedding_type":"rope"})");
  const Matrix a = Matrix::named("a", 2, 16);
  const Matrix b = Matrix::named("b", 16, 2);
  const std::string module = "base_model.model.model.layers.0.shared_mlp.input_linear";
  const AdapterFile adapter =
      peft({a.tensor(module + ".lora_A.weight"), b.tensor(module + ".lora_B.weight")});
  const auto expected = merged(base.values(joined.name), b, a, 2);
  const ReadBack made =
      read_strictly(adapted(base.weights, base.directory.files, {adapter}, to("amb")), "amb");
  const size_t half = expected.size() / 2;
  const std::vector<float> gate(expected.begin(), expected.begin() + static_cast<long>(half));
  const std::vector<float> other(expected.begin() + static_cast<long>(half), expected.end());
  EXPECT_EQ(made.floats("model.layers.0.mlp.gate_proj.weight"), gate);
  EXPECT_EQ(made.floats("model.layers.0.mlp.up_proj.weight"), other);
}

}  // namespace
}  // namespace ambry::convert
