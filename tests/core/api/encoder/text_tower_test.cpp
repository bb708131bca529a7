// The halves of CLIP and SigLIP that embed texts, from directories to vectors.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "api/encoder/embed_job.h"
#include "api/encoder/encoder_model.h"
#include "api/model/load_model.h"
#include "convert/encoder/tiny_encoder.h"
#include "convert/run_conversion.h"
#include "formats/embd/make_embd.h"

namespace ambry::api::text_towers {
namespace {

namespace embd = formats::embd::testing;
using convert::SideFiles;
using convert::testing::File;
using Tensors = std::vector<embd::Tensor>;
using Vectors = std::vector<std::vector<float>>;

constexpr const char* kSizes = R"("vocab_size":12,"hidden_size":4,"num_hidden_layers":1,
  "num_attention_heads":2,"intermediate_size":6,"max_position_embeddings":8)";

// The layers of both models, and what comes after the pooling.
Tensors tower(const Tensors& more) {
  const std::string layer = "text_model.encoder.layers.0.";
  Tensors tensors = {{"text_model.embeddings.token_embedding.weight", {12, 4}},
                     {"text_model.embeddings.position_embedding.weight", {8, 4}},
                     {"text_model.final_layer_norm.weight", {4}},
                     {"text_model.final_layer_norm.bias", {4}}};
  for (const char* norm : {"layer_norm1", "layer_norm2"}) {
    tensors.push_back({layer + norm + ".weight", {4}});
    tensors.push_back({layer + norm + ".bias", {4}});
  }
  for (const char* part : {"q_proj", "k_proj", "v_proj", "out_proj"}) {
    tensors.push_back({layer + "self_attn." + part + ".weight", {4, 4}});
    tensors.push_back({layer + "self_attn." + part + ".bias", {4}});
  }
  tensors.push_back({layer + "mlp.fc1.weight", {6, 4}});
  tensors.push_back({layer + "mlp.fc1.bias", {6}});
  tensors.push_back({layer + "mlp.fc2.weight", {4, 6}});
  tensors.push_back({layer + "mlp.fc2.bias", {4}});
  tensors.insert(tensors.end(), more.begin(), more.end());
  return tensors;
}

constexpr const char* kClipTokenizer = R"({"added_tokens":[
  {"id":10,"content":"<|startoftext|>","single_word":false,"lstrip":false,"rstrip":false,
   "normalized":true,"special":true},
  {"id":11,"content":"<|endoftext|>","single_word":false,"lstrip":false,"rstrip":false,
   "normalized":true,"special":true}],
  "normalizer":{"type":"Sequence","normalizers":[{"type":"NFC"},
   {"type":"Replace","pattern":{"Regex":"\\s+"},"content":" "},{"type":"Lowercase"}]},
  "pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":
   "'s|'t|'re|'ve|'m|'ll|'d|[\\p{L}]+|[\\p{N}]|[^\\s\\p{L}\\p{N}]+"},"behavior":"Removed",
   "invert":true},{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true}]},
  "post_processor":{"type":"RobertaProcessing","sep":["<|endoftext|>",11],
   "cls":["<|startoftext|>",10],"trim_offsets":false,"add_prefix_space":false},
  "decoder":{"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true},
  "model":{"type":"BPE","dropout":null,"unk_token":"<|endoftext|>","continuing_subword_prefix":"",
   "end_of_word_suffix":"</w>","fuse_unk":false,"vocab":{"a":0,"b":1,"!":2,"a</w>":3,"b</w>":4,
   "!</w>":5,"ab</w>":6,"c":7,"c</w>":8,"ab":9,"<|startoftext|>":10,"<|endoftext|>":11},
   "merges":["a b</w>"]}})";

struct Directory {
  SideFiles files;
  Tensors tensors;

  [[nodiscard]] Result<File> convert(std::vector<Error>* warnings = nullptr) const {
    return convert::testing::run(convert::testing::tiny_safetensors("", tensors), files, {},
                                 warnings);
  }
  [[nodiscard]] Error error() const {
    auto made = convert();
    return made ? Error() : Error(made.take_error());
  }
};

// The whole CLIP, whose half for pictures has two tensors.
Directory clip(const std::string& more = "") {
  Directory made;
  made.files.add("config.json",
                 R"({"model_type":"clip","architectures":["CLIPModel"],"projection_dim":3,
    "text_config":{"model_type":"clip_text_model","eos_token_id":2,)" +
                     std::string(kSizes) + more + R"(},"vision_config":{"hidden_size":4}})");
  made.files.add("tokenizer.json", kClipTokenizer);
  made.files.add("tokenizer_config.json",
                 R"({"tokenizer_class":"CLIPTokenizer","model_max_length":8,
    "eos_token":{"__type":"AddedToken","content":"<|endoftext|>"},"pad_token":"<|endoftext|>"})");
  made.tensors = tower({{"text_projection.weight", {3, 4}},
                        {"text_model.embeddings.position_ids", {1, 8}},
                        {"logit_scale", {1}},
                        {"vision_model.post_layernorm.weight", {4}},
                        {"visual_projection.weight", {3, 4}}});
  return made;
}

