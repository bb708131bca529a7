#include "api/encoder/together.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/encoder/encoder_model.h"
#include "api/model/load_model.h"
#include "formats/embd/make_embd.h"

namespace ambry::api::together {
namespace {

using formats::embd::testing::F0Maker;

// As BGE-M3 is converted: a head that weighs tokens, and a layer that makes vectors of them.
F0Maker m3() {
  F0Maker maker;
  maker.tensors.push_back({"token_head.classifier.weight", {1, 4}});
  maker.tensors.push_back({"token_head.classifier.bias", {1}});
  maker.tensors.push_back({"dense.0.weight", {4, 4}});
  maker.tensors.push_back({"dense.0.bias", {4}});
  maker.metadata.emplace_back("pooling_mode", "cls");
  maker.metadata.emplace_back("dense_activations", R"(["identity"])");
  maker.metadata.emplace_back("token_head", R"({"task":"sparse","words":"own","logarithms":0})");
  maker.metadata.emplace_back("late_interaction",
                              R"({"query_length":6,"document_length":6,"with_sentences":true})");
  return maker;
}

Result<EncoderModel> model_of(F0Maker maker) {
  return testing::load_model<EncoderModel>(maker.make());
}

const std::vector<std::string> kTexts = {"a", "", "ab a zz", "a a a a a a a ab"};

template <class Job>
void run(Job& job, const std::vector<std::string>& texts = kTexts) {
  for (const std::string& text : texts) job.add(text);
  const auto started = job.start();
  ASSERT_TRUE(started) << describe(started.error());
  for (bool done = false; !done;) {
    const auto step = job.step();
    ASSERT_TRUE(step) << describe(step.error());
    done = *step;
  }
  EXPECT_EQ(job.done_texts(), texts.size());
}

template <class T>
std::vector<T> values(std::span<const T> given) {
  return {given.begin(), given.end()};
}

// A job alone, begun in its own way, that has run.
template <class Job, class Model>
Job alone(const Model& model, std::string_view options = "{}") {
  auto job = Job::begin(model, options);
  EXPECT_TRUE(job) << describe(job.error());
  run(*job);
  return std::move(*job);
}

void expect_same(const TextJob& found, const TextJob& expected) {
  EXPECT_EQ(found.dim(), expected.dim());
  EXPECT_EQ(values(found.result()), values(expected.result()));
  EXPECT_EQ(values(found.row_counts()), values(expected.row_counts()));
  EXPECT_FALSE(expected.result().empty());
}

// The jobs of one pass, with the results of a job alone for each of them.
struct Together {
  EmbedJob texts;
  std::optional<SparseJob> words;
  std::optional<TokenJob> tokens;
};

Together run_together(const EncoderModel& model, bool words = true, bool tokens = true) {
  Together made{*EmbedJob::begin(model.runtime(), "{}"), {}, {}};
  if (words) made.words = *SparseJob::begin(model, "{}");
  if (tokens) made.tokens = *TokenJob::begin(model.runtime(), "{}");
  const JobsTogether jobs{made.texts, words ? &*made.words : nullptr,
                          tokens ? &*made.tokens : nullptr};
  for (const std::string& text : kTexts) made.texts.add(text);
  const auto started = start_together(jobs);
  EXPECT_TRUE(started) << describe(started.error());
  size_t done = 0;
  while (done < kTexts.size()) {
    const auto step = step_together(jobs);
    EXPECT_TRUE(step) << describe(step.error());
    if (!step) break;
    EXPECT_GT(*step, done);
    done = *step;
  }
  return made;
}

TEST(Together, GivesTheNumbersOfEachJobAlone) {
  const auto model = model_of(m3());
  ASSERT_TRUE(model) << describe(model.error());
  const Together all = run_together(*model);
  expect_same(all.texts, alone<EmbedJob>(model->runtime()));
  const SparseJob words = alone<SparseJob>(*model);
  expect_same(*all.words, words);
  EXPECT_EQ(values(all.words->ids()), values(words.ids()));
  expect_same(*all.tokens, alone<TokenJob>(model->runtime()));
  expect_same(*all.tokens, alone<TokenJob>(model->runtime(), R"({"as":"query"})"));
  // The first token of a text has no vector: a [SEP], [SEP], a ##b a [UNK] [SEP], four a and [SEP].
  EXPECT_EQ(values(all.tokens->row_counts()), (std::vector<uint32_t>{2, 1, 5, 5}));
}

TEST(Together, TheLayerForTokensChangesNoVectorOfATextOrWeight) {
  F0Maker other = m3();
  other.tensors.back().data = std::string(16, '\x3E');
  const auto model = model_of(m3());
  const auto changed = model_of(other);
  ASSERT_TRUE(changed) << describe(changed.error());
  const Together before = run_together(*model);
  const Together after = run_together(*changed);
  expect_same(after.texts, before.texts);
  expect_same(*after.words, *before.words);
  EXPECT_NE(values(after.tokens->result()), values(before.tokens->result()));
}

TEST(Together, JobsMayBeAbsent) {
  const auto model = model_of(m3());
  ASSERT_TRUE(model);
  expect_same(*run_together(*model, true, false).words, alone<SparseJob>(*model));
  expect_same(*run_together(*model, false, true).tokens, alone<TokenJob>(model->runtime()));
  expect_same(run_together(*model, false, false).texts, alone<EmbedJob>(model->runtime()));
}

TEST(Together, ATextThatIsTooLongIsNamed) {
  const auto model = model_of(m3());
  ASSERT_TRUE(model);
  auto texts = *EmbedJob::begin(model->runtime(), R"({"truncate":"error"})");
  texts.add("a");
  texts.add("a a a a a a");
  const auto started = start_together({texts});
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(started.error().path, "texts[1]");
}

TEST(Together, AModelMayGiveVectorsOfTextsAndTokensAlone) {
  F0Maker maker = m3();
  std::erase_if(maker.metadata, [](const auto& row) { return row.first == "token_head"; });
  std::erase_if(maker.tensors,
                [](const auto& tensor) { return tensor.name.starts_with("token_head."); });
  const auto model = model_of(maker);
  ASSERT_TRUE(model) << describe(model.error());
  expect_same(alone<TokenJob>(model->runtime()), *run_together(*model_of(m3())).tokens);
  EXPECT_FALSE(SparseJob::begin(*model, "{}"));
}

}  // namespace
}  // namespace ambry::api::together
