// Scores of answers, beside a plain reference that feeds one token after another.
#include "generate/scoring/choice_scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "generate/run/prompt.h"
#include "generate/synthetic_generator.h"
#include "infer/decoder/token_probability.h"

namespace ambry::generate {
namespace {

using testing::SyntheticGenerator;
using Ids = std::vector<uint32_t>;
using Scores = std::vector<ChoiceScore>;
using Texts = std::vector<std::string>;

constexpr uint32_t kEnd = 36;

enum class Normalize : uint8_t { None, Tokens, Prior };

Ids ids_of(const SyntheticGenerator& model, std::string_view text) {
  auto ids = prompt_ids(*model.generator, {.text = text});
  EXPECT_TRUE(ids) << describe(ids.error());
  return ids ? std::move(ids).value() : Ids();
}

std::vector<float> next_logits(const SyntheticGenerator& model, DecoderRun& run,
                               std::span<const uint32_t> ids) {
  EXPECT_TRUE(run.begin(ids, infer::Logits::Last));
  for (;;) {
    const auto step = run.work();
    EXPECT_TRUE(step) << describe(step.error());
    if (!step || step->kind == infer::PassStep::Kind::Done) break;
    if (step->kind == infer::PassStep::Kind::NeedsPart) model.load_part(step->part);
  }
  const auto row = run.logits().first(model.generator->decoder.n_tokens());
  return {row.begin(), row.end()};
}

// In double, without any of the code under test.
double plain_log_probability(std::span<const float> logits, uint32_t id) {
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - logits[id]);
  return -std::log(sum);
}

struct Reference {
  double score = 0;  // with the model's own log probabilities: the same bits
  double plain = 0;
  size_t n_tokens = 0;  // of the answer
};

// The prompt in one pass, and then the tokens of the answer one by one. `n_prompt` tokens belong to
// the prompt.
Reference reference(const SyntheticGenerator& model, const Ids& whole, size_t n_prompt) {
  DecoderRun run(model.generator);
  Reference made;
  std::vector<float> row = next_logits(model, run, std::span(whole).first(n_prompt));
  const auto add = [&](uint32_t id) {
    made.score += infer::log_probability(row, id);
    made.plain += plain_log_probability(row, id);
  };
  for (size_t i = n_prompt; i < whole.size(); ++i) {
    add(whole[i]);
    row = next_logits(model, run, std::span(whole).subspan(i, 1));
    ++made.n_tokens;
  }
  add(kEnd);
  return made;
}

// How many tokens of the prompt stay as they are with each answer.
size_t prompt_length(const SyntheticGenerator& model, const std::string& prompt,
                     const Texts& choices) {
  const Ids alone = ids_of(model, prompt);
  size_t shared = alone.size();
  for (const std::string& choice : choices) {
    const Ids whole = ids_of(model, prompt + choice);
    const auto differ = std::ranges::mismatch(alone, whole).in1;
    shared = std::min(shared, static_cast<size_t>(differ - alone.begin()));
  }
  return shared;
}

ChoiceForm form_of(const std::vector<Texts>& questions, Normalize normalize = Normalize::None) {
  ChoiceForm form;
  form.by_tokens = normalize == Normalize::Tokens;
  form.has_prior = normalize == Normalize::Prior;
  for (size_t i = 0; i < questions.size(); ++i) {
    form.questions.push_back({concat({"questions.q", i, ".choices"}), questions[i]});
  }
  return form;
}

Result<Scores> decide(const SyntheticGenerator& model, ChoiceForm form, std::vector<TextList> texts,
                      uint64_t* computed = nullptr) {
  form.texts = std::move(texts);
  AMBRY_TRY(const auto job, ChoiceScores::begin(model.generator, std::move(form)));
  for (bool done = false; !done;) {
    AMBRY_TRY(const PassProgress progress, job->step());
    EXPECT_LE(progress.loaded, progress.total);
    done = progress.done;
    if (progress.step.kind == infer::PassStep::Kind::NeedsPart) {
      model.load_part(progress.step.part);
    }
  }
  if (computed != nullptr) *computed = job->n_computed();
  return Scores(job->scores().begin(), job->scores().end());
}

const std::vector<Texts> kQuestions = {{"yes", "no"},
                                       {"ab", "a", "abc", "cd cd", "zebra", "ab ab ab", "abcd"},
                                       {"1", "2", "3", "12", "123", "4"}};
const TextList kText{.head = "the cat ", .items = {"is it", "what", "how many "}};

std::vector<Reference> references(const SyntheticGenerator& model, const TextList& text,
                                  const std::vector<Texts>& questions) {
  std::vector<Reference> all;
  for (size_t q = 0; q < questions.size(); ++q) {
    const std::string prompt = text.head + text.items[q];
    const size_t n_prompt = prompt_length(model, prompt, questions[q]);
    for (const std::string& choice : questions[q]) {
      all.push_back(reference(model, ids_of(model, prompt + choice), n_prompt));
    }
  }
  return all;
}

void expect_reference(const SyntheticGenerator& model) {
  const auto scores = decide(model, form_of(kQuestions), {kText});
  ASSERT_TRUE(scores) << describe(scores.error());
  const std::vector<Reference> all = references(model, kText, kQuestions);
  ASSERT_EQ(scores->size(), all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ((*scores)[i].score, all[i].score) << i;
    EXPECT_NEAR((*scores)[i].score, all[i].plain, 1e-4) << i;
  }
}

TEST(ChoiceScores, AreThoseOfOneTokenAfterAnother) {
  for (const char* fixture : {"llama", "gpt2", "gemma2", "mistral_ring", "mistral_window", "mpt",
                              "falcon_7b", "qwen2_windows", "stablelm_parallel", "olmo2"}) {
    SCOPED_TRACE(fixture);
    expect_reference(SyntheticGenerator(fixture));
  }
}

TEST(ChoiceScores, AreTheSameWithEveryKindOfCacheAndWithoutAllWeights) {
  for (const infer::KvType kv : {infer::KvType::F32, infer::KvType::F16, infer::KvType::Int8}) {
    SCOPED_TRACE(static_cast<int>(kv));
    infer::DecoderOptions options;
    options.kv = kv;
    const SyntheticGenerator whole("llama", options);
    expect_reference(whole);
    const SyntheticGenerator streamed("llama", options, true);
    const auto here = decide(whole, form_of(kQuestions), {kText});
    const auto there = decide(streamed, form_of(kQuestions), {kText});
    ASSERT_TRUE(here && there);
    for (size_t i = 0; i < here->size(); ++i) EXPECT_EQ((*here)[i].score, (*there)[i].score) << i;
  }
}

// Answers that begin alike, questions that share a text and texts one after another are computed
// once, and each score is that of the answer alone.
TEST(ChoiceScores, DoNotDependOnOtherTextsQuestionsAndAnswers) {
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): equal tests in every run
  const auto word = [&](size_t most) {
    std::string text;
    for (size_t n = 1 + random() % most; n > 0; --n) text += "abcd xyz"[random() % 8];
    return text;
  };
  for (const char* fixture :
       {"llama", "llama_dynamic", "phi3_long", "phi3_short", "mistral_ring"}) {
    SCOPED_TRACE(fixture);
    infer::DecoderOptions options;
    options.context = 64;  // more than llama_dynamic was trained with
    const SyntheticGenerator model(fixture, options);
    const size_t room = static_cast<size_t>(model.generator->decoder.context());
    const size_t most = std::min<size_t>(room / 5, 30);
    for (int round = 0; round < 4; ++round) {
      std::vector<Texts> questions(1 + random() % 3);
      for (Texts& choices : questions) {
        for (size_t n = 2 + random() % 6; n > 0; --n) {
          const std::string choice =
              "q" + word(std::min<size_t>(most, 5));  // no merge with the prompt
          if (std::ranges::find(choices, choice) == choices.end()) choices.push_back(choice);
        }
      }
      std::vector<TextList> texts(3);
      for (TextList& text : texts) {
        text.head = word(most);
        for (size_t q = 0; q < questions.size(); ++q)
          text.items.push_back(word(std::max<size_t>(most / 2, 1)) + "z");
      }
      const auto together = decide(model, form_of(questions), texts);
      ASSERT_TRUE(together) << describe(together.error());
      size_t at = 0;
      for (const TextList& text : texts) {
        for (size_t q = 0; q < questions.size(); ++q) {
          double sum = 0;
          for (const std::string& choice : questions[q]) {
            const TextList alone{.head = text.head, .items = {text.items[q]}};
            const auto one = decide(model, form_of({{choice}}), {alone});
            ASSERT_TRUE(one);
            EXPECT_EQ((*together)[at].score, (*one)[0].score) << choice;
            EXPECT_EQ((*one)[0].probability, 1);
            sum += std::exp((*together)[at++].score);
          }
          EXPECT_LE(sum, 1 + 1e-6);  // answers exclude each other
        }
      }
    }
  }
}

