// Random answers by prompt lookup, together with others, with a shared prompt, and resumed after
// any of their tokens, beside the same answers one by one without any of it. All that a caller sees
// must be equal: ids, texts, probabilities, reasons to stop, and the keys and values that stay.
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "api/decoder/synthetic_job.h"
#include "base/random.h"
#include "repetitions.h"

namespace ambry::api {
namespace {

using testing::run;
using testing::SeenJob;
using testing::SyntheticGenerator;

struct Setting {
  const char* name;
  const char* fixture;
  const char* dtype = "f32";
  infer::KvType kv = infer::KvType::F32;
  uint64_t context = 0;
  bool is_streamed = false;
};

constexpr Setting kSettings[] = {
    {"llama", "llama"},
    {"llama_f16", "llama", "f32", infer::KvType::F16},
    {"yarn", "llama_yarn", "f32", infer::KvType::Int8},
    {"dynamic", "llama_dynamic", "f32", infer::KvType::F32, 120},
    {"window", "mistral_window", "f32", infer::KvType::F32, 200},
    {"ring", "mistral_ring", "f32", infer::KvType::Int8, 200},
    {"ring_streamed", "mistral_ring", "f32", infer::KvType::F16, 200, true},
    {"gemma3", "gemma3"},
    {"gemma3n_streamed", "gemma3n", "f32", infer::KvType::F32, 0, true},
    {"gemma4", "gemma4", "f32", infer::KvType::F16},
    {"phi2", "phi2"},
    {"longrope", "phi3_long"},
    {"learned_streamed", "gpt2", "f32", infer::KvType::F32, 0, true},
    {"falcon", "falcon_7b"},
    {"alibi", "mpt", "f32", infer::KvType::F32, 200},
    {"convolutions", "lfm2"},
    {"deltas", "qwen3_5"},
    {"deltas_streamed", "qwen3_5_wide", "f32", infer::KvType::F16, 0, true},
    {"convolutions_streamed", "lfm2_biased", "f32", infer::KvType::F16, 0, true},
    {"state_spaces", "granite_hybrid"},
    {"parallel_state_spaces", "falcon_h1", "f32", infer::KvType::F16},
    {"state_spaces_streamed", "nemotron_h", "f32", infer::KvType::F32, 0, true},
    {"shared_experts", "qwen2_moe"},
    {"shared_experts_streamed", "qwen3_5_moe", "f32", infer::KvType::F32, 0, true},
    {"normalized_experts_streamed", "gemma4_moe", "f32", infer::KvType::F16, 0, true},
    {"int8_weights", "wide_quantized", "int8"},
    {"int4_weights", "wide_quantized", "int4_block"},
};

constexpr size_t kCases = ambry::testing::repetitions(24);  // for each setting

class RandomCase {
 public:
  RandomCase(uint64_t seed, uint64_t context) : random_(seed), context_(context) {
    sampling_ = one_of({R"("temperature": 0)", R"("temperature": 0, "repetitionPenalty": 1.2)",
                        R"("temperature": 0.4)", R"("temperature": 1, "topK": 5)",
                        R"("temperature": 0.5, "frequencyPenalty": 0.3, "penaltyLastN": 12)",
                        R"("temperature": 0.7, "mirostat": 2)",
                        R"("temperature": 0.6, "xtcProbability": 0.5)",
                        R"("temperature": 0.3, "dryMultiplier": 0.8, "dryAllowedLength": 3)"});
    seed_ = below(1000);
    ends_ = one_of({"", R"(, "ignoreEos": true)", R"(, "stop": ["ab", "zz"], "ignoreEos": true)",
                    R"(, "stopIds": [3, 17])", R"(, "logprobs": 2, "ignoreEos": true)"});
    form_ = one_of({"", "", "", R"(, "format": {"regex": "(ab|cd){2,12}|[a-z ]{30}"})",
                    R"(, "format": {"schema": {"type": "array", "items": {"enum": [1, 2, 3]}}})",
                    R"(, "format": {"choices": ["abab abab abab", "cd cd cd cd", "z"]})"});
    max_tokens_ = 1 + below(50);
    n_prompts_ = 1 + below(5);
    n_ = 1 + below(3);
    for (size_t i = 0; i < n_prompts_; ++i) prompts_.push_back(prompt());
  }

