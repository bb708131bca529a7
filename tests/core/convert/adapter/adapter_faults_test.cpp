// Adapters that do not fit are refused by name and byte, before any matrix is read.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "convert/adapter/adapter_files.h"
#include "convert/adapter/merge_adapters.h"

namespace ambry::convert {
namespace {

using testing::adapted;
using testing::AdapterFile;
using testing::DecoderDirectory;
using testing::File;
using testing::gguf_adapter;
using testing::Matrix;
using testing::peft;
using testing::to;

constexpr const char* kTiny = R"({"model_type":"llama","vocab_size":10,"hidden_size":8,
  "num_hidden_layers":1,"num_attention_heads":2,"num_key_value_heads":1,"intermediate_size":12,
  "max_position_embeddings":32,"tie_word_embeddings":true})";
const std::string kModule = "base_model.model.model.layers.0.mlp.up_proj";

struct Sides {
  std::string module = kModule;
  uint64_t rows = 12;
  uint64_t columns = 8;
  uint64_t left_rank = 2;
};

AdapterFile with(const Sides& sides, const std::string& config = testing::kAdapterConfig,
                 double weight = 1) {
  const Matrix a = Matrix::named("a", 2, sides.columns);
  const Matrix b = Matrix::named("b", sides.rows, sides.left_rank);
  return peft(
      {a.tensor(sides.module + ".lora_A.weight"), b.tensor(sides.module + ".lora_B.weight")},
      config, weight);
}

Error refusal(const AdapterFile& adapter, const char* format = "amb") {
  const DecoderDirectory base = DecoderDirectory::make(kTiny, "model.");
  const auto made = adapted(base.weights(), base.files, {adapter}, to(format));
  EXPECT_FALSE(made);
  return made ? Error() : made.error();
}

void expect(const Error& error, ErrorCode code, const std::string& path,
            const std::string& message) {
  EXPECT_EQ(error.code, code) << describe(error);
  EXPECT_EQ(error.path, path);
  EXPECT_NE(error.message.find(message), std::string::npos) << error.message;
}

const std::string kFile = "adapter[0]/adapter_model.safetensors: ";

TEST(AdapterFaults, TakesOneThatFits) {
  const DecoderDirectory base = DecoderDirectory::make(kTiny, "model.");
  EXPECT_TRUE(adapted(base.weights(), base.files, {with({})}, to("amb")));
}

TEST(AdapterFaults, NamesWhatDoesNotFitTheBase) {
  const Error unknown = refusal(with({.module = "base_model.model.model.layers.7.mlp.up_proj"}));
  expect(unknown, ErrorCode::NotFound,
         kFile + "base_model.model.model.layers.7.mlp.up_proj.lora_B.weight",
         "the base has no weight model.layers.7.mlp.up_proj.weight");
  EXPECT_NE(unknown.byte_offset, kNoOffset);
  const Error wide = refusal(with({.columns = 9}));
  expect(wide, ErrorCode::Mismatch, kFile + kModule + ".lora_A.weight",
         "shape is [2, 9], which does not fit model.layers.0.mlp.up_proj.weight [12, 8]");
  EXPECT_NE(wide.byte_offset, kNoOffset);
  expect(refusal(with({.rows = 11})), ErrorCode::Mismatch, kFile + kModule + ".lora_B.weight",
         "shape is [11, 2]");
  expect(refusal(with({.left_rank = 3})), ErrorCode::Mismatch, kFile + kModule + ".lora_A.weight",
         "does not fit");
  expect(refusal(with({.module = "base_model.model.model.norm", .rows = 8, .columns = 8})),
         ErrorCode::Unsupported, kFile + "base_model.model.model.norm.lora_B.weight",
         "is no matrix");
}

TEST(AdapterFaults, NamesAMatrixThatIsMissing) {
  const Matrix a = Matrix::named("a", 2, 8);
  expect(refusal(peft({a.tensor(kModule + ".lora_A.weight")})), ErrorCode::NotFound,
         kFile + kModule + ".lora_A.weight", "the other matrix");
  AdapterFile bare = with({});
  bare.config.clear();
  expect(refusal(bare), ErrorCode::NotFound, "adapter[0]/adapter_config.json", "missing");
}