Directory siglip() {
  Directory made;
  made.files.add("config.json", R"({"model_type":"siglip","text_config":{)" + std::string(kSizes) +
                                    R"(},"vision_config":{}})");
  made.files.add("tokenizer.json", R"({"added_tokens":[
    {"id":1,"content":"</s>","single_word":false,"lstrip":true,"rstrip":true,"normalized":false,
     "special":true}],"normalizer":null,
    "pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true},
    "post_processor":{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":0}},
     {"SpecialToken":{"id":"</s>","type_id":0}}],"pair":[{"Sequence":{"id":"A","type_id":0}},
     {"SpecialToken":{"id":"</s>","type_id":0}},{"Sequence":{"id":"B","type_id":0}},
     {"SpecialToken":{"id":"</s>","type_id":0}}],
     "special_tokens":{"</s>":{"id":"</s>","ids":[1],"tokens":["</s>"]}}},
    "decoder":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true},
    "model":{"type":"Unigram","unk_id":2,"vocab":[["<pad>",0],["</s>",0],["<unk>",0],["▁a",-1],
     ["▁cat",-2],["▁",-3],["a",-4],["c",-4],["t",-4],["!",-4],["A",-4],["s",-5]]}})");
  made.files.add("tokenizer_config.json", R"({"tokenizer_class":"SiglipTokenizer",
    "pad_token":"</s>","eos_token":"</s>","model_max_length":64,"do_lower_case":true})");
  made.tensors = tower({{"text_model.head.weight", {4, 4}},
                        {"text_model.head.bias", {4}},
                        {"logit_scale", {1}},
                        {"logit_bias", {1}}});
  return made;
}

EncoderModel opened(const Directory& directory) {
  const auto file = directory.convert();
  EXPECT_TRUE(file) << describe(file.error());
  auto model = testing::load_model<EncoderModel>(*file);
  EXPECT_TRUE(model) << describe(model.error());
  return std::move(*model);
}

Vectors embedded(const EncoderModel& model, const std::vector<std::string>& texts,
                 std::string_view options = "{}") {
  auto job = EmbedJob::begin(model.runtime(), options);
  EXPECT_TRUE(job) << describe(job.error());
  for (const std::string& text : texts) job->add(text);
  const auto started = job->start();
  EXPECT_TRUE(started) << describe(started.error());
  for (bool done = false; !done;) done = *job->step();
  Vectors vectors;
  size_t at = 0;
  for (const uint32_t count : job->row_counts()) {
    const size_t size = size_t{count} * job->dim();
    const auto rows = job->result().subspan(at, size);
    vectors.emplace_back(rows.begin(), rows.end());
    at += size;
  }
  return vectors;
}

std::vector<uint32_t> ids_of(const EncoderModel& model, const char* text) {
  return model.runtime()->tokenizer->encode(text, {.add_special = true, .max_length = {}}).ids;
}

// What the layer after the pooling makes of a row of hidden states.
std::vector<float> projected(const EncoderModel& model, std::vector<float> row) {
  model.runtime()->encoder.apply_dense(row);
  return row;
}

TEST(ClipText, TakesTheHalfForTextsOutOfTheWholeModel) {
  std::vector<Error> warnings;
  const auto file = clip().convert(&warnings);
  ASSERT_TRUE(file) << describe(file.error());
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].path, "logit_scale");
  EXPECT_NE(warnings[0].message.find("2 tensors more"), std::string::npos) << warnings[0].message;
  const EncoderModel model = opened(clip());
  const model::EncoderConfig& config = model.runtime()->config;
  EXPECT_EQ(config.architecture->name, "clip_text_model");
  EXPECT_EQ(config.pooling, "lasttoken");
  EXPECT_EQ(config.embedding_size(), 3U);
  EXPECT_EQ(config.hidden_act, "quick_gelu");
  EXPECT_EQ(config.facts.end_token_id, 11U);
  const auto again = convert::testing::run(*file, {}, convert::testing::to("embd"));
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(*again, *file);
}

TEST(ClipText, PoolsTheFirstEndOfAText) {
  const EncoderModel model = opened(clip());
  EXPECT_EQ(ids_of(model, "AB  b"), (std::vector<uint32_t>{10, 6, 4, 11}));
  const Vectors whole = embedded(model, {"ab", "ab b"}, R"({"normalize":false})");
  EXPECT_NE(whole[0], whole[1]);
  EXPECT_EQ(embedded(model, {"ab <|endoftext|> b"}, R"({"normalize":false})")[0], whole[0]);
  const Vectors rows = embedded(model, {"ab"}, R"({"pooling":"none"})");
  ASSERT_EQ(rows[0].size(), 12U);  // three tokens
  EXPECT_EQ(projected(model, {rows[0].end() - 4, rows[0].end()}), whole[0]);
  const std::vector<float> unit = embedded(model, {"ab"})[0];
  EXPECT_NEAR(std::hypot(unit[0], unit[1], unit[2]), 1, 1e-6);
}

