// Native code generates with typed options and reads typed events.
#include "generate/generation.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "generate/prompt_cache.h"
#include "generate/synthetic_generator.h"
#include "text/grammar/form/choices.h"

namespace ambry::generate {
namespace {

using testing::SyntheticGenerator;
using Ids = std::vector<uint32_t>;

struct Made {
  Ids ids;
  std::string text;         // of the answer
  std::string event_texts;  // of the events, one after another
  StopReason stop = StopReason::None;
  size_t n_reused = 0;

  friend bool operator==(const Made&, const Made&) = default;
};

Prompt ids_prompt(Ids ids) { return {.text = {}, .special = true, .ids = std::move(ids)}; }

class GenerationTest : public ::testing::Test {
 protected:
  static GenerateOptions options(uint64_t max_tokens = 12) {
    GenerateOptions options;
    options.max_tokens = max_tokens;
    options.ignore_eos = true;
    return options;
  }

  // Steps until all answers have ended.
  std::vector<Made> finish(Generation& generation) const {
    std::vector<Made> made(generation.n_answers());
    size_t n_events = 0;
    for (bool done = false; !done;) {
      auto step = generation.step();
      EXPECT_TRUE(step) << describe(step.error());
      if (!step) return {};
      done = step->pass.done;
      EXPECT_LE(step->pass.loaded, step->pass.total);
      if (step->pass.step.kind == infer::PassStep::Kind::NeedsPart) {
        model_.load_part(step->pass.step.part);
      }
      for (const TokenEvent& token : step->tokens) {
        EXPECT_EQ(token.id, generation.answer(token.answer).ids[token.index]);
        made[token.answer].event_texts += token.text;
      }
      n_events += step->tokens.size();
      if (done) EXPECT_EQ(step->made, n_events);
    }
    for (size_t i = 0; i < made.size(); ++i) {
      const Answer answer = generation.answer(i);
      made[i].ids.assign(answer.ids.begin(), answer.ids.end());
      made[i].text = answer.text;
      made[i].stop = answer.stop;
      made[i].n_reused = answer.n_reused;
      EXPECT_EQ(made[i].event_texts, made[i].text);
    }
    return made;
  }

  Made one(const Prompt& prompt, const GenerateOptions& options,
           const infer::DecoderState* kept = nullptr) const {
    auto generation = Generation::begin(model_.generator, prompt, options, kept);
    EXPECT_TRUE(generation) << describe(generation.error());
    return generation ? finish(*generation).front() : Made();
  }

  void expect_refused(const GenerateOptions& options, std::string_view path) const {
    const auto refused = Generation::begin(model_.generator, ids_prompt({4}), options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::BadValue);
    EXPECT_EQ(refused.error().path, path);
  }