// The prompt ends with a, which makes one token with the b of an answer.
TEST(ChoiceScores, ReadAnswersTogetherWithThePrompt) {
  const SyntheticGenerator model("llama");
  const Texts choices = {"b", "c"};
  ASSERT_EQ(ids_of(model, "xab").size(), ids_of(model, "x").size() + 1);
  ASSERT_EQ(prompt_length(model, "xa", choices), ids_of(model, "x").size());
  const auto scores = decide(model, form_of({choices}), {{.head = "x", .items = {"a"}}});
  ASSERT_TRUE(scores);
  const size_t n_prompt = ids_of(model, "x").size();
  EXPECT_EQ((*scores)[0].score, reference(model, ids_of(model, "xab"), n_prompt).score);
  EXPECT_EQ((*scores)[1].score, reference(model, ids_of(model, "xac"), n_prompt).score);
}

TEST(ChoiceScores, NormalizeByTokensAndByAnEmptyText) {
  const SyntheticGenerator model("llama");
  const TextList empty{.head = "", .items = kText.items};
  const auto sums = decide(model, form_of(kQuestions), {kText});
  const auto means = decide(model, form_of(kQuestions, Normalize::Tokens), {kText});
  const auto prior = decide(model, form_of(kQuestions), {empty});
  const auto apart = decide(model, form_of(kQuestions, Normalize::Prior), {empty, kText});
  ASSERT_TRUE(sums && means && prior && apart);
  ASSERT_EQ(apart->size(), sums->size());
  const std::vector<Reference> all = references(model, kText, kQuestions);
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ((*means)[i].score, all[i].score / static_cast<double>(all[i].n_tokens + 1));
    EXPECT_EQ((*apart)[i].score, (*sums)[i].score - (*prior)[i].score);
  }
  size_t at = 0;
  for (const Texts& choices : kQuestions) {
    double whole = 0;
    double sum = 0;
    for (size_t i = 0; i < choices.size(); ++i) whole += std::exp((*apart)[at + i].score);
    for (size_t i = 0; i < choices.size(); ++i, ++at) {
      EXPECT_NEAR((*apart)[at].probability, std::exp((*apart)[at].score) / whole, 1e-12);
      sum += (*apart)[at].probability;
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

TEST(ChoiceScores, ComputeWhatIsSharedOnce) {
  const SyntheticGenerator model("llama");
  uint64_t computed = 0;
  const TextList text{.head = "the cat sat", .items = {"xy", "zxw"}};
  ASSERT_TRUE(decide(model, form_of({{"ef", "eg", "e"}, {"h"}}), {text}, &computed));
  const size_t beginning = ids_of(model, text.head).size();
  EXPECT_EQ(computed, beginning + 2 + 3 + 3 + 1);  // e, f, g and h
  uint64_t longer = 0;
  TextList other = text;
  other.head = "the cat ran";
  ASSERT_TRUE(decide(model, form_of({{"ef", "eg", "e"}, {"h"}}), {text, other}, &longer));
  EXPECT_EQ(longer, computed + 3 + 2 + 3 + 3 + 1);  // what follows "the cat "
}

TEST(ChoiceScores, TakeManyAndLongAnswers) {
  const SyntheticGenerator model("llama");
  const size_t room = static_cast<size_t>(model.generator->decoder.context()) - 8;
  Texts choices;
  for (size_t i = 0; i < 200; ++i) {
    choices.push_back("z" + std::to_string(i % 5) + "yx"[i / 5 % 2] + std::string(1 + i / 10, 'e'));
  }
  choices.push_back(std::string(std::min<size_t>(room, 150), 'z'));
  std::vector<std::string> unique(choices);
  std::ranges::sort(unique);
  ASSERT_EQ(std::ranges::unique(unique).size(), 0U);
  const auto scores = decide(model, form_of({choices}), {{.head = "q", .items = {"r"}}});
  ASSERT_TRUE(scores) << describe(scores.error());
  const size_t n_prompt = ids_of(model, "qr").size();
  for (const size_t i : {size_t{0}, size_t{99}, size_t{199}, size_t{200}}) {
    const Ids whole = ids_of(model, "qr" + choices[i]);
    EXPECT_EQ((*scores)[i].score, reference(model, whole, n_prompt).score) << i;
  }
}

void expect_refused(const Result<Scores>& scores, ErrorCode code, std::string_view path) {
  ASSERT_FALSE(scores);
  EXPECT_EQ(scores.error().code, code) << describe(scores.error());
  EXPECT_EQ(scores.error().path, path) << describe(scores.error());
}

TEST(ChoiceScores, RefuseWhatCannotBeScored) {
  SyntheticGenerator model("llama");
  const auto asked = [&](const Texts& choices, std::string beginning = "the") {
    return decide(model, form_of({choices}), {{.head = std::move(beginning), .items = {"x"}}});
  };
  expect_refused(asked({"yes", ""}), ErrorCode::BadValue, "questions.q0.choices[1]");
  expect_refused(asked({"yes", "no", "yes"}), ErrorCode::BadValue, "questions.q0.choices[2]");
  const std::string longer(static_cast<size_t>(model.generator->decoder.context()) + 1, 'z');
  expect_refused(asked({"yes"}, longer), ErrorCode::LimitExceeded, "texts[0]");
  expect_refused(asked({longer}), ErrorCode::LimitExceeded, "texts[0]");
  // Without the token that starts a text, nothing is before the answer.
  ChoiceForm bare = form_of({{"b", "c"}});
  bare.special = false;
  expect_refused(decide(model, std::move(bare), {{"a", {""}}}), ErrorCode::BadValue, "texts[0]");
  expect_refused(decide(model, form_of({}), {}), ErrorCode::BadValue, "questions");
  expect_refused(decide(model, form_of({{}}), {}), ErrorCode::BadValue, "questions");
  expect_refused(decide(model, form_of({{"b"}}), {{"a", {}}}), ErrorCode::BadValue, "questions");
  const auto several = decide(model, form_of({{"b"}}, Normalize::Prior),
                              {{"", {"x"}}, {"a", {"x"}}, {longer, {"x"}}});
  expect_refused(several, ErrorCode::LimitExceeded, "texts[1]");
  model.generator->tokenizer.reset();
  expect_refused(asked({"yes"}), ErrorCode::Unsupported, "tokenizer");
}

}  // namespace
}  // namespace ambry::generate