// The one matrix of a tied embedding is used twice, and an adapter changes one of the uses.
TEST(AdapterFaults, LeavesTiedEmbeddingsAlone) {
  const Matrix whole = Matrix::named("table", 10, 8);
  expect(refusal(peft({whole.tensor("base_model.model.model.embed_tokens.weight")})),
         ErrorCode::Unsupported, kFile + "base_model.model.model.embed_tokens.weight",
         "as its output, too");
  expect(refusal(gguf_adapter({{"token_embd.weight.lora_a", Matrix::named("a", 10, 2)},
                               {"token_embd.weight.lora_b", Matrix::named("b", 8, 2)}},
                              4)),
         ErrorCode::Unsupported, kFile + "token_embd.weight.lora_a", "as its output, too");
}

TEST(AdapterFaults, NamesOtherKindsOfAdapters) {
  const std::pair<const char*, const char*> kSettings[] = {
      {"use_dora", "true"},
      {"lora_bias", "true"},
      {"layer_replication", "[[0,1]]"},
      {"target_parameters", R"(["experts"])"},
      {"trainable_token_indices", "[3]"},
      {"init_lora_weights", R"("pissa_niter_4")"},
      {"alpha_pattern", R"({".*q_proj":2})"}};
  for (const auto& [key, value] : kSettings) {
    const std::string config =
        concat({R"({"peft_type":"LORA","r":2,"lora_alpha":4,")", key, "\":", value, "}"});
    const Error error = refusal(with({}, config));
    expect(error, ErrorCode::Unsupported, concat({"adapter[0]/adapter_config.json.", key}), "");
    EXPECT_EQ(error.byte_offset, config.find(value));
  }
  expect(refusal(with({}, R"({"peft_type":"IA3"})")), ErrorCode::Unsupported,
         "adapter[0]/adapter_config.json.peft_type", "IA3");
  expect(refusal(with({}, R"({"peft_type":"LORA","r":0,"lora_alpha":4})")), ErrorCode::BadValue,
         "adapter[0]/adapter_config.json.r", "0");
  expect(refusal(with({}, R"({"peft_type":"LORA","r":4,"lora_alpha":4})")), ErrorCode::Mismatch,
         kFile + kModule + ".lora_A.weight", "the rank is 2, but adapter_config.json says 4");
  expect(refusal(peft({Matrix::named("m", 1, 8).tensor(kModule + ".lora_magnitude_vector")})),
         ErrorCode::Unsupported, kFile + kModule + ".lora_magnitude_vector", "plain LoRA");
}

TEST(AdapterFaults, OfGgufNameTheirMetadata) {
  const Matrix a = Matrix::named("a", 2, 8);
  const Matrix b = Matrix::named("b", 12, 2);
  expect(refusal(gguf_adapter(
             {{"blk.0.ffn_up.weight.lora_a", a}, {"blk.0.ffn_up.weight.lora_b", b}}, 4, "gemma")),
         ErrorCode::Mismatch, kFile + "metadata.general.architecture",
         R"(the adapter is for "gemma", but the base is "llama")");
  expect(refusal(gguf_adapter({{"blk.0.ffn_up.weight", b}}, 4)), ErrorCode::Unsupported,
         kFile + "blk.0.ffn_up.weight", "no matrix of a LoRA");
  testing::gg::GgufMaker model;
  expect(refusal({model.make(), "", 1}), ErrorCode::NotFound, kFile + "metadata.general.type",
         "adapter");
}

TEST(AdapterFaults, TakeOneTensorOnlyOnceAndWhole) {
  const std::vector<testing::st::Tensor> norm = {
      {"base_model.model.model.norm.weight", "F32", {8}, std::string(32, '\0')}};
  expect(refusal(peft(norm, testing::kAdapterConfig, 0.5)), ErrorCode::Unsupported,
         kFile + "base_model.model.model.norm.weight", "no weight but 1");
  const DecoderDirectory base = DecoderDirectory::make(kTiny, "model.");
  const auto twice = adapted(base.weights(), base.files, {peft(norm), peft(norm)}, to("amb"));
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().path,
            "adapter[1]/adapter_model.safetensors: base_model.model.model.norm.weight");
}

TEST(AdapterFaults, AreForModelsAlone) {
  const std::string words = "2 2\nking 1 2\nqueen 3 4\n";
  Options options = to("finalfusion");
  options.from = "textdims";
  const auto made = adapted(File(words.begin(), words.end()), {}, {with({})}, options);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().path, "options.adapter");
}

}  // namespace
}  // namespace ambry::convert
