// GGUF files that run as they are, beside the AMB files that they are converted to.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "api/decoder/open_generator.h"
#include "api/decoder/runnable_gguf.h"
#include "api/tokenizer/token_lists.h"
#include "base/half.h"
#include "convert/gguf/gguf_models.h"
#include "convert/run_conversion.h"
#include "formats/amb/make_amb.h"
#include "formats/gguf/gguf_parse.h"
#include "formats/gguf/split_gguf.h"

namespace ambry::api {
namespace {

namespace gg = formats::gguf::testing;
namespace models = convert::testing;
using formats::amb::testing::AmbMaker;
using formats::amb::testing::tiny_config;
using formats::gguf::ValueType;
using testing::answer;
using testing::File;
using testing::fill_sink;
using testing::logits;
using testing::open_generator;
using testing::runnable;
using testing::set_values;

constexpr const char* kPrompt = R"({"ids": [1, 5, 6, 4, 2, 7], "all": true})";

gg::GgufMaker llama() { return runnable(models::llama()); }

File made(const gg::GgufMaker& maker) {
  File file = runnable(maker).make();
  set_values(file);
  return file;
}

File to_format(const File& file, const char* format) {
  auto target = models::run(file, {}, models::to(format));
  EXPECT_TRUE(target) << describe(target.error());
  return target ? std::move(*target) : File();
}

GeneratorModel open_gguf(const File& file, std::string_view settings = "{}") {
  auto session = open_generator(file, settings);
  EXPECT_TRUE(session) << describe(session.error());
  return std::move(session).value();
}

std::vector<float> logits_of(const File& file, std::string_view settings = "{}") {
  GeneratorModel session = open_gguf(file, settings);
  auto rows = logits(session, file, "", kPrompt);
  EXPECT_TRUE(rows) << describe(rows.error());
  return rows ? std::move(*rows) : std::vector<float>();
}

void expect_meaningful(const std::vector<float>& rows) {
  ASSERT_EQ(rows.size(), 6U * 8);
  EXPECT_TRUE(std::ranges::all_of(rows, [](float x) { return std::isfinite(x); }));
  EXPECT_NE(rows[0], rows[1]);
  EXPECT_NE(rows[0], rows[8]);
}

TEST(GgufGenerator, GivesTheLogitsOfItsConversion) {
  const std::pair<const char*, gg::GgufMaker> kMakers[] = {{"gemma", models::gemma()},
                                                           {"phi2", models::phi2()},
                                                           {"phi3", models::phi3()},
                                                           {"gpt2", models::gpt2()}};
  for (const auto& [name, maker] : kMakers) {
    const File file = made(maker);
    const std::vector<float> rows = logits_of(file);
    expect_meaningful(rows);
    EXPECT_EQ(rows, logits_of(to_format(file, "amb"))) << name;
  }
}

// The file states one end, another has a key of its own, and a third is known by its text.
TEST(GgufGenerator, EndsAtAllEnds) {
  gg::GgufMaker maker = models::gpt2();
  maker.entry("tokenizer.ggml.eos_token_id") = gg::u32("tokenizer.ggml.eos_token_id", 1);
  maker.metadata.push_back(gg::u32("tokenizer.ggml.eot_token_id", 4));
  for (const File& file : {made(maker), to_format(made(maker), "amb")}) {
    auto opened = open_generator(file, "{}");
    ASSERT_TRUE(opened) << describe(opened.error());
    EXPECT_NE(opened->info().find(R"("endIds":[1,4,7])"), std::string::npos);
    for (const char* id : {"1", "4", "7"}) {
      const auto ended = answer(
          *opened, file, "", std::string(R"({"ids": [2], "logitBias": {")") + id + R"(": 1000}})");
      ASSERT_TRUE(ended) << describe(ended.error());
      EXPECT_EQ(ended->stop, "eos") << id;
      EXPECT_TRUE(ended->ids.empty());
    }
    const auto goes_on =
        answer(*opened, file, "", R"({"ids": [2], "maxTokens": 3, "logitBias": {"5": 1000}})");
    ASSERT_TRUE(goes_on) << describe(goes_on.error());
    EXPECT_EQ(goes_on->ids.size(), 3U);
  }
}

// A conversion reorders the rows of query and key, and thus the terms of their products.
TEST(GgufGenerator, RotatesLlamaInPairsAsStored) {
  const File file = made(llama());
  const std::vector<float> rows = logits_of(file);
  const std::vector<float> converted = logits_of(to_format(file, "amb"));
  expect_meaningful(rows);
  ASSERT_EQ(rows.size(), converted.size());
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_NEAR(rows[i], converted[i], 2e-4F) << i;
  EXPECT_EQ(open_gguf(file).info(), open_gguf(file).info());
}

TEST(GgufGenerator, GivesTheLogitsOfAnInterleavedModelBitForBit) {
  AmbMaker maker;
  maker.config = tiny_config(R"(, "rope_style": "interleaved")");
  const File amb = maker.make();
  GeneratorModel a = open_gguf(amb);
  const File gguf = to_format(amb, "gguf");
  GeneratorModel b = open_gguf(gguf);
  const char* prompt = R"({"ids": [6, 2, 3, 0], "all": true})";
  const auto rows = logits(a, amb, "", prompt);
  ASSERT_TRUE(rows) << describe(rows.error());
  EXPECT_EQ(*rows, logits(b, gguf, "", prompt).value());
}

TEST(GgufGenerator, TokenizesAsItsConversion) {
  for (const gg::GgufMaker& maker : {llama(), models::gpt2()}) {
    const File file = made(maker);
    const GeneratorModel a = open_gguf(file);
    const File amb = to_format(file, "amb");
    const GeneratorModel b = open_gguf(amb);
    for (const char* text : {"", "a", " a", "a  a", "ab", "abab a<|user|>a", "<s>a", "A\n"}) {
      for (const bool special : {true, false}) {
        EXPECT_EQ(tokenize(**a.tokenizer(), text, nullptr, special).value(),
                  tokenize(**b.tokenizer(), text, nullptr, special).value())
            << text;
      }
    }
    EXPECT_EQ(detokenize(**a.tokenizer(), "[5,6,7]", false).value(),
              detokenize(**b.tokenizer(), "[5,6,7]", false).value());
  }
}

TEST(GgufGenerator, DescribesTheFile) {
  gg::GgufMaker maker = llama();
  maker.metadata.push_back(gg::text("tokenizer.chat_template", "{{ messages }}"));
  const File file = made(maker);
  const auto info = io::parse_json(open_gguf(file).info());
  ASSERT_TRUE(info);
  EXPECT_EQ(info->find("format")->string(), "gguf");
  EXPECT_EQ(info->find("metadata")->find("general.name")->string(), "tiny");
  EXPECT_EQ(info->find("tokenizer")->find("type")->string(), "sentencepiece_bpe");
  const auto& tensors = info->find("tensors")->items();
  ASSERT_EQ(tensors.size(), maker.tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_EQ(tensors[i].find("name")->string(), maker.tensors[i].name);
  }
  const io::Json& generator = *info->find("generator");
  EXPECT_EQ(generator.find("architecture")->string(), "llama");
  EXPECT_EQ(generator.find("context")->uint(), 16U);
  EXPECT_EQ(generator.find("vocabulary")->uint(), 8U);
  EXPECT_EQ(generator.find("chatTemplate")->string(), "{{ messages }}");
  EXPECT_EQ(generator.find("endIds")->items()[0].uint(), 2U);
}

TEST(GgufGenerator, RunsWithAFewLayersInMemory) {
  for (const gg::GgufMaker& maker : {llama(), models::phi2(), models::gpt2()}) {
    const File file = made(maker);
    const std::vector<float> rows = logits_of(file);
    GeneratorModel whole = open_gguf(file);
    const std::string resident = std::to_string(whole.weight_bytes() * 3 / 4);
    EXPECT_EQ(logits_of(file, concat({R"({"resident": )", resident, "}"})), rows);
  }
}

TEST(GgufGenerator, TakesIdsWithoutATokenizer) {
  gg::GgufMaker maker = llama();
  std::erase_if(maker.metadata, [](const auto& e) { return e.key.starts_with("tokenizer."); });
  const File file = made(maker);
  GeneratorModel session = open_gguf(file);
  EXPECT_EQ(logits(session, file, "", kPrompt).value(), logits_of(made(llama())));
  const auto refused = logits(session, file, "a", "{}");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(refused.error().path, "tokenizer");
}

// The values of the factors are read with the head, wherever they are in the file.
TEST(GgufGenerator, ReadsTheFactorsOfRotation) {
  gg::GgufMaker maker = llama();
  maker.tensors.push_back({"rope_freqs.weight", {8}});
  File file = maker.make();
  set_values(file);
  const model::Model parsed = models::parsed(file, "gguf");
  const auto& factors = models::tensor_of(parsed, "rope_freqs.weight");
  for (size_t i = 0; i < 8; ++i) {
    store_le(file.data() + factors.offset + 4 * i, 1.0F + 4 * static_cast<float>(i));
  }
  const std::vector<float> rows = logits_of(file);
  EXPECT_NE(rows, logits_of(made(llama())));
  const std::vector<float> converted = logits_of(to_format(file, "amb"));
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_NEAR(rows[i], converted[i], 2e-4F) << i;

  io::PartialSource source(file.size());
  auto begun = GeneratorLoader::begin(source, "{}");
  std::vector<uint64_t> asked;
  while (!begun && begun.error().code == ErrorCode::NeedBytes) {
    const Error& need = begun.error();
    asked.push_back(need.byte_offset);
    ASSERT_LT(asked.size(), 20U);
    const uint64_t size = std::min<uint64_t>(need.need_size, file.size() - need.byte_offset);
    ASSERT_TRUE(source.insert(
        need.byte_offset,
        Bytes(file).subspan(static_cast<size_t>(need.byte_offset), static_cast<size_t>(size))));
    begun = GeneratorLoader::begin(source, "{}");
  }
  EXPECT_TRUE(begun) << describe(begun.error());
}

struct Fault {
  const char* what;
  std::function<void(gg::GgufMaker&)> damage;
  ErrorCode code;
  const char* path;
  const char* message;
};

gg::Tensor& tensor_in(gg::GgufMaker& maker, std::string_view name) {
  return *std::ranges::find(maker.tensors, name, &gg::Tensor::name);
}

TEST(GgufGenerator, NamesWhatPreventsRunning) {
  const Fault kFaults[] = {
      {"another architecture",
       [](auto& m) { m.entry("general.architecture") = gg::text("general.architecture", "mamba"); },
       ErrorCode::Unsupported, "metadata.general.architecture", "llama, gemma, phi2, phi3, gpt2"},
      {"an encoder", [](auto& m) { m = models::bert(); }, ErrorCode::Unsupported,
       "metadata.general.architecture", "\"bert\" is no language model"},
      {"no architecture",
       [](auto& m) {
         std::erase_if(m.metadata, [](auto& e) { return e.key == "general.architecture"; });
       },
       ErrorCode::NotFound, "metadata.general.architecture", "what kind of model"},
      {"experts", [](auto& m) { m.metadata.push_back(gg::u32("llama.expert_count", 8)); },
       ErrorCode::NotFound, "metadata.llama.expert_used_count", "a token takes 0 of 8 experts"},
      {"a fact that is missing",
       [](auto& m) {
         std::erase_if(m.metadata, [](auto& e) { return e.key == "llama.embedding_length"; });
       },
       ErrorCode::NotFound, "metadata.llama.embedding_length", "does not state"},
      {"no tensors", [](auto& m) { m.tensors.clear(); }, ErrorCode::NotFound, "tensors",
       "only a vocabulary"},
      {"a missing tensor",
       [](auto& m) {
         std::erase_if(m.tensors, [](auto& t) { return t.name == "blk.0.ffn_up.weight"; });
       },
       ErrorCode::NotFound, "tensors", "blk.0.ffn_up.weight"},
      {"a wrong shape", [](auto& m) { tensor_in(m, "blk.0.ffn_up.weight").shape = {32, 32}; },
       ErrorCode::Mismatch, "tensors[8].shape", "blk.0.ffn_up.weight"},
      {"a bias of a wrong shape", [](auto& m) { m.tensors.push_back({"blk.0.attn_q.bias", {16}}); },
       ErrorCode::Mismatch, "tensors[12].dimensions", "blk.0.attn_q.bias is [16]"},
      {"more tokens than rows",
       [](auto& m) {
         tensor_in(m, "token_embd.weight").shape = {6, 32};
         tensor_in(m, "output.weight").shape = {6, 32};
       },
       ErrorCode::Mismatch, "tensors[0].dimensions", "8 tokens"},
      {"a tensor of a newer architecture",
       [](auto& m) { m.tensors.push_back({"blk.0.attn_q_norm.weight", {16}}); },
       ErrorCode::Unsupported, "blk.0.attn_q_norm.weight", "computes with it"},
      {"a bias that llama does not have",
       [](auto& m) { m.tensors.push_back({"blk.0.attn_norm.bias", {32}}); }, ErrorCode::Unsupported,
       "blk.0.attn_norm.bias", "computes with it"},
      {"factors of another type",
       [](auto& m) { m.tensors.push_back({"rope_freqs.weight", {8}, models::kF16}); },
       ErrorCode::BadValue, "rope_freqs.weight", "f32 factors"},
      {"one part of several",
       [](auto& m) {
         m.metadata.push_back(gg::number("split.no", ValueType::U16, uint16_t{1}));
         m.metadata.push_back(gg::number("split.count", ValueType::U16, uint16_t{3}));
       },
       ErrorCode::Unsupported, "metadata.split.count", "part 2 of 3"}};
  for (const Fault& fault : kFaults) {
    gg::GgufMaker maker = llama();
    fault.damage(maker);
    const auto session = open_generator(maker.make());
    ASSERT_FALSE(session) << fault.what;
    EXPECT_EQ(session.error().code, fault.code) << fault.what << " " << describe(session.error());
    EXPECT_EQ(session.error().path, fault.path) << fault.what << " " << describe(session.error());
    EXPECT_NE(session.error().message.find(fault.message), std::string::npos)
        << fault.what << " " << describe(session.error());
  }
}

// The parts lie one after another, as JavaScript presents them.
TEST(GgufGenerator, RunsASplitModel) {
  const File whole = made(llama());
  gg::Joined parts = gg::joined(gg::split_makers(llama(), 3));
  io::Diagnostics found;
  const auto model = formats::gguf::parse(*parts.source(), found);
  ASSERT_TRUE(model) << describe(model.error());
  const model::Model parsed = models::parsed(whole, "gguf");
  for (const model::TensorEntry& tensor : parsed.tensors) {
    const Bytes values = models::bytes_of(whole, tensor);
    std::ranges::copy(
        values, parts.file.begin() +
                    static_cast<std::ptrdiff_t>(models::tensor_of(*model, tensor.name).offset));
  }
  const auto source = parts.source();
  for (const char* settings : {"{}", R"({"resident": 30000})"}) {
    auto loader = GeneratorLoader::begin(*source, settings);
    ASSERT_TRUE(loader) << describe(loader.error());
    ASSERT_TRUE(fill_sink(**loader, parts.file));
    ASSERT_TRUE(testing::give(**loader, parts.file, (*loader)->needed()));
    auto session = testing::finish<GeneratorModel>(**loader);
    ASSERT_TRUE(session) << describe(session.error());
    EXPECT_EQ(logits(*session, parts.file, "", kPrompt).value(), logits_of(whole));
  }
}

TEST(GgufGenerator, NamesThePartWithAFault) {
  std::vector<gg::GgufMaker> makers = gg::split_makers(llama(), 3);
  makers[2].tensors[0].shape = {32, 32};  // blk.0.ffn_up.weight
  const gg::Joined parts = gg::joined(makers);
  const auto loader = GeneratorLoader::begin(*parts.source(), "{}");
  ASSERT_FALSE(loader);
  EXPECT_EQ(loader.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(loader.error().path, "part 3: tensors[8].shape");
  EXPECT_LT(loader.error().byte_offset, parts.ends[2] - parts.ends[1]);
}

// The type is named by the file's own name of the tensor, before any weights are read.
TEST(GgufGenerator, NamesATypeThatCannotRun) {
  gg::GgufMaker maker = llama();
  tensor_in(maker, "blk.0.ffn_down.weight").type = 24;  // i8 without scales
  const File file = maker.make();
  const auto session = open_generator(file);
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(session.error().path, "blk.0.ffn_down.weight");
  EXPECT_NE(session.error().message.find("i8"), std::string::npos);
}

// Padding of the embedding is never chosen.
TEST(GgufGenerator, RunsWithMoreRowsThanTokens) {
  gg::GgufMaker maker = llama();
  tensor_in(maker, "token_embd.weight").shape = {16, 32};
  tensor_in(maker, "output.weight").shape = {16, 32};
  const File file = made(maker);
  GeneratorModel session = open_gguf(file);
  const auto said = answer(session, file, "", R"({"ids": [1], "temperature": 0, "maxTokens": 9})");
  ASSERT_TRUE(said) << describe(said.error());
  for (const uint32_t id : said->ids) EXPECT_LT(id, 8U);
}

}  // namespace
}  // namespace ambry::api
