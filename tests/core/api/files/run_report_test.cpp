// What files are said to run as (api/files/run_report.h), as `inspect` reports it.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "api/files/convert/conversion.h"
#include "api/files/inspect.h"
#include "api/files/memory_estimate.h"
#include "api/files/validate/run_validation.h"
#include "api/tokenizer/tokenizer_trial.h"
#include "api/tokenizer/try_tokenizer.h"
#include "convert/run_conversion.h"
#include "formats/amb/make_amb.h"
#include "formats/conformance.h"
#include "formats/embd/make_embd.h"
#include "formats/finalfusion/make_fifu.h"
#include "formats/gguf/make_gguf.h"
#include "formats/gguf/split_gguf.h"

namespace ambry::api {
namespace {

namespace gg = formats::gguf::testing;
namespace embd = formats::embd::testing;
using formats::amb::testing::AmbMaker;
using formats::testing::Fixture;
using testing::at;
using testing::File;

// Other tests of this program may have set a trial.
class RunReports : public ::testing::Test {
 protected:
  void SetUp() override {
    set_tokenizer_trial([](model::Model&) -> Result<void> { return {}; });
  }
  void TearDown() override { set_tokenizer_trial(try_tokenizer); }
};

io::Json run_of(const io::Source& source, bool vocabulary = true) {
  const auto text = inspect(source, vocabulary);
  EXPECT_TRUE(text) << describe(text.error());
  const auto document = text ? io::parse_json(*text) : Result<io::Json>(io::Json::object());
  return document ? at(*document, "run") : io::Json::object();
}

io::Json run_of(const File& file, bool vocabulary = true) {
  const io::MemorySource source(file);
  return run_of(source, vocabulary);
}

// `code path`; empty without an obstacle.
std::string obstacle_of(const io::Json& run) {
  const io::Json& found = at(run, "obstacle");
  if (found.is_null()) return {};
  const io::Json* path = found.find("path");
  return at(found, "code").string() + " " + (path != nullptr ? path->string() : "");
}

uint64_t stored_bytes(const File& file) {
  return at(at(run_of(file), "memory"), "asStored").uint();
}

// The tiny encoder with a classification head.
File with_head(uint32_t n_labels, const std::string& labels) {
  embd::F0Maker maker;
  maker.tensors.push_back({"pooler.dense.weight", {4, 4}});
  maker.tensors.push_back({"pooler.dense.bias", {4}});
  maker.tensors.push_back({"classifier.weight", {n_labels, 4}});
  maker.tensors.push_back({"classifier.bias", {n_labels}});
  maker.metadata.emplace_back("id2label", labels);
  return maker.make();
}

TEST_F(RunReports, TellTheKindByTheLabelsOfAHead) {
  EXPECT_EQ(at(run_of(with_head(1, R"({"0":"score"})")), "kind").string(), "reranker");
  EXPECT_EQ(at(run_of(with_head(2, R"({"0":"no","1":"yes"})")), "kind").string(), "textClassifier");
}

TEST_F(RunReports, SaysTheKindOfEveryFixture) {
  const std::map<std::string, std::string> kinds = {{"alt", "generator"},
                                                    {"amb", "generator"},
                                                    {"embd", "encoder"},
                                                    {"fasttext words", "words"},
                                                    {"fasttext", "textClassifier"},
                                                    {"finalfusion", "words"},
                                                    {"gguf", "generator"},
                                                    {"tinyruntime", "imageClassifier"}};
  for (const Fixture& fixture : formats::testing::fixtures()) {
    const std::string id(fixture.id);
    SCOPED_TRACE(formats::testing::name_of(fixture));
    const io::Json run = run_of(fixture.file);
    const bool words = kinds.contains(id + " " + std::string(fixture.name));
    const auto kind = kinds.find(words ? id + " " + std::string(fixture.name) : id);
    const bool converts = words || kind == kinds.end();
    EXPECT_EQ(at(run, "kind").dump(), kind == kinds.end() ? "null" : '"' + kind->second + '"');
    EXPECT_EQ(at(run, "converts").boolean(), converts);
    EXPECT_EQ(at(run, "format").is_null(), kind == kinds.end());
    // One of them says what opening it comes to, and the conversion does for the others.
    const bool tells = !at(run, "memory").is_null() || !at(run, "obstacle").is_null();
    EXPECT_NE(tells, converts) << run.dump();
  }
}

TEST_F(RunReports, OfAnEncoder) {
  const io::Json run = run_of(embd::make_f0());
  EXPECT_EQ(obstacle_of(run), "");
  EXPECT_GT(at(at(run, "memory"), "asStored").uint(), at(at(run, "memory"), "int8").uint());
  embd::F0Maker mute;
  mute.flags &= ~formats::embd::kFlagVocabEmbedded;
  EXPECT_EQ(obstacle_of(run_of(mute.make())), "Unsupported tokenizer");
  EXPECT_TRUE(at(run_of(mute.make()), "memory").is_null());
}

TEST_F(RunReports, OfAGgufModel) {
  const io::Json run = run_of(gg::make_gguf());
  EXPECT_EQ(obstacle_of(run), "");
  // A generator's weights never become int8.
  EXPECT_TRUE(at(at(run, "memory"), "int8").is_null());
  EXPECT_EQ(at(run, "format").string(), "gguf");
}

TEST_F(RunReports, CountsQuantizedWeightsAsTheyAreStored) {
  gg::GgufMaker plain;
  gg::GgufMaker blocks;
  uint64_t plain_bytes = 0;
  uint64_t block_bytes = 0;
  constexpr uint32_t kQ80 = 8;
  for (size_t i = 0; i < plain.tensors.size(); ++i) {
    if (plain.tensors[i].shape.size() < 2) continue;
    plain.tensors[i].type = 0;
    blocks.tensors[i].type = kQ80;
    plain_bytes += plain.tensors[i].size();
    block_bytes += blocks.tensors[i].size();
  }
  const uint64_t saved = stored_bytes(plain.make()) - stored_bytes(blocks.make());
  // Panels of eight rows, and the layout of packed blocks, differ a little.
  EXPECT_GT(saved, (plain_bytes - block_bytes) * 8 / 10);
}

TEST_F(RunReports, NamesWhatStandsInTheWayOfGguf) {
  gg::GgufMaker unknown;
  unknown.entry("general.architecture") = gg::text("general.architecture", "mamba");
  const io::Json run = run_of(unknown.make());
  EXPECT_EQ(obstacle_of(run), "Unsupported metadata.general.architecture");
  EXPECT_GT(at(at(run, "obstacle"), "byteOffset").uint(), 0U);

  EXPECT_EQ(obstacle_of(run_of(gg::make_vocabulary())), "NotFound tensors");

  gg::GgufMaker large;  // one token more than the embedding has rows
  large.entry("tokenizer.ggml.tokens") =
      gg::texts("tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "a", "b", "c", "d"});
  large.entry("tokenizer.ggml.scores") = gg::numbers<float>(
      "tokenizer.ggml.scores", formats::gguf::ValueType::F32, {0, 0, 0, -1, -2, -3, -4});
  large.entry("tokenizer.ggml.token_type") = gg::numbers<int32_t>(
      "tokenizer.ggml.token_type", formats::gguf::ValueType::I32, {2, 3, 3, 1, 1, 1, 1});
  EXPECT_TRUE(obstacle_of(run_of(large.make())).starts_with("Mismatch tensors["));
}

TEST_F(RunReports, OfASplitModel) {
  auto parts = gg::split_makers(gg::GgufMaker(), 2);
  EXPECT_EQ(obstacle_of(run_of(parts[0].make())), "Unsupported metadata.split.count");
  const gg::Joined all = gg::joined(parts);
  EXPECT_EQ(obstacle_of(run_of(*all.source())), "");
}

TEST_F(RunReports, TriesTheTokenizerIfItWasRead) {
  set_tokenizer_trial([](model::Model&) -> Result<void> {
    return make_error(ErrorCode::BadValue, "tokenizer", "tried");
  });
  for (const File& file : {gg::make_gguf(), embd::make_f0()}) {
    EXPECT_EQ(obstacle_of(run_of(file)), "BadValue tokenizer");
    const io::Json by_headers = run_of(file, false);
    EXPECT_EQ(obstacle_of(by_headers), "");
    EXPECT_FALSE(at(by_headers, "memory").is_null());
  }
}

TEST_F(RunReports, AGeneratorDoesWithoutATokenizer) {
  AmbMaker maker;
  EXPECT_EQ(at(run_of(maker.make()), "warnings").items().size(), 0U);
  maker.tokenizer = {};
  const io::Json run = run_of(maker.make());
  EXPECT_EQ(obstacle_of(run), "");
  EXPECT_EQ(testing::brief(at(run, "warnings")), std::vector<std::string>{"NotFound tokenizer"});
}

io::Json converted_run(const File& file, const char* options) {
  static const convert::SideFiles kNone;
  const io::MemorySource source(file);
  const auto text = conversion_run(SourceFiles(source, kNone), options);
  EXPECT_TRUE(text) << describe(text.error());
  const auto document = text ? io::parse_json(*text) : Result<io::Json>(io::Json::object());
  return document ? *document : io::Json::object();
}

TEST_F(RunReports, OfTheTargetOfAConversion) {
  const auto bert = convert::testing::run(embd::make_f0(), {}, convert::testing::to("gguf"));
  ASSERT_TRUE(bert) << describe(bert.error());
  const io::Json run = converted_run(*bert, R"({"to":"embd"})");
  EXPECT_EQ(obstacle_of(run), "");
  EXPECT_GT(at(at(run, "memory"), "int8").uint(), 0U);
}

TEST_F(RunReports, OfWordVectors) {
  const std::string text = "2 3\na 0.5 1.25 -2\nb 1 0 0.125\n";
  const File file(text.begin(), text.end());
  const io::Json run = converted_run(file, R"({"to":"finalfusion","from":"textdims"})");
  const uint64_t none = memory_of_vectors(0).as_stored;
  EXPECT_EQ(at(at(run, "memory"), "asStored").uint(), none + text.size() / 2);
  const io::Json binary =
      converted_run(formats::finalfusion::testing::make_simple(), R"({"to":"finalfusion"})");
  EXPECT_GT(at(at(binary, "memory"), "asStored").uint(), none);
}

}  // namespace
}  // namespace ambry::api
