// Version 2 as the author's programs write it, and every fault of theirs.
#include <bit>

#include "data_files.h"
#include "formats/alt/read_alt.h"
#include "formats/expect_format.h"

namespace ambry::formats::alt {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): our own folder's

std::string right_config() { return read(V2Maker().make()).model->config.dump(); }
model::TokenizerData right_tokenizer() { return *read(V2Maker().make()).model->tokenizer; }

TEST(AltV2, ReadsACorrectFileAsATokenizer) {
  const Read result = read(V2Maker().make());
  ASSERT_TRUE(result.accepted()) << result.text();
  EXPECT_EQ(result.found.warnings.size(), 1U) << result.text();
  EXPECT_NE(find(result.found.warnings, "tensors"), nullptr);
  const model::Model& model = *result.model;
  EXPECT_EQ(model.version, "v2");
  EXPECT_EQ(model.metadata.find("model_type")->string(), "mistral");
  EXPECT_EQ(model.metadata.find("uuid")->string(), "0-1-2-3");
  EXPECT_EQ(model.config.dump(),
            R"({"model_type":"mistral","hidden_act":"silu","tie_word_embeddings":true,)"
            R"("hidden_size":4,"intermediate_size":6,"max_position_embeddings":16,)"
            R"("num_attention_heads":2,"num_hidden_layers":1,"num_key_value_heads":1,)"
            R"("sliding_window":16,"head_size":2,"rms_norm_eps":0.00001,"rope_theta":10000.0,)"
            R"("initializer_range":0.02,"vocab_size":9})");
  const model::TokenizerData& tokenizer = *model.tokenizer;
  EXPECT_EQ(tokenizer.vocabulary[6], "b");
  EXPECT_EQ(tokenizer.scores[6], -1.0F);
  EXPECT_EQ(tokenizer.types, (std::vector<uint8_t>{2, 3, 3, 6, 6, 1, 1, 1, 1}));
  EXPECT_TRUE(tokenizer.ids.empty());
}

TEST(AltV2, ReadsTheAuthorsOwnFile) {
  AMBRY_NEEDS_DATA("alt/author-v2-head.alt");
  const File file = *ambry::testing::data_file("alt/author-v2-head.alt");
  expect_tolerated(file, "tokenizer.size", 0x148);
  const Read result = read_leniently(file);
  EXPECT_EQ(result.model->tokenizer->vocabulary.size(), 512U);
  EXPECT_EQ(result.model->tokenizer->vocabulary[511], "\xE2\x80\x8A");
  EXPECT_EQ(result.model->tokenizer->types[3], 6U);
  EXPECT_EQ(result.model->metadata.find("author")->string(), "karpathy");
  EXPECT_EQ(result.model->config.find("hidden_size")->uint(), 64U);
  EXPECT_EQ(result.model->config.find("rms_norm_eps")->number(), 1e-5);
}

TEST(AltV2Fault, TheTokenizersSizeForgetsTheIds) {
  V2Maker maker;
  maker.forget_ids = true;
  const File file = maker.make();
  expect_tolerated(file, "tokenizer.size", maker.places.tokenizer + 8);
  EXPECT_EQ(read_leniently(file).model->tokenizer, right_tokenizer());
}

TEST(AltV2Fault, LengthsCountCharacters) {
  V2Maker maker;
  maker.general[2] = "Andr\xC3\xA9 \xE2\x82\xAC";
  maker.general[1] = "\xF0\x9F\x98\x80/base";
  const File right = maker.make();
  EXPECT_TRUE(read(right).accepted()) << read(right).text();
  maker.lengths_in_characters = true;
  const File file = maker.make();
  expect_tolerated(file, "general", maker.places.general + 16);
  EXPECT_EQ(read_leniently(file).model->metadata.dump(), read(right).model->metadata.dump());
}

TEST(AltV2Fault, ThetaIsWrittenAsAnInteger) {
  V2Maker maker;
  maker.integer_theta = true;
  const File file = maker.make();
  expect_tolerated(file, "parameters.rope_theta", maker.places.parameters + 16 + 9 + 36);
  EXPECT_EQ(read_leniently(file).model->config.dump(), right_config());
}