TEST(ClipText, ATokenSeesNoneOfThoseAfterIt) {
  const EncoderModel model = opened(clip());
  const Vectors rows = embedded(model, {"ab", "ab b b"}, R"({"pooling":"none"})");
  for (size_t i = 0; i < 8; ++i) EXPECT_EQ(rows[0][i], rows[1][i]) << i;
}

TEST(ClipText, TheHalfAloneMayHaveNoProjection) {
  Directory alone = clip();
  alone.files = {};
  alone.files.add("config.json", R"({"model_type":"clip_text_model",
    "architectures":["CLIPTextModel"],"projection_dim":3,)" +
                                     std::string(kSizes) + "}");
  alone.files.add("tokenizer.json", kClipTokenizer);
  alone.tensors = tower({});
  EXPECT_EQ(opened(alone).runtime()->config.embedding_size(), 4U);
}

TEST(ClipText, RefusesWhatDoesNotFit) {
  Directory wrong = clip();
  wrong.tensors.push_back(wrong.tensors.back());
  wrong.tensors.back().name = "text_model.other.weight";
  EXPECT_EQ(wrong.error().path, "text_model.other.weight");
  Directory narrow = clip();
  for (embd::Tensor& tensor : narrow.tensors) {
    if (tensor.name == "text_projection.weight") tensor.shape = {2, 4};
  }
  EXPECT_EQ(narrow.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(narrow.error().path, "text_projection.weight");
  EXPECT_EQ(clip(R"(,"hidden_act":"mish")").error().path, "config.json.text_config.hidden_act");
  Directory pooled = clip();
  pooled.files.add("modules.json", R"([{"path":"","type":"x.Transformer"},
    {"path":"1_Pooling","type":"x.Pooling"}])");
  pooled.files.add("1_Pooling/config.json", R"({"pooling_mode_mean_tokens":true})");
  EXPECT_EQ(pooled.error().code, ErrorCode::Unsupported);
}

TEST(ClipText, MayBeAModuleOfSentenceTransformers) {
  Directory inside = clip();
  SideFiles files;
  files.add("modules.json", R"([{"idx":0,"name":"0","path":"0_CLIPModel",
    "type":"sentence_transformers.models.CLIPModel"}])");
  for (const char* name : {"config.json", "tokenizer.json", "tokenizer_config.json"}) {
    files.add(std::string("0_CLIPModel/") + name, *inside.files.find(name));
  }
  inside.files = files;
  const EncoderModel model = opened(inside);
  EXPECT_FALSE(model.runtime()->config.normalize);
  EXPECT_EQ(embedded(model, {"ab"}, R"({"normalize":true})"), embedded(opened(clip()), {"ab"}));
}

TEST(SiglipText, FillsTextsAndPoolsTheLastToken) {
  const EncoderModel model = opened(siglip());
  const model::EncoderConfig& config = model.runtime()->config;
  EXPECT_EQ(config.facts.pad_token_id, 1U);
  EXPECT_EQ(config.max_seq_length, 8U);
  EXPECT_EQ(config.hidden_act, "gelu_pytorch_tanh");
  EXPECT_EQ(ids_of(model, "a cat"), (std::vector<uint32_t>{3, 4, 1}));
  const Vectors rows =
      embedded(model, {"a cat", "a a a a a a a a a a cat"}, R"({"pooling":"none"})");
  EXPECT_EQ(rows[0].size(), 32U);
  EXPECT_EQ(rows[1].size(), 32U);
  const Vectors whole = embedded(model, {"a cat"}, R"({"normalize":false})");
  EXPECT_EQ(projected(model, {rows[0].end() - 4, rows[0].end()}), whole[0]);
  // Spelled out, padding is the same.
  EXPECT_EQ(embedded(model, {"a cat</s></s></s>"}, R"({"normalize":false})")[0], whole[0]);
}

TEST(SiglipText, ReadsTextsInLowerCaseAndWithoutPunctuation) {
  const EncoderModel model = opened(siglip());
  const std::vector<uint32_t> plain = ids_of(model, "a cat");
  for (const char* text : {"A, cat!", "  a\t\ncat  ", "a -- 'CAT'.",
                           "a\xE3\x80\x80\xE2\x96\x81"
                           "cat"}) {
    EXPECT_EQ(ids_of(model, text), plain) << text;
  }
}

TEST(SiglipText, RefusesATokenizerThatKeepsCapitalLetters) {
  Directory second = siglip();
  second.files.add("tokenizer.json", kClipTokenizer);
  second.files.add("tokenizer_config.json", R"({"pad_token":"!"})");
  EXPECT_EQ(second.error().path, "tokenizer_config.json.tokenizer_class");
}

TEST(SiglipText, RefusesPaddingOnTheLeftAndAnUnknownPad) {
  Directory left = siglip();
  left.files.add("tokenizer_config.json", R"({"padding_side":"left","pad_token":"</s>"})");
  EXPECT_EQ(left.error().path, "tokenizer_config.json.padding_side");
  Directory unknown = siglip();
  unknown.files.add("tokenizer_config.json", R"({"pad_token":"[PAD]"})");
  EXPECT_EQ(unknown.error().path, "tokenizer_config.json.pad_token");
}

}  // namespace
}  // namespace ambry::api::text_towers
