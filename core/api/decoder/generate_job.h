// Generates one answer token by token. Call step() until it reports that it is done.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/decoder/answer_text.h"
#include "api/decoder/decoder_run.h"
#include "api/decoder/generator_runtime.h"
#include "base/result.h"
#include "infer/decoder/sampling/sampler.h"
#include "infer/decoder/token_probability.h"
#include "io/json/json.h"
#include "text/grammar/matcher/constrained_answer.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::api {

struct GenerateOptions {
  uint64_t max_tokens = 256;
  infer::SamplerOptions sampler;
  std::vector<std::string> stops;
  std::vector<uint32_t> stop_ids;
  bool with_probabilities = false;
  size_t n_likely = 0;  // how many of the likeliest tokens to report with each

  // BadValue with the path `options.…`.
  [[nodiscard]] static Result<GenerateOptions> read(const io::Json& json,
                                                    const GeneratorRuntime& runtime);
};

class GenerateJob {
 public:
  // `options` is JSON of prompt_ids(), read_sampling() and {maxTokens: 256, stop: [text],
  // stopIds: [id], logprobs: n, format} (answer_format.h), all optional. LimitExceeded with the
  // path `prompt` when the prompt leaves no room for an answer. Tokens at the beginning of the
  // prompt that `kept` has are not computed again.
  [[nodiscard]] static Result<GenerateJob> begin(std::shared_ptr<GeneratorRuntime> runtime,
                                                 std::string_view text, std::string_view options,
                                                 const infer::DecoderState* kept = nullptr);

  // JSON of PassReport with {made, tokens: [{index, id, text, logprob?, probability?, top?}]}: the
  // number of tokens so far, and the tokens whose texts are certain now. Before the first token,
  // progress counts the prompt's tokens that are computed.
  [[nodiscard]] Result<std::string> step();
  // JSON {promptIds, reused, ids, text, stop: eos | stop | length | context | format | null,
  // complete?} so far. `reused` is how many tokens of the prompt were not computed. `format`: the
  // answer has its whole form, and nothing can follow. `complete` is there if the answer has a
  // form: whether the text has the whole of it.
  [[nodiscard]] std::string result() const;

  [[nodiscard]] const GeneratorRuntime& runtime() const { return run_.runtime(); }
  [[nodiscard]] const infer::DecoderState& state() const { return run_.state(); }

 private:
  struct Probability {
    double log_probability = 0;
    std::vector<infer::TokenProbability> likely;
  };

  using Form = std::unique_ptr<text::ConstrainedAnswer>;

  GenerateJob(DecoderRun run, GenerateOptions options, infer::Sampler sampler,
              std::vector<uint32_t> prompt, Form form);

  void begin_text();
  [[nodiscard]] Result<void> choose();
  [[nodiscard]] Result<std::span<const uint64_t>> allowed_ids();
  [[nodiscard]] const char* end_reason(uint32_t id) const;
  void add(uint32_t id, std::span<const float> logits);
  void end(const char* reason);
  [[nodiscard]] io::Json token_document(const AnswerText::Token& token) const;

  DecoderRun run_;
  GenerateOptions options_;
  infer::Sampler sampler_;
  std::unique_ptr<text::TokenDecoder> decoder_;  // nullptr when there is no tokenizer
  AnswerText answer_;
  Form form_;                  // nullptr when the answer is free
  std::vector<uint32_t> ids_;  // of the prompt and the answer
  size_t n_prompt_;
  size_t n_reused_;                         // of the prompt
  std::vector<Probability> probabilities_;  // for each token, if requested
  const char* stop_ = nullptr;
};

}  // namespace ambry::api
