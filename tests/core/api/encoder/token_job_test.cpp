// Token vectors and scores of models with late interaction against PyTorch in float64
// (tests/reference/models/late_interaction.py), from directories of both layouts to the vectors.
#include "api/encoder/token_job.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "api/encoder/embed_job.h"
#include "api/encoder/encoder_model.h"
#include "api/encoder/late_directory.h"
#include "api/model/load_model.h"
#include "convert/run_conversion.h"

namespace ambry::api {
namespace {

using convert::testing::File;
using testing::Changes;
using testing::count_in;
using testing::late_fixture;
using testing::LateDirectory;

Result<EncoderModel> late_session(const File& file, std::string_view weights = "as-stored") {
  return testing::load_model<EncoderModel>(file, concat({R"({"weights":")", weights, R"("})"}));
}

Result<TokenJob> run_tokens(const EncoderModel& session, const std::vector<std::string>& texts,
                            std::string_view options) {
  AMBRY_TRY(TokenJob job, TokenJob::begin(session.runtime(), options));
  for (const std::string& text : texts) job.add(text);
  AMBRY_RETURN_IF_ERROR(job.start());
  for (bool done = false; !done;) {
    AMBRY_TRY(done, job.step());
  }
  EXPECT_EQ(job.done_texts(), texts.size());
  return job;
}

// The texts of one role, and the reference's rows of all of them.
struct Role {
  std::vector<std::string> texts;
  std::vector<double> values;
  std::vector<uint32_t> counts;
};

Role late_role(const io::Json& fixture, std::string_view role) {
  Role made;
  for (const io::Json& text : fixture.find("texts")->items()) {
    if (text.find("as")->string() != role) continue;
    made.texts.push_back(text.find("text")->string());
    const auto& rows = text.find("vectors")->items();
    made.counts.push_back(static_cast<uint32_t>(rows.size()));
    for (const io::Json& row : rows) {
      for (const io::Json& value : row.items()) made.values.push_back(value.number());
    }
  }
  return made;
}

double worst_difference(std::span<const float> found, const std::vector<double>& expected) {
  EXPECT_EQ(found.size(), expected.size());
  double worst = 0;
  for (size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
    worst = std::max(worst, std::abs(double{found[i]} - expected[i]));
  }
  return worst;
}

struct LateCase {
  const char* name;
  bool pylate;
};

class TokenVectors : public ::testing::TestWithParam<LateCase> {
 protected:
  io::Json fixture_ = late_fixture(GetParam().name);