TEST(AltV2Fault, TheWindowIsLeftOut) {
  for (const bool integer_theta : {false, true}) {
    V2Maker maker;
    maker.omit_window = true;
    maker.integer_theta = integer_theta;
    const File file = maker.make();
    const Read strict = read(file);
    EXPECT_EQ(strict.found.errors.size(), integer_theta ? 2U : 1U) << strict.text();
    EXPECT_EQ(find(strict.found.errors, "parameters")->byte_offset,
              maker.places.parameters + 16 + 9 + 24);
    const Read lenient = read_leniently(file);
    EXPECT_TRUE(lenient.accepted()) << lenient.text();
    EXPECT_EQ(lenient.model->config.find("sliding_window")->uint(), 0U);
    EXPECT_EQ(lenient.model->config.find("head_size")->uint(), 2U);
    EXPECT_EQ(lenient.model->config.find("rope_theta")->number(), 10'000);
    EXPECT_EQ(lenient.model->tokenizer, right_tokenizer());
  }
}

TEST(AltV2Fault, FieldsFollowTheDocumentsOrder) {
  for (const bool head_size_last : {false, true}) {
    V2Maker maker;
    maker.theta_before_eps = !head_size_last;
    maker.head_size_last = head_size_last;
    const File file = maker.make();
    expect_tolerated(file, "parameters", maker.places.parameters + 16 + 9 + 24);
    const Read lenient = read_leniently(file);
    for (const char* key : {"head_size", "rms_norm_eps", "rope_theta", "initializer_range"}) {
      EXPECT_EQ(lenient.model->config.find(key)->dump(),
                read(V2Maker().make()).model->config.find(key)->dump())
          << key;
    }
  }
}

TEST(AltV2Fault, TokensAreLaidOutAsBeforeDecember28) {
  V2Maker maker;
  maker.layout = V2Tokens::Old;
  const File file = maker.make();
  expect_tolerated(file, "tokenizer.tokens", maker.places.tokens[0]);
  EXPECT_EQ(read_leniently(file).model->tokenizer, right_tokenizer());
}

TEST(AltV2Fault, TypesAreNumberedAsBefore) {
  V2Maker right;
  right.tokens.push_back({"unused", 0, 5});
  const model::TokenizerData expected = *read(right.make()).model->tokenizer;
  // Index: today's number.
  const std::vector<std::vector<int32_t>> kNumberings = {{0, 3, 2, 0, 1, 4}, {0, 1, 2, 3, 5, 4}};
  for (const auto& numbers : kNumberings) {
    V2Maker maker = right;
    for (Token& token : maker.tokens) token.type = numbers[static_cast<size_t>(token.type)];
    const File file = maker.make();
    expect_tolerated(file, "tokenizer.tokens", maker.places.tokens[0]);
    EXPECT_EQ(read_leniently(file).model->tokenizer, expected);
  }
}

TEST(AltV2Fault, TypesThatNoWriterGivesAreTolerated) {
  for (const int32_t type : {6, 8, 9, -1, 300}) {
    V2Maker maker;
    maker.tokens[1].type = type;
    const File file = maker.make();
    expect_tolerated(file, "tokenizer.tokens[1].type", maker.places.tokens[0]);
  }
}

TEST(AltV2Fault, IdsStandInAnotherOrder) {
  V2Maker maker;
  maker.ids = {0, 1, 2, 3, 4, 6, 5, 7, 8};
  const File file = maker.make();
  expect_tolerated(file, "tokenizer.tokens[5].id", maker.places.tokens[5]);
  EXPECT_EQ(read_leniently(file).model->tokenizer->ids,
            (std::vector<uint32_t>{0, 1, 2, 3, 4, 6, 5, 7, 8}));
}

TEST(AltV2Fault, IdsOutsideTheVocabularyOrTwiceAreRefused) {
  V2Maker maker;
  maker.ids = {0, 1, 2, 3, 4, 9, 6, 7, 8};
  File file = maker.make();
  expect_refused(file, "tokenizer.tokens[5].id", maker.places.tokens[5] + 8);
  maker.ids[5] = 4;
  file = maker.make();
  expect_refused(file, "tokenizer.tokens[5].id", maker.places.tokens[5] + 8);
}

TEST(AltV2Fault, TheStartCountsItsHeader) {
  for (const int64_t size : {24, 16, 32}) {
    V2Maker maker;
    maker.start_size = size;
    expect_tolerated(maker.make(), "start.size", 8);
  }
}

TEST(AltV2Fault, TheEndHasFourBytes) {
  V2Maker maker;
  maker.end_bytes = 4;
  const File file = maker.make();
  expect_tolerated(file, "end.marker", maker.places.end);
}

TEST(AltV2Fault, SectionsFollowWithoutPadding) {
  V2Maker maker;
  maker.alignment = 1;
  const Read result = read_leniently(maker.make());
  EXPECT_TRUE(result.accepted()) << result.text();
  EXPECT_EQ(result.model->config.dump(), right_config());
  EXPECT_EQ(result.model->tokenizer, right_tokenizer());
}

TEST(AltV2, EverySizeConventionIsAccepted) {
  const SizeRule rules[] = {[](int64_t payload, int64_t /*pad*/) { return payload + 16; },
                            [](int64_t payload, int64_t pad) { return payload + pad; },
                            [](int64_t payload, int64_t pad) { return payload + 16 + pad; }};
  for (const SizeRule& rule : rules) {
    V2Maker maker;
    maker.size = rule;
    const Read result = read_leniently(maker.make());
    EXPECT_TRUE(result.accepted()) << result.text();
    EXPECT_EQ(result.model->tokenizer, right_tokenizer());
  }
}

TEST(AltV2, SectionsMayBeAbsentWithAWarning) {
  V2Maker maker;
  maker.with_general = false;
  File file = maker.make();
  Read result = read_leniently(file);
  EXPECT_NE(find(result.found.warnings, "general"), nullptr) << result.text();
  maker = V2Maker();
  maker.with_tokenizer = false;
  file = maker.make();
  expect_tolerated(file, "tokenizer", file.size());
}

TEST(AltV2, StatesAnotherAlignment) {
  V2Maker maker;
  maker.stated_alignment = 64;
  maker.alignment = 64;
  expect_tolerated(maker.make(), "start.alignment", 20);
  for (const int32_t wrong : {0, -32, 33, 8192}) {
    maker.stated_alignment = wrong;
    expect_refused(maker.make(), "start.alignment", 20);
  }
}

TEST(AltV2, RefusesOtherVersions) {
  for (const int32_t version : {1, 3, -2}) {
    V2Maker maker;
    maker.version = version;
    EXPECT_EQ(expect_refused(maker.make(), "start.version", 16).code,
              ErrorCode::UnsupportedVersion);
  }
}

TEST(AltV2, RefusesTheDraftWithAFourByteMagic) {
  File file;
  put(file, int32_t{0x616C7400});
  put(file, int32_t{3});
  put(file, int32_t{32});
  file.resize(64);
  const Error error = expect_refused(file, "start.marker", 4);
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_NE(error.message.find("draft"), std::string::npos);
}

TEST(AltV2, RefusesNetworksOfAnotherKindByName) {
  File file;
  put(file, uint64_t{0x616C7400});
  put(file, int64_t{24});
  put(file, int32_t{2});
  put(file, int32_t{32});
  put(file, kGeneral);
  put(file, int64_t{84});
  put(file, int32_t{0});
  put_string(file, std::string_view("MNIST MLP\0", 10));
  put_string(file, std::string_view("Somebody\0", 9));
  put_string(file, std::string_view("01234567-89ab-cdef-0123-456789abcdef\0", 37));
  put(file, kParameters);
  put(file, int64_t{12});
  file.resize(file.size() + 200);
  const Error error = expect_refused(file, "general.model_type", 40);
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_NE(error.message.find("MNIST MLP"), std::string::npos) << error.message;
}

TEST(AltV2, RefusesTensorsByName) {
  V2Maker maker;
  File file = maker.make();
  file.resize(maker.places.end);
  put(file, kTensors);
  put(file, int64_t{100});
  file.resize(file.size() + 128);
  put(file, uint64_t{kEnd});
  const Error error = expect_refused(file, "tensors", maker.places.end);
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
}

}  // namespace
}  // namespace ambry::formats::alt
