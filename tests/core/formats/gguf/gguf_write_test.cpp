#include "formats/gguf/gguf_write.h"

#include <gtest/gtest.h>

#include "data_files.h"
#include "formats/gguf/read_gguf.h"
#include "formats/stream_layout.h"

namespace ambry::formats::gguf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers
using io::Json;
using model::Model;
using model::TensorEntry;
using model::TokenizerKind;
using tensor::DType;

File rewritten(const File& file, const Model& original) {
  Model model = original;
  const auto layout = lay_out(model);
  EXPECT_TRUE(layout) << describe(layout.error());
  return layout ? formats::testing::stream(*layout, original, file) : File();
}
File rewritten(const File& file) {
  const Read original = read(file);
  EXPECT_TRUE(original.model);
  return rewritten(file, *original.model);
}

// A head, read again.
Read written(Model model) {
  const auto layout = lay_out(model);
  EXPECT_TRUE(layout) << describe(layout.error());
  if (!layout) return read(File());
  File file(layout->pieces[0].bytes);
  file.resize(static_cast<size_t>(layout->total_bytes));
  return read(file, io::Strictness::Strict);
}

std::vector<Entry> every_type_of_value() {
  return {number("x.u8", ValueType::U8, uint8_t{200}),
          number("x.i8", ValueType::I8, int8_t{-3}),
          number("x.u16", ValueType::U16, uint16_t{7}),
          number("x.i16", ValueType::I16, int16_t{7}),
          number("x.i32", ValueType::I32, int32_t{7}),
          number("x.u64", ValueType::U64, uint64_t{7}),
          number("x.i64", ValueType::I64, int64_t{7}),
          number("x.f32", ValueType::F32, 10000.0F),
          number("x.f64", ValueType::F64, 0.5),
          number("x.flag", ValueType::Bool, uint8_t{1}),
          text("x.empty", ""),
          numbers<uint8_t>("x.long", ValueType::U8, std::vector<uint8_t>(5000, 3)),
          numbers<float>("x.floats", ValueType::F32, {1, 2.5F}),
          texts("x.none", {})};
}

TEST(GgufWrite, KeepsEveryTypeOfValueAndLongArrays) {
  GgufMaker maker;
  for (const Entry& entry : every_type_of_value()) maker.metadata.push_back(entry);
  maker.entry("tokenizer.ggml.token_type") =
      numbers<uint32_t>("tokenizer.ggml.token_type", ValueType::U32, {2, 3, 3, 1, 1, 1});
  maker.metadata.push_back(text("tokenizer.huggingface.json", "{}"));
  const File file = maker.make();
  EXPECT_EQ(rewritten(file), file);
}

TEST(GgufWrite, KeepsTheAlignmentAndPadsTheLastTensor) {
  GgufMaker maker;
  maker.alignment = 128;
  maker.metadata.push_back(u32("general.alignment", 128));
  const File file = maker.make();
  EXPECT_EQ(rewritten(file), file);
  maker.padded = false;
  EXPECT_EQ(rewritten(maker.make()), file);
}

TEST(GgufWrite, ChangesOnlyTheValueThatChanged) {
  GgufMaker maker;
  for (const Entry& entry : every_type_of_value()) maker.metadata.push_back(entry);
  const Read original = read(maker.make());
  Model model = *original.model;
  model.metadata.set("general.name", "other");
  model.metadata.set("x.u64", 8);
  const Read again = written(model);
  ASSERT_TRUE(again.clean());
  EXPECT_EQ(again.model->metadata.dump(), model.metadata.dump());
  const std::string_view text = again.model->metadata_text;
  // u64 became u32; u16 stayed.
  EXPECT_NE(text.find(std::string_view("x.u64\4\0\0\0\10\0\0\0", 13)), text.npos);
  EXPECT_NE(text.find(std::string_view("x.u16\2\0\0\0\7\0", 11)), text.npos);
}

TEST(GgufWrite, KeepsWordPiecesInEitherForm) {
  for (const bool marked : {true, false}) {
    GgufMaker maker;
    maker.entry("tokenizer.ggml.model") = text("tokenizer.ggml.model", "bert");
    maker.entry("tokenizer.ggml.tokens") =
        marked ? texts("tokenizer.ggml.tokens", {"[UNK]", "<c>", "ing", "\xE2\x96\x81[x]",
                                                 "\xE2\x96\x81word", "\xE2\x96\x81"})
               : texts("tokenizer.ggml.tokens", {"[UNK]", "[CLS]", "##ing", "[x]", "word", "a"});
    maker.entry("tokenizer.ggml.token_type") =
        numbers<int32_t>("tokenizer.ggml.token_type", ValueType::I32, {2, 3, 1, 1, 1, 1});
    const File file = maker.make();
    const Read original = read(file);
    ASSERT_TRUE(original.model);
    EXPECT_EQ(original.model->tokenizer->vocabulary[2], "##ing");
    EXPECT_EQ(original.model->tokenizer->vocabulary[4], "word");
    EXPECT_TRUE(rewritten(file) == file) << marked;
  }
}

