#include "model/encoder/late_interaction.h"

#include <gtest/gtest.h>

#include <string>

#include "model/encoder/encoder_config.h"

namespace ambry::model {
namespace {

EncoderConfig small_config() {
  EncoderConfig config;
  config.facts = config.architecture->facts;
  config.vocab_size = 20;
  config.max_positions = 64;
  return config;
}

io::Json metadata_of(const std::string& late, const std::string& skipped = "") {
  io::Json metadata = io::Json::object();
  metadata.set(kLateInteraction, late);
  if (!skipped.empty()) metadata.set(kSkippedTokens, skipped);
  return metadata;
}

Error error_of(const io::Json& metadata, EncoderConfig config = small_config()) {
  auto read = read_late_interaction(metadata, config);
  EXPECT_FALSE(config.late);
  return read ? Error() : Error(read.take_error());
}

TEST(LateInteraction, IsReadAsItIsWritten) {
  LateInteraction late;
  late.query_marker = 5;
  late.expansion = 4;
  late.query_length = 12;
  late.document_length = 40;
  late.attend_to_expansion = true;
  late.skipped = {7, 19};
  io::Json metadata = io::Json::object();
  set_late_metadata(late, metadata);
  EncoderConfig config = small_config();
  const auto read = read_late_interaction(metadata, config);
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(config.late, late);
}

TEST(LateInteraction, MayStandBesideVectorsOfTextsAndASparseHead) {
  EncoderConfig config = small_config();
  config.hidden_size = 8;
  config.head.emplace().task = HeadTask::Sparse;
  const auto late =
      metadata_of(R"({"query_length":20,"document_length":20,"with_sentences":true})");
  EncoderConfig both = config;
  ASSERT_TRUE(read_late_interaction(late, both));
  EXPECT_TRUE(both.gives_all());
  EXPECT_FALSE(both.has_tokens_only());
  io::Json written = io::Json::object();
  set_late_metadata(*both.late, written);
  EncoderConfig again = config;
  ASSERT_TRUE(read_late_interaction(written, again));
  EXPECT_EQ(again.late, both.late);

  const auto alone = metadata_of(R"({"query_length":20,"document_length":20})");
  EXPECT_EQ(error_of(alone, config).code, ErrorCode::Unsupported);
  EncoderConfig labels = config;
  labels.head->task = HeadTask::TokenClassification;
  EXPECT_EQ(error_of(late, labels).code, ErrorCode::Unsupported);
  EncoderConfig narrow = config;
  narrow.dense = {{8, 4, true, DenseActivation::Identity}};
  EXPECT_NE(error_of(late, narrow).message.find("has 4 numbers"), std::string::npos);
  EncoderConfig dense = small_config();
  ASSERT_TRUE(read_late_interaction(late, dense));
  EXPECT_FALSE(dense.gives_all());
  EXPECT_FALSE(dense.has_tokens_only());
}

TEST(LateInteraction, IsAbsentWithoutItsKey) {
  EncoderConfig config = small_config();
  ASSERT_TRUE(read_late_interaction(io::Json::object(), config));
  EXPECT_FALSE(config.late);
}

TEST(LateInteraction, HasDefaults) {
  EncoderConfig config = small_config();
  config.max_positions = 512;
  ASSERT_TRUE(read_late_interaction(metadata_of("{}"), config));
  EXPECT_EQ(config.late, LateInteraction());
}

TEST(LateInteraction, RefusesWhatCannotBe) {
  using enum ErrorCode;
  struct Fault {
    const char* late;
    ErrorCode code;
    const char* says;
  };
  constexpr Fault kFaults[] = {
      {"[]", BadValue, "JSON object"},
      {"{", BadValue, "JSON object"},
      {R"({"document_length":20,"pooling":"mean"})", Unsupported, "\"pooling\" is not known"},
      {R"({"query_marker":20})", BadValue, "query_marker is 20"},
      {R"({"document_marker":"[D]"})", BadValue, "document_marker is \"[D]\""},
      {R"({"expansion":-1})", BadValue, "expansion is -1"},
      {R"({"query_length":2})", BadValue, "query_length is 2"},
      {R"({"query_length":"many"})", BadValue, "query_length"},
      {R"({"document_length":65})", LimitExceeded, "64 positions"},
      {R"({"document_length":20,"attend_to_expansion":3})", BadValue, "attend_to_expansion"}};
  for (const Fault& fault : kFaults) {
    const Error error = error_of(metadata_of(fault.late));
    EXPECT_EQ(error.code, fault.code) << fault.late;
    EXPECT_EQ(error.path, "metadata.late_interaction") << fault.late;
    EXPECT_NE(error.message.find(fault.says), std::string::npos) << error.message;
  }
  for (const char* skipped : {"{}", "[20]", "[\"a\"]", "[1"}) {
    const Error error = error_of(metadata_of(R"({"document_length":20})", skipped));
    EXPECT_EQ(error.code, BadValue) << skipped;
    EXPECT_EQ(error.path, "metadata.skipped_tokens") << skipped;
  }
}

TEST(LateInteraction, ExpansionTokensMustSeeTheQuery) {
  EncoderConfig windows = small_config();
  windows.facts.local_window = 16;
  const auto with_length = [&](const char* late) { return error_of(metadata_of(late), windows); };
  const Error error = with_length(R"({"expansion":4,"query_length":10,"document_length":20})");
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_NE(error.message.find("query_length is 10"), std::string::npos) << error.message;
  for (const char* fits : {R"({"expansion":4,"query_length":9,"document_length":20})",
                           R"({"query_length":10,"document_length":20})",
                           R"({"expansion":4,"query_length":10,"document_length":20,
                               "attend_to_expansion":true})"}) {
    EncoderConfig config = windows;
    EXPECT_TRUE(read_late_interaction(metadata_of(fits), config)) << fits;
  }
}

TEST(LateInteraction, HasNoClassificationHead) {
  EncoderConfig config = small_config();
  config.head.emplace();
  const Error error = error_of(metadata_of(R"({"document_length":20})"), config);
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
}

}  // namespace
}  // namespace ambry::model
