// Generates one answer, or several together, token by token. Call step() until it says that it is
// done; to stop earlier, call it no more.
//
// Each pass computes the next tokens of all running answers, up to `batch_size` of them; where one
// ends, the next one begins. What all prompts begin with is computed once. Each answer has the same
// tokens as alone, because a row of a pass does not depend on the others.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "generate/answer/answer.h"
#include "generate/answer/answer_request.h"
#include "generate/answer/answer_sequence.h"
#include "generate/answer/generate_options.h"
#include "generate/run/decoder_run.h"
#include "generate/run/generator.h"

namespace ambry::generate {

// What a step of a generation did.
struct GenerationStep {
  PassProgress pass;                   // counts the tokens of the prompts that are computed
  uint64_t made = 0;                   // tokens of all answers so far
  size_t n_begun = 0;                  // answers that have begun
  std::vector<size_t> answering = {};  // answers whose first token this step made
  std::vector<size_t> ended = {};      // answers whose last token this step made
  std::vector<TokenEvent> tokens = {};
};

class Generation {
 public:
  // Tokens at the beginning of the prompts that `kept` has are not computed again. Errors of
  // requests_of(), of check(GenerateOptions) and of begin_form().
  [[nodiscard]] static Result<Generation> begin(std::shared_ptr<Generator> generator,
                                                const Prompt& prompt, GenerateOptions options,
                                                const infer::DecoderState* kept = nullptr);
  [[nodiscard]] static Result<Generation> begin(std::shared_ptr<Generator> generator,
                                                std::span<const ListedPrompt> prompts,
                                                GenerateOptions options,
                                                const infer::DecoderState* kept = nullptr);

  // Works for a few milliseconds, or until a part of the weights is missing.
  [[nodiscard]] Result<GenerationStep> step();

  // Answers are numbered prompt by prompt. One that has not begun has no tokens.
  [[nodiscard]] size_t n_answers() const { return requests_.size(); }
  [[nodiscard]] Answer answer(size_t number) const;

  [[nodiscard]] const Generator& generator() const { return *settings_.generator; }
  // The sequence of the only answer; nullptr where there are several.
  [[nodiscard]] const infer::DecoderState* state() const {
    return requests_.size() == 1 ? &answers_.front()->state() : nullptr;
  }

 private:
  using Answers = std::vector<std::unique_ptr<AnswerSequence>>;

  Generation(AnswerSequence::Settings settings, std::vector<AnswerRequest> requests,
             infer::DecoderState base)
      : settings_(std::move(settings)),
        requests_(std::move(requests)),
        base_(std::make_unique<infer::DecoderState>(std::move(base))),
        pass_(settings_.generator->decoder) {}

  [[nodiscard]] static Result<Generation> begin(std::shared_ptr<Generator> generator,
                                                std::vector<AnswerRequest> requests,
                                                GenerateOptions options,
                                                const infer::DecoderState* kept);
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
  [[nodiscard]] GenerationStep report(const PassProgress& pass);

  AnswerSequence::Settings settings_;
  std::vector<AnswerRequest> requests_;
  // What all prompts begin with, until the last answer has begun.
  std::unique_ptr<infer::DecoderState> base_;
  bool computes_base_ = false;
  Answers answers_;              // those that have begun, in the order of the requests
  std::vector<size_t> running_;  // of answers_
  PassRun pass_;
  bool may_draft_ = true;
  uint64_t n_of_prompts_ = 0;      // tokens of prompts to compute in all
  uint64_t done_of_prompts_ = 0;   // in earlier passes
  uint64_t prompts_in_pass_ = 0;   // in this pass
  std::vector<size_t> answering_;  // since the last report
  std::vector<size_t> ended_;
};

}  // namespace ambry::generate