  SyntheticGenerator model_{"llama"};
};

TEST_F(GenerationTest, AnswersAText) {
  const Made made = one({.text = "abcd"}, options());
  EXPECT_EQ(made.ids.size(), 12U);
  EXPECT_EQ(made.stop, StopReason::Length);
  EXPECT_FALSE(made.text.empty());
}

TEST_F(GenerationTest, ShowsTheSpecialTokensThatAreAskedFor) {
  constexpr uint32_t kBegin = 35;
  GenerateOptions asked = options(3);
  asked.sampler.logit_bias.push_back({.id = kBegin, .bias = 1e5});
  EXPECT_EQ(one({.text = "ab"}, asked).text, "<s><s><s>");  // no special token of this tokenizer
  asked.shown_ids = {kBegin};
  EXPECT_EQ(one({.text = "ab"}, asked).text, "<s><s><s>");
  asked.shown_ids.clear();
  model_.generator->tokenizer = testing::tokenizer_of_37({{.id = kBegin, .content = "<s>"}});
  EXPECT_EQ(one({.text = "ab"}, asked).text, "");
  asked.shown_ids = {kBegin};
  EXPECT_EQ(one({.text = "ab"}, asked).text, "<s><s><s>");
  asked.stops = {"<s><s>"};
  const Made made = one({.text = "ab"}, asked);
  EXPECT_EQ(made.text, "");
  EXPECT_EQ(made.stop, StopReason::Stop);
}

TEST_F(GenerationTest, AnswersPromptsTogetherAsAlone) {
  const std::array<ListedPrompt, 3> prompts = {
      ListedPrompt{.prompt = {.text = "abcd efgh"}},
      ListedPrompt{.prompt = ids_prompt({6, 2, 3}), .seed = 7},
      ListedPrompt{.prompt = {.text = "abcd", .special = false}},
  };
  GenerateOptions asked = options();
  asked.sampler.temperature = 1;
  asked.sampler.seed = 3;
  asked.n = 2;
  asked.batch_size = 4;
  auto together = Generation::begin(model_.generator, prompts, asked);
  ASSERT_TRUE(together) << describe(together.error());
  const std::vector<Made> all = finish(*together);
  ASSERT_EQ(all.size(), 6U);
  for (size_t i = 0; i < all.size(); ++i) {
    GenerateOptions alone = asked;
    alone.n = 1;
    alone.sampler.seed = prompts[i / 2].seed.value_or(3) + i % 2;
    Made expected = one(prompts[i / 2].prompt, alone);
    expected.n_reused = all[i].n_reused;
    EXPECT_EQ(all[i], expected) << i;
  }
}

TEST_F(GenerationTest, SeedsDecide) {
  GenerateOptions asked = options();
  asked.sampler.temperature = 2;
  asked.sampler.top_p = 1;
  asked.sampler.seed = 1;
  const Made first = one(ids_prompt({4, 5}), asked);
  EXPECT_EQ(one(ids_prompt({4, 5}), asked), first);
  asked.sampler.seed = 2;
  EXPECT_NE(one(ids_prompt({4, 5}), asked).ids, first.ids);
}

TEST_F(GenerationTest, StopsBeforeATextAndAtAnId) {
  const Made whole = one(ids_prompt({4, 5}), options());
  ASSERT_GE(whole.text.size(), 6U);
  GenerateOptions asked = options();
  asked.stops = {whole.text.substr(3, 2)};
  const Made stopped = one(ids_prompt({4, 5}), asked);
  EXPECT_EQ(stopped.stop, StopReason::Stop);
  EXPECT_EQ(stopped.text, whole.text.substr(0, whole.text.find(asked.stops[0])));
  asked = options();
  asked.stop_ids = {whole.ids[0]};
  EXPECT_TRUE(one(ids_prompt({4, 5}), asked).ids.empty());
}

TEST_F(GenerationTest, LooksUpThePromptWithoutChangingTheAnswer) {
  Ids repeating;
  for (uint32_t i = 0; i < 24; ++i) repeating.push_back(4 + i % 3);
  GenerateOptions asked = options(20);
  asked.sampler.temperature = 0;
  const Made expected = one(ids_prompt(repeating), asked);
  asked.prompt_lookup_num_tokens = 8;
  asked.max_matching_ngram_size = 2;
  EXPECT_EQ(one(ids_prompt(repeating), asked), expected);
}

TEST_F(GenerationTest, KeepsToAForm) {
  auto grammar = text::grammar_of_choices(std::array<std::string, 2>{"abab", "cd cd"}, "choices");
  ASSERT_TRUE(grammar);
  AnswerForm form;
  form.grammar = std::move(*grammar);
  GenerateOptions asked = options(20);
  asked.form = std::make_shared<const AnswerForm>(std::move(form));
  auto generation = Generation::begin(model_.generator, ids_prompt({4}), asked);
  ASSERT_TRUE(generation) << describe(generation.error());
  const Made made = finish(*generation).front();
  EXPECT_TRUE(made.text == "abab" || made.text == "cd cd") << made.text;
  EXPECT_EQ(generation->answer(0).is_complete, true);
}

TEST_F(GenerationTest, ReportsProbabilities) {
  GenerateOptions asked = options(1);
  asked.sampler.temperature = 0;
  asked.with_probabilities = true;
  asked.n_likely = 2;
  auto generation = Generation::begin(model_.generator, ids_prompt({4, 5}), asked);
  ASSERT_TRUE(generation) << describe(generation.error());
  std::vector<TokenEvent> tokens;
  for (bool done = false; !done;) {
    auto step = generation->step();
    ASSERT_TRUE(step);
    done = step->pass.done;
    for (TokenEvent& token : step->tokens) tokens.push_back(std::move(token));
  }
  ASSERT_EQ(tokens.size(), 1U);
  ASSERT_TRUE(tokens[0].probability);
  ASSERT_EQ(tokens[0].probability->likely.size(), 2U);
  EXPECT_EQ(tokens[0].probability->likely[0].id, tokens[0].id);
  EXPECT_EQ(tokens[0].probability->likely[0].log_probability,
            tokens[0].probability->log_probability);
}

TEST_F(GenerationTest, ReusesWhatACacheHas) {
  const GenerateOptions asked = options(3);
  PromptCache cache(model_.generator);
  auto first = Generation::begin(cache.generator(), ids_prompt({6, 2, 3}), asked, &cache.state());
  ASSERT_TRUE(first);
  const Made begun = finish(*first).front();
  EXPECT_EQ(begun.n_reused, 0U);
  ASSERT_TRUE(cache.keep(*first));
  Ids next = {6, 2, 3};
  next.insert(next.end(), begun.ids.begin(), begun.ids.end());
  next.push_back(5);
  const Made warm = one(ids_prompt(next), asked, &cache.state());
  EXPECT_EQ(warm.n_reused, cache.n_tokens());
  Made cold = one(ids_prompt(next), asked);
  cold.n_reused = warm.n_reused;
  EXPECT_EQ(warm, cold);
  const auto saved = cache.save("a note");
  ASSERT_TRUE(saved);
  const auto restored = PromptCache::restore(model_.generator, saved->bytes());
  ASSERT_TRUE(restored);
  EXPECT_EQ(restored->note(), "a note");
  EXPECT_EQ(one(ids_prompt(next), asked, &restored->state()), warm);
}

// A caller stops by stepping no more, and may keep what is there.
TEST_F(GenerationTest, StopsBetweenSteps) {
  PromptCache cache(model_.generator);
  Ids made;
  {
    auto generation = Generation::begin(cache.generator(), ids_prompt({6, 2, 3}), options(50));
    ASSERT_TRUE(generation);
    while (generation->answer(0).ids.size() < 2) ASSERT_TRUE(generation->step());
    const Answer answer = generation->answer(0);
    made.assign(answer.ids.begin(), answer.ids.end());
    EXPECT_EQ(answer.stop, StopReason::None);
    ASSERT_TRUE(cache.keep(*generation));
  }
  Ids next = {6, 2, 3};
  next.insert(next.end(), made.begin(), made.end());
  EXPECT_GE(one(ids_prompt(next), options(), &cache.state()).n_reused, 3U);
}

TEST_F(GenerationTest, RunsAModelLargerThanMemory) {
  const Made expected = one(ids_prompt({4, 5, 6}), options());
  model_ = SyntheticGenerator("llama", {}, /*is_streamed=*/true);
  EXPECT_EQ(one(ids_prompt({4, 5, 6}), options()), expected);
}

TEST_F(GenerationTest, RefusesOptionsOutOfRange) {
  const auto refuse = [&](std::string_view path, const auto& change) {
    GenerateOptions bad;
    change(bad);
    expect_refused(bad, path);
  };
  refuse("options.maxTokens", [](GenerateOptions& bad) { bad.max_tokens = 0; });
  refuse("options.n", [](GenerateOptions& bad) { bad.n = 10'001; });
  refuse("options.batchSize", [](GenerateOptions& bad) { bad.batch_size = 0; });
  refuse("options.stop", [](GenerateOptions& bad) { bad.stops = {""}; });
  refuse("options.logprobs", [](GenerateOptions& bad) { bad.n_likely = 1001; });
  refuse("options.topNSigma", [](GenerateOptions& bad) { bad.sampler.top_n_sigma = -1; });
  refuse("options.promptLookupNumTokens",
         [](GenerateOptions& bad) { bad.prompt_lookup_num_tokens = 64; });
  refuse("options.resumeIds", [](GenerateOptions& bad) {
    bad.resume_ids = {4, 5};
    bad.max_tokens = 1;
  });
  refuse("options.resumeIds", [](GenerateOptions& bad) {
    bad.resume_ids = {4};
    bad.n = 2;
  });
  refuse("options.drySequenceBreakers",
         [](GenerateOptions& bad) { bad.dry_breakers = {std::string(41, 'a')}; });
}

TEST_F(GenerationTest, RefusesBadPrompts) {
  const auto refuse = [&](const Prompt& prompt, ErrorCode code, std::string_view path) {
    const auto refused = Generation::begin(model_.generator, prompt, options());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, code);
    EXPECT_EQ(refused.error().path, path);
  };
  refuse(ids_prompt({}), ErrorCode::BadValue, "prompt");
  refuse(ids_prompt({4, 99}), ErrorCode::BadValue, "prompt[1]");
  refuse(ids_prompt(Ids(64, 4)), ErrorCode::LimitExceeded, "prompt");
  const auto empty =
      Generation::begin(model_.generator, std::span<const ListedPrompt>(), options());
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().path, "prompts");
}

}  // namespace
}  // namespace ambry::generate