  [[nodiscard]] Result<EncoderModel> opened(std::string_view weights = "as-stored",
                                            const convert::Options& options = {}) const {
    AMBRY_TRY(const File file, LateDirectory(fixture_, GetParam().pylate).convert(options));
    return late_session(file, weights);
  }
};

TEST_P(TokenVectors, AreThoseOfTheReference) {
  const auto session = opened();
  ASSERT_TRUE(session) << describe(session.error());
  for (const char* role : {"query", "document"}) {
    const Role expected = late_role(fixture_, role);
    const std::string options = concat({R"({"as":")", role, R"("})"});
    const auto job = run_tokens(*session, expected.texts, options);
    ASSERT_TRUE(job) << describe(job.error());
    EXPECT_EQ(job->dim(), count_in(*fixture_.find("late"), "dim"));
    EXPECT_TRUE(std::ranges::equal(job->row_counts(), expected.counts)) << role;
    EXPECT_LE(worst_difference(job->result(), expected.values), 1e-5) << role;
    // Alone each text has the same vectors.
    size_t at = 0;
    for (const std::string& text : expected.texts) {
      const auto alone = run_tokens(*session, {text}, options);
      ASSERT_TRUE(alone);
      EXPECT_TRUE(
          std::ranges::equal(alone->result(), job->result().subspan(at, alone->result().size())));
      at += alone->result().size();
    }
  }
}

TEST_P(TokenVectors, GiveTheScoresOfTheReference) {
  const auto session = opened();
  ASSERT_TRUE(session) << describe(session.error());
  auto documents = run_tokens(*session, late_role(fixture_, "document").texts, "{}");
  ASSERT_TRUE(documents);
  const Role queries = late_role(fixture_, "query");
  for (size_t i = 0; i < queries.texts.size(); ++i) {
    const auto query = run_tokens(*session, {queries.texts[i]}, R"({"as":"query"})");
    ASSERT_TRUE(query);
    ASSERT_TRUE(documents->score(*query));
    const auto& expected = fixture_.find("scores")->items()[i].items();
    ASSERT_EQ(documents->scores().size(), expected.size());
    for (size_t j = 0; j < expected.size(); ++j) {
      EXPECT_NEAR(documents->scores()[j], expected[j].number(), 1e-4) << i << ", " << j;
    }
  }
}

// Made-up weights of few columns let no errors average out. Least alike are the vectors on machines
// whose activations have codes of 7 bits (kernels/quantize/int8_activations.h): 0.99884.
TEST_P(TokenVectors, KeepTheirDirectionWithInt8Weights) {
  convert::Options int8;
  int8.dtype = tensor::DType::Int8;
  for (const auto& session : {opened("int8"), opened("as-stored", int8)}) {
    ASSERT_TRUE(session) << describe(session.error());
    for (const char* role : {"query", "document"}) {
      const Role expected = late_role(fixture_, role);
      const auto job = run_tokens(*session, expected.texts, concat({R"({"as":")", role, R"("})"}));
      ASSERT_TRUE(job) << describe(job.error());
      ASSERT_EQ(job->result().size(), expected.values.size());
      double product = 0;
      for (size_t i = 0; i < expected.values.size(); ++i) {
        product += double{job->result()[i]} * expected.values[i];
      }
      const auto n_rows = static_cast<double>(expected.values.size() / job->dim());
      EXPECT_GE(product / n_rows, 0.998) << role;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, TokenVectors,
                         ::testing::Values(LateCase{"colbert", false}, LateCase{"attending", false},
                                           LateCase{"attending", true},
                                           LateCase{"modernbert", true},
                                           LateCase{"without_expansion", true}),
                         [](const auto& param) {
                           return std::string(param.param.name) +
                                  (param.param.pylate ? "_of_pylate" : "_of_colbert");
                         });

Error refusal_of(const char* name, bool pylate, const Changes& changes) {
  auto file = LateDirectory(late_fixture(name), pylate, changes).convert();
  return file ? Error() : Error(file.take_error());
}

TEST(LateDirectories, AreRefusedByName) {
  struct Fault {
    bool pylate;
    Changes changes;
    ErrorCode code;
    const char* path;
  };
  using enum ErrorCode;
  const std::string kStanford = "artifact.metadata";
  const std::string kPylate = "config_sentence_transformers.json";
  const std::vector<Fault> faults = {
      {false, {.without = {kStanford}}, NotFound, "artifact.metadata"},
      {false, {R"(,"similarity":"l2")"}, Unsupported, "artifact.metadata.similarity"},
      {false, {R"(,"interaction":"flipr")"}, Unsupported, "artifact.metadata.interaction"},
      {false, {R"(,"query_token_id":"[Q]")"}, NotFound, "artifact.metadata.query_token_id"},
      {false, {R"(,"doc_token_id":"[D]")"}, NotFound, "artifact.metadata.doc_token_id"},
      {true,
       {R"(,"skiplist_words":[1])"},
       BadValue,
       "config_sentence_transformers.json.skiplist_words"}};
  for (const Fault& fault : faults) {
    const Error error = refusal_of("colbert", fault.pylate, fault.changes);
    EXPECT_EQ(error.code, fault.code) << fault.path << ": " << describe(error);
    EXPECT_EQ(error.path, fault.path) << describe(error);
  }
}

TEST(LateDirectories, AreRefusedForOtherSizes) {
  io::Json fixture = late_fixture("colbert");
  io::Json late = *fixture.find("late");
  late.set("dim", uint64_t{8});
  fixture.set("late", late);
  auto file = LateDirectory(fixture, false).convert();
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(file.error().path, "linear.weight");
  late.set("dim", uint64_t{7});
  late.set("document_length", uint64_t{49});
  fixture.set("late", late);
  file = LateDirectory(fixture, false).convert();
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(file.error().path, "metadata.late_interaction");
}

TEST(LateDirectories, AreConvertedOnceAndKept) {
  const auto file = LateDirectory(late_fixture("colbert"), false).convert();
  ASSERT_TRUE(file) << describe(file.error());
  const auto again = convert::testing::run(*file, {}, convert::testing::to("embd"));
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(*again, *file);
  // The first bytes say which code runs the file.
  const std::string_view head = as_text(Bytes(*file).first(1024));
  EXPECT_NE(head.find("late_interaction"), std::string_view::npos);
  EXPECT_LT(head.find("late_interaction"), head.find("model_name"));
}

class TokenJobTest : public ::testing::Test {
 protected:
  EncoderModel session_ =
      late_session(LateDirectory(late_fixture("colbert"), false).convert().value()).value();
};

TEST_F(TokenJobTest, CutsOrRefusesLongTexts) {
  std::string text = "w1";
  for (size_t i = 0; i < 30; ++i) text += " w2";
  const auto cut = run_tokens(session_, {text}, "{}");
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->row_counts()[0], 20U);
  const auto refused =
      run_tokens(session_, {"w1", text}, R"({"truncate":"error","list":"documents","first":7})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(refused.error().path, "documents[8]");
  EXPECT_NE(refused.error().message.find("34 tokens, but the model takes at most 20"),
            std::string::npos);
}

TEST_F(TokenJobTest, RefusesUnknownOptions) {
  const auto job = TokenJob::begin(session_.runtime(), R"({"as":"passage"})");
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().code, ErrorCode::BadValue);
  EXPECT_EQ(job.error().path, "options.as");
}

TEST_F(TokenJobTest, TakesNoTexts) {
  const auto job = run_tokens(session_, {}, "{}");
  ASSERT_TRUE(job);
  EXPECT_TRUE(job->result().empty());
}

TEST_F(TokenJobTest, ModelHasNoVectorOfAText) {
  const auto job = EmbedJob::begin(session_.runtime(), "{}");
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(job.error().path, "model");
}

TEST_F(TokenJobTest, IsDescribed) {
  const io::Json info = io::parse_json(session_.info()).value();
  const io::Json* late = info.find("config")->find("lateInteraction");
  ASSERT_NE(late, nullptr);
  EXPECT_EQ(count_in(*late, "queryLength"), 12U);
  EXPECT_EQ(count_in(*late, "documentLength"), 20U);
  EXPECT_EQ(count_in(*late, "queryMarker"), 5U);
  EXPECT_EQ(count_in(*late, "documentMarker"), 6U);
  EXPECT_EQ(count_in(*late, "expansion"), 4U);
  EXPECT_EQ(info.find("config")->find("embeddingDim")->uint(), 7U);
}

}  // namespace
}  // namespace ambry::api
