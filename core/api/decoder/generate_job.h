// Generates one answer, or several together, token by token. Call step() until it reports that it
// is done.
//
// Each pass computes the next tokens of all running answers, up to `batchSize` of them; where one
// ends, the next one begins. What all prompts begin with is computed once. Each answer has the same
// tokens as alone, because a row of a pass does not depend on the others.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/decoder/generation/answer_request.h"
#include "api/decoder/generation/answer_sequence.h"
#include "api/decoder/generation/generate_options.h"
#include "base/result.h"
#include "generate/run/decoder_run.h"
#include "generate/run/generator.h"
#include "io/json/json.h"

namespace ambry::api {

class GenerateJob {
 public:
  // `options` is JSON of read_requests(), read_sampling() and {maxTokens: 256, stop: [text],
  // stopIds: [id], logprobs: n, format (answer_format.h), n: 1, batchSize: 8,
  // promptLookupNumTokens: 0, maxMatchingNgramSize: 3}, all optional. Tokens at the beginning of
  // the prompts that `kept` has are not computed again.
  [[nodiscard]] static Result<GenerateJob> begin(std::shared_ptr<generate::Generator> runtime,
                                                 std::string_view text, std::string_view options,
                                                 const infer::DecoderState* kept = nullptr);

  // JSON of progress_document() with {made, begun, answering: [sequence], ended: [sequence],
  // tokens:
  // [{index, id, text, sequence?, logprob?, probability?, top?}]}: the tokens so far of all
  // answers, how many answers have begun, those whose first token and those whose last token this
  // step made, and the tokens whose texts are certain now. Answers are numbered in the order of
  // result(); `sequence` is there if there are several. Progress counts the tokens of the prompts
  // that are computed.
  [[nodiscard]] Result<std::string> step();
  // JSON [{promptIds, reused, ids, text, stop: eos | stop | length | context | format | null,
  // complete?}] so far, of each answer, prompt by prompt. `reused` is how many tokens of the prompt
  // were not computed for it. `format`: the answer has its whole form, and nothing can follow.
  // `complete` is there if the answer has a form: whether the text has the whole of it. An answer
  // that has not begun has no tokens.
  [[nodiscard]] std::string result() const;

  [[nodiscard]] const generate::Generator& runtime() const { return *settings_.runtime; }
  // The sequence of the only answer; nullptr where there are several.
  [[nodiscard]] const infer::DecoderState* state() const {
    return requests_.size() == 1 ? &answers_.front()->state() : nullptr;
  }

 private:
  using Answers = std::vector<std::unique_ptr<AnswerSequence>>;

  GenerateJob(AnswerSequence::Settings settings, io::Json json, std::vector<AnswerRequest> requests,
              infer::DecoderState base)
      : settings_(std::move(settings)),
        json_(std::move(json)),
        requests_(std::move(requests)),
        base_(std::make_unique<infer::DecoderState>(std::move(base))),
        pass_(settings_.runtime->decoder) {}

  [[nodiscard]] bool is_done() const {
    return running_.empty() && answers_.size() == requests_.size();
  }
  [[nodiscard]] size_t prefix_to_compute() const;
  void count_prompts(size_t prefix);
  [[nodiscard]] Result<void> begin_answers();
  [[nodiscard]] Result<void> begin_answer();
  [[nodiscard]] Result<void> begin_pass();
  [[nodiscard]] Result<void> try_begin_pass(size_t most_drafted);
  [[nodiscard]] Result<void> begin_without_drafts();
  [[nodiscard]] size_t most_drafted() const;
  [[nodiscard]] Result<infer::PassStep> work();
  [[nodiscard]] Result<void> finish_pass();
  [[nodiscard]] bool has_drafts() const;
  [[nodiscard]] uint64_t computed_of_prompts() const;
  void report(io::Json& document);

  AnswerSequence::Settings settings_;
  io::Json json_;
  std::vector<AnswerRequest> requests_;
  // What all prompts begin with, until the last answer has begun.
  std::unique_ptr<infer::DecoderState> base_;
  bool computes_base_ = false;
  Answers answers_;              // those that have begun, in the order of the requests
  std::vector<size_t> running_;  // of answers_
  generate::PassRun pass_;
  bool may_draft_ = true;
  uint64_t n_of_prompts_ = 0;      // tokens of prompts to compute in all
  uint64_t done_of_prompts_ = 0;   // in earlier passes
  uint64_t prompts_in_pass_ = 0;   // in this pass
  std::vector<size_t> answering_;  // since the last report
  std::vector<size_t> ended_;
};

}  // namespace ambry::api