Model tiny_model() {
  Model model;
  model.format = "amb";
  model.metadata.set("general.quantization_version", 2);
  model.metadata.set("general.architecture", "t5");
  TensorEntry tensor;
  tensor.name = "a";
  tensor.dtype = DType::Q4_0;
  tensor.shape = {2, 64};
  model.tensors.push_back(tensor);
  return model;
}

TEST(GgufWrite, GivesNewValuesTheTypesThatReadersExpect) {
  Model model = tiny_model();
  Json list = Json::array();
  list.append(1);
  list.append(-1);
  Json floats = Json::array();
  floats.append(1.0);
  floats.append(0.25);
  for (const auto& [key, value] :
       std::initializer_list<std::pair<const char*, Json>>{{"k.u32", 5},
                                                           {"k.u64", uint64_t{1} << 40},
                                                           {"k.i32", -5},
                                                           {"k.i64", -(int64_t{1} << 40)},
                                                           {"k.f32", 10000.0},
                                                           {"k.f64", 0.1234567890123},
                                                           {"k.bool", true},
                                                           {"k.text", "t"},
                                                           {"k.list", list},
                                                           {"k.floats", floats}}) {
    model.metadata.set(key, value);
  }
  const Read again = written(model);
  ASSERT_TRUE(again.model);
  EXPECT_EQ(again.model->metadata.dump(), model.metadata.dump());
  const std::string_view text = again.model->metadata_text;
  const auto type_after = [&](std::string_view key) {
    return static_cast<int>(text[text.find(key) + key.size()]);
  };
  EXPECT_EQ(type_after("k.u32"), 4);
  EXPECT_EQ(type_after("k.u64"), 10);
  EXPECT_EQ(type_after("k.i32"), 5);
  EXPECT_EQ(type_after("k.i64"), 11);
  EXPECT_EQ(type_after("k.f32"), 6);
  EXPECT_EQ(type_after("k.f64"), 12);
  EXPECT_EQ(type_after("k.bool"), 7);
  EXPECT_EQ(type_after("k.text"), 8);
}

TEST(GgufWrite, WritesATokenizerThatTheMetadataDoesNotMention) {
  Model model = tiny_model();
  model::TokenizerData tokenizer;
  tokenizer.kind = TokenizerKind::WordPiece;
  for (const char* token : {"[PAD]", "[CLS]", "##ing", "word"}) {
    tokenizer.vocabulary.push_back(token);
  }
  tokenizer.types = {3, 3, 1, 1};
  tokenizer.scores = {0, 1, 2, 3};
  tokenizer.cls_id = 1;
  tokenizer.sep_id = 2;
  tokenizer.pad_id = 0;
  model.tokenizer = tokenizer;
  const Read again = written(model);
  ASSERT_TRUE(again.clean()) << describe(*again.problem());
  const model::TokenizerData& read = *again.model->tokenizer;
  EXPECT_EQ(read.kind, tokenizer.kind);
  EXPECT_EQ(read.vocabulary, tokenizer.vocabulary);
  EXPECT_EQ(read.types, tokenizer.types);
  EXPECT_EQ(read.scores, tokenizer.scores);
  EXPECT_EQ(read.cls_id, tokenizer.cls_id);
  EXPECT_EQ(read.sep_id, tokenizer.sep_id);
  EXPECT_EQ(read.pad_id, tokenizer.pad_id);
  const std::string_view text = again.model->metadata_text;
  EXPECT_NE(text.find("\xE2\x96\x81word"), text.npos);
}

// llama.cpp refuses a file of this kind without the list.
TEST(GgufWrite, GivesBpeAListOfMergesThatMayBeEmpty) {
  Model model = tiny_model();
  model::TokenizerData tokenizer;
  tokenizer.kind = TokenizerKind::Bpe;
  for (const char* token : {"a", "b"}) tokenizer.vocabulary.push_back(token);
  tokenizer.types = {1, 1};
  model.tokenizer = tokenizer;
  const auto layout = lay_out(model);
  ASSERT_TRUE(layout) << describe(layout.error());
  const File& head = layout->pieces[0].bytes;
  EXPECT_NE(std::string(head.begin(), head.end()).find("tokenizer.ggml.merges"), std::string::npos);
  const Read again = written(model);
  ASSERT_TRUE(again.accepted()) << describe(*again.problem());
  EXPECT_EQ(again.model->tokenizer->merges.size(), 0U);
}

