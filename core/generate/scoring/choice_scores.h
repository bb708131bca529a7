// How probable answers to questions about texts are: the score of an answer is the sum of the log
// probabilities of its tokens after the prompt, and of the end of the answer after them. So answers
// exclude each other, also where one begins with the other. Call step() until it reports that it is
// done.
//
// An answer becomes tokens together with the prompt before it, so it has those that the model would
// write there. Where the end of the prompt and an answer make one token, all answers to the
// question are scored from before that.
//
// What all questions about a text begin with is computed once, and so is what answers begin with.
// Passes take the tokens of several branches at a time. A score does not depend on other texts,
// questions and answers, because a row of a pass does not depend on others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "generate/run/decoder_run.h"
#include "generate/run/generator.h"
#include "infer/decoder/decoder_state.h"

namespace ambry::generate {

// A beginning, and what each item goes on with.
struct TextList {
  std::string head;
  std::vector<std::string> items;
};

struct ChoiceForm {
  std::vector<TextList> questions;  // what errors call the answers, and the answers
  std::vector<TextList> texts;      // what the prompts begin with, and the rest for each question
  bool special = true;              // whether special tokens stand around the prompts
  // What becomes of a sum of log probabilities: its mean over the tokens, or its difference to that
  // after the first text, which is for comparison only.
  bool by_tokens = false;
  bool has_prior = false;
};

struct ChoiceScore {
  double score = 0;
  double probability = 0;  // of this one among all answers of the question
};

class ChoiceScores {
 public:
  // Unsupported without a tokenizer. BadValue for a model without a token that ends an answer, and
  // unless each question has answers, and each text a rest for each question.
  [[nodiscard]] static Result<std::unique_ptr<ChoiceScores>> begin(
      std::shared_ptr<Generator> generator, ChoiceForm form);

  // Counts texts. All of them become tokens before the first pass. With the path `texts[i]`, errors
  // of prompt_ids(), LimitExceeded for a text that does not fit with a question and its answer, and
  // BadValue if nothing is before the answers. With the path of a choice, BadValue for one that
  // adds no token, has the tokens of another one, or one that the model does not know.
  [[nodiscard]] Result<PassProgress> step();
  // For each text, each question and each of its choices.
  [[nodiscard]] std::span<const ChoiceScore> scores() const { return scores_; }
  // Tokens that passes have computed so far.
  [[nodiscard]] uint64_t n_computed() const { return n_computed_; }

 private:
  using Ids = std::vector<uint32_t>;
  using State = std::shared_ptr<infer::DecoderState>;

  // The sorted answers [first, last), which have the first `depth` tokens in common.
  struct Answers {
    size_t first = 0;
    size_t last = 0;
    size_t depth = 0;
  };

  // A question about the current text.
  struct Asked {
    size_t begin = 0;  // of its choices, among those of all questions
    Ids prompt = {};
    std::vector<uint32_t> order = {};  // of its choices, sorted by their tokens
  };

  // Tokens to compute: what all questions begin with (`question` is their number), the rest of a
  // prompt, or what `answers` have in common after their first tokens.
  struct Branch {
    State state;  // before them; in a pass, a fork of it
    std::span<const uint32_t> ids;
    size_t question = 0;
    Answers answers = {};  // none for a prompt
  };

  ChoiceScores(std::shared_ptr<Generator> generator, ChoiceForm form);

  [[nodiscard]] Result<void> read_some();
  [[nodiscard]] Result<Ids> read(size_t question, std::string_view answer) const;
  [[nodiscard]] Result<void> end_question(size_t question);
  void end_check();
  [[nodiscard]] std::string path() const;
  void begin_text();
  void wait_for_prompt(size_t question, size_t n_tokens);
  [[nodiscard]] Result<void> work(infer::PassStep& step);
  [[nodiscard]] Result<void> begin_pass();
  void finish_pass();
  void split(const Branch& branch, Answers next, std::span<const float> row);
  void add(size_t question, const Answers& answers, double log_probability);
  void end_text();
  [[nodiscard]] std::span<const float> logits(size_t row) const;
  [[nodiscard]] const infer::Decoder& decoder() const { return generator_->decoder; }
  [[nodiscard]] size_t n_priors() const { return form_.has_prior ? 1 : 0; }

  std::shared_ptr<Generator> generator_;
  ChoiceForm form_;
  Ids ends_;

  bool checks_ = true;  // whether texts are read for their errors only
  size_t text_ = 0;
  std::vector<Asked> asked_;  // the questions about this text
  std::vector<Ids> answers_;  // the tokens of all choices
  size_t n_read_ = 0;         // of these
  size_t shared_ = 0;         // tokens that all prompts begin with and that are computed once
  bool shares_ = true;        // whether passes over parts give the bits of a pass over the whole

  PassRun pass_;
  std::vector<Branch> waiting_;  // the last one is next
  std::vector<Branch> running_;
  State trunk_;  // the latest beginning, for the next text
  uint64_t n_computed_ = 0;
  std::vector<double> sums_;  // of all choices
  std::vector<double> prior_;
  std::vector<ChoiceScore> scores_;
};

}  // namespace ambry::generate