  // The options of answer `answer` to prompt `i`, alone.
  [[nodiscard]] std::string alone(size_t i, size_t answer) const {
    return options(seed_ + answer) + R"(, "ids": )" + prompts_[i] + "}";
  }
  // The options of that answer with prompt lookup.
  [[nodiscard]] std::string with_lookup(size_t i, size_t answer) {
    return options(seed_ + answer) + lookup() + R"(, "ids": )" + prompts_[i] + "}";
  }
  // The options of the first answer to prompt `i`, resumed after these tokens.
  [[nodiscard]] std::string resumed(size_t i, std::span<const uint32_t> ids) const {
    std::string list;
    for (const uint32_t id : ids) list += (list.empty() ? "" : ",") + std::to_string(id);
    return options(seed_) + R"(, "resumeIds": [)" + list + R"(], "ids": )" + prompts_[i] + "}";
  }
  // The options of all answers to all prompts.
  [[nodiscard]] std::string together() {
    std::string list;
    for (const std::string& prompt : prompts_) list += R"({"ids": )" + prompt + "},";
    list.pop_back();
    return options(seed_) + lookup() + number("n", n_) + number("batchSize", 1 + below(9)) +
           R"(, "prompts": [)" + list + "]}";
  }
  [[nodiscard]] size_t n_prompts() const { return n_prompts_; }
  [[nodiscard]] size_t n() const { return n_; }

 private:
  size_t below(size_t bound) { return static_cast<size_t>(random_.below(bound)); }
  std::string one_of(const std::vector<std::string>& list) { return list[below(list.size())]; }
  static std::string number(const char* name, size_t value) {
    return std::string(", \"") + name + "\": " + std::to_string(value);
  }

  // Often a few tokens again and again. Some prompts begin with the first one.
  std::string prompt() {
    std::vector<size_t> ids;
    if (!first_.empty() && below(2) == 0) ids.assign(first_.begin(), first_.end());
    const size_t period = 1 + below(6);
    const size_t n = 1 + below(static_cast<size_t>(context_) / (below(4) == 0 ? 2 : 6));
    while (ids.size() < n) {
      const bool repeats = ids.size() >= period && below(10) > 0;
      ids.push_back(repeats ? ids[ids.size() - period] : below(36));
    }
    if (first_.empty()) first_ = ids;
    std::string text = "[";
    for (const size_t id : ids) text += std::to_string(id) + ",";
    text.back() = ']';
    return text;
  }

  [[nodiscard]] std::string options(size_t seed) const {
    return "{" + sampling_ + ends_ + form_ + number("seed", seed) +
           number("maxTokens", max_tokens_);
  }
  std::string lookup() {
    return number("promptLookupNumTokens", 1 + below(below(2) == 0 ? 63 : 8)) +
           number("maxMatchingNgramSize", 1 + below(4));
  }