TEST(GgufWrite, HoldsDifferentNumbersOfAListInOneType) {
  struct Row {
    const char* list;
    const char* read;
    int type;
  };
  constexpr Row kRows[] = {{"[1, 2, 3]", "[1,2,3]", 4},
                           {"[1, -1, 5, -7]", "[1,-1,5,-7]", 11},
                           {"[1, 1099511627776, 3]", "[1,1099511627776,3]", 10},
                           {"[1, 9223372036854775808]", "[1,9223372036854775808]", 10},
                           {"[1, 0.5, 2]", "[1.0,0.5,2.0]", 12},
                           {"[0.5, 0.25]", "[0.5,0.25]", 6},
                           {"[[1, 2], [3]]", "[[1,2],[3]]", 9},
                           {"[true, false]", "[true,false]", 7},
                           {R"(["a", ""])", R"(["a",""])", 8}};
  for (const Row& row : kRows) {
    Model model = tiny_model();
    model.metadata.set("k", *io::parse_json(row.list));
    const Read again = written(model);
    ASSERT_TRUE(again.model) << row.list;
    EXPECT_EQ(again.model->metadata.find("k")->dump(), row.read);
    const std::string_view text = again.model->metadata_text;
    const std::string_view key("k\x09\0\0\0", 5);
    EXPECT_EQ(static_cast<int>(text[text.find(key) + key.size()]), row.type) << row.list;
  }
  for (const char* list : {"[[1], 2]", "[1, [2]]", "[1, true]", R"([1, "a"])", "[null]", "[{}]"}) {
    Model model = tiny_model();
    model.metadata.set("k", *io::parse_json(list));
    const auto layout = lay_out(model);
    ASSERT_FALSE(layout) << list;
    EXPECT_EQ(layout.error().code, ErrorCode::Unsupported) << list;
  }
}

struct Refused {
  const char* what;
  void (*spoil)(Model& model);
  ErrorCode code;
  const char* path;
};

TEST(GgufWrite, NamesValuesThatItCannotStore) {
  const Refused kRows[] = {
      {"AMB's type", [](Model& m) { m.tensors[0].dtype = DType::Int4; }, ErrorCode::Unsupported,
       "tensors[0]"},
      {"five dimensions", [](Model& m) { m.tensors[0].shape = {1, 1, 1, 1, 32}; },
       ErrorCode::Unsupported, "tensors[0]"},
      {"half a block", [](Model& m) { m.tensors[0].shape = {2, 48}; }, ErrorCode::Unsupported,
       "tensors[0]"},
      {"a long name", [](Model& m) { m.tensors[0].name = std::string(65, 'n'); },
       ErrorCode::LimitExceeded, "tensors[0]"},
      {"more than 64 bits",
       [](Model& m) { m.tensors[0].shape = {uint64_t{1} << 40, uint64_t{1} << 40}; },
       ErrorCode::Overflow, "tensors[0]"},
      {"an odd alignment", [](Model& m) { m.metadata.set("general.alignment", 24); },
       ErrorCode::BadValue, "metadata.general.alignment"},
      {"a key with a space", [](Model& m) { m.metadata.set("a b", 1); }, ErrorCode::Unsupported,
       "metadata.a b"},
      {"null", [](Model& m) { m.metadata.set("k", Json()); }, ErrorCode::Unsupported, "metadata.k"},
      {"an array that was not kept",
       [](Model& m) {
         Json summary = Json::object();
         summary.set("array", "f32");
         summary.set("length", 1000);
         m.metadata.set("k", summary);
       },
       ErrorCode::Unsupported, "metadata.k"},
      {"an array of several types",
       [](Model& m) {
         Json list = Json::array();
         list.append(1);
         list.append("x");
         m.metadata.set("k", list);
       },
       ErrorCode::Unsupported, "metadata.k"},
      {"a custom tokenizer",
       [](Model& m) {
         m.tokenizer.emplace();
         m.tokenizer->kind = TokenizerKind::Custom;
       },
       ErrorCode::Unsupported, "tokenizer"},
      {"ids out of order",
       [](Model& m) {
         m.tokenizer.emplace();
         m.tokenizer->vocabulary.push_back("a");
         m.tokenizer->ids = {4};
       },
       ErrorCode::Unsupported, "tokenizer"},
      {"a vocabulary that was not read",
       [](Model& m) {
         m.tokenizer.emplace();
         m.tokenizer->n_tokens = 3;
       },
       ErrorCode::BadValue, "tokenizer"},
      {"too few scores",
       [](Model& m) {
         m.tokenizer.emplace();
         m.tokenizer->vocabulary.push_back("a");
         m.tokenizer->scores = {4, 5};
       },
       ErrorCode::Mismatch, "tokenizer"}};
  for (const Refused& row : kRows) {
    Model model = tiny_model();
    ASSERT_TRUE(lay_out(model));
    row.spoil(model);
    const auto layout = lay_out(model);
    ASSERT_FALSE(layout) << row.what;
    EXPECT_EQ(layout.error().code, row.code) << row.what;
    EXPECT_EQ(layout.error().path, row.path) << row.what;
  }
}

TEST(GgufWrite, WritesLlamaCppsVocabulariesByteForByte) {
  AMBRY_NEEDS_DATA("tokenizers/llamacpp");
  for (const char* name : {"bert-bge", "gpt-2", "llama-spm"}) {
    const auto path = std::string("tokenizers/llamacpp/ggml-vocab-") + name + ".gguf";
    const File file = *ambry::testing::data_file(path);
    EXPECT_TRUE(rewritten(file) == file) << name;
  }
}

}  // namespace
}  // namespace ambry::formats::gguf