  Random random_;
  uint64_t context_;
  std::string sampling_;
  std::string ends_;
  std::string form_;
  size_t seed_;
  size_t max_tokens_;
  size_t n_prompts_;
  size_t n_;
  std::vector<size_t> first_;
  std::vector<std::string> prompts_;
};

// A form that the vocabulary cannot write fails both ways.
void expect_same_job(const Result<SeenJob>& seen, const Result<SeenJob>& expected,
                     const std::string& options) {
  ASSERT_EQ(seen.has_value(), expected.has_value()) << options;
  if (!expected) {
    EXPECT_EQ(seen.error().path, expected.error().path);
    return;
  }
  EXPECT_EQ(seen->answers.front().result, expected->answers.front().result) << options;
  EXPECT_EQ(seen->answers.front().tokens, expected->answers.front().tokens) << options;
  EXPECT_EQ(seen->answers.front().state_ids, expected->answers.front().state_ids) << options;
}

class SameAnswers : public ::testing::TestWithParam<Setting> {};

TEST_P(SameAnswers, ByLookupAndTogether) {
  const Setting& setting = GetParam();
  const SyntheticGenerator generator(setting.fixture, {setting.kv, setting.context, 0},
                                     setting.is_streamed, setting.dtype);
  size_t n_drafted = 0;
  for (uint64_t seed = 0; seed < kCases; ++seed) {
    RandomCase random(seed, generator.generator->decoder.context());
    const std::string options = random.together();
    const auto together = run(generator, options);
    for (size_t i = 0; i < random.n_prompts(); ++i) {
      for (size_t answer = 0; answer < random.n(); ++answer) {
        SCOPED_TRACE(::testing::Message()
                     << "seed " << seed << ", answer " << answer << " to " << i);
        const auto alone = run(generator, random.alone(i, answer));
        const std::string looking = random.with_lookup(i, answer);
        const auto by_lookup = run(generator, looking);
        expect_same_job(by_lookup, alone, looking);
        if (HasFatalFailure() || HasNonfatalFailure()) return;
        if (by_lookup) n_drafted += by_lookup->n_passes_with_several;
        if (!together || !alone) continue;
        const auto& of_all = together->answers[i * random.n() + answer];
        EXPECT_EQ(of_all.result, alone->answers.front().result) << options;
        EXPECT_EQ(of_all.tokens, alone->answers.front().tokens) << options;
        if (HasNonfatalFailure()) return;
      }
    }
  }
  // With dynamic scaling there are drafts only up to the model's own length, and hardly one is
  // right.
  const auto scaling = generator.generator->decoder.config().rope_scaling.kind;
  EXPECT_TRUE(n_drafted > 0 || scaling == model::RopeScaling::Kind::Dynamic);
}

std::vector<uint32_t> ids_of(const SeenJob& job) {
  std::vector<uint32_t> ids;
  const io::Json result = *io::parse_json(job.answers.front().result);
  for (const io::Json& id : result.find("ids")->items()) {
    ids.push_back(static_cast<uint32_t>(id.uint()));
  }
  return ids;
}

TEST_P(SameAnswers, ResumedAfterAnyToken) {
  const Setting& setting = GetParam();
  const SyntheticGenerator generator(setting.fixture, {setting.kv, setting.context, 0},
                                     setting.is_streamed, setting.dtype);
  size_t n_at_once = 0;
  for (uint64_t seed = 0; seed < kCases; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    RandomCase random(seed, generator.generator->decoder.context());
    const auto whole = run(generator, random.alone(0, 0));
    if (!whole) continue;  // a form that the vocabulary cannot write
    const std::vector<uint32_t> ids = ids_of(*whole);
    Random cuts(seed);
    const auto n = static_cast<size_t>(cuts.below(ids.size() + 1));
    const std::string options = random.resumed(0, std::span(ids).first(n));
    const auto resumed = run(generator, options);
    expect_same_job(resumed, whole, options);
    if (HasFatalFailure() || HasNonfatalFailure()) return;
    n_at_once += resumed->n_passes_with_several;
  }
  const auto scaling = generator.generator->decoder.config().rope_scaling.kind;
  EXPECT_TRUE(n_at_once > 0 || scaling == model::RopeScaling::Kind::Dynamic);
}

TEST_P(SameAnswers, RefusedWhereATokenWasAnother) {
  const Setting& setting = GetParam();
  const SyntheticGenerator generator(setting.fixture, {setting.kv, setting.context, 0},
                                     setting.is_streamed, setting.dtype);
  const std::string options =
      R"({"ids": [1, 2, 3, 4], "temperature": 0, "ignoreEos": true, "maxTokens": 12)";
  const auto whole = run(generator, options + "}");
  ASSERT_TRUE(whole.has_value());
  std::vector<uint32_t> ids = ids_of(*whole);
  ids.resize(std::min<size_t>(ids.size(), 8));
  ids.back() = ids.back() == 5 ? 6 : 5;
  std::string list;
  for (const uint32_t id : ids) list += (list.empty() ? "" : ",") + std::to_string(id);
  const auto resumed = run(generator, options + R"(, "resumeIds": [)" + list + "]}");
  ASSERT_FALSE(resumed.has_value());
  EXPECT_EQ(resumed.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(resumed.error().path, "options.resumeIds[" + std::to_string(ids.size() - 1) + "]");
}

INSTANTIATE_TEST_SUITE_P(Decoders, SameAnswers, ::testing::ValuesIn(kSettings),
                         [](const auto& setting) { return std::string(setting.param.name); });

}  // namespace
}  // namespace ambry::api
