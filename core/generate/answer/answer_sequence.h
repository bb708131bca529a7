// One answer token by token: what it needs of the next pass, and what it makes of the logits.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "generate/answer/answer.h"
#include "generate/answer/answer_text.h"
#include "generate/answer/generate_options.h"
#include "generate/run/decoder_run.h"
#include "generate/run/generator.h"
#include "infer/decoder/sampling/sampler.h"
#include "infer/decoder/speculation/prompt_lookup.h"
#include "text/grammar/matcher/constrained_answer.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::generate {

class AnswerSequence {
 public:
  using Form = std::unique_ptr<text::ConstrainedAnswer>;

  // What all answers of a generation share.
  struct Settings {
    std::shared_ptr<Generator> generator;
    std::shared_ptr<const GenerateOptions> options;
  };

  // `state` has the first tokens of the prompt, less than all of them. `form` may be nullptr.
  AnswerSequence(Settings settings, infer::Sampler sampler, std::vector<uint32_t> prompt, Form form,
                 infer::DecoderState state);

  // The rows of the next pass: the rest of the prompt, or the last token and a draft of at most
  // `most_drafted` tokens. Valid until the next call.
  [[nodiscard]] infer::SequenceRows next_rows(size_t most_drafted);
  // How many rows of logits next_rows() gave.
  [[nodiscard]] size_t n_logits() const { return draft_.size() + 1; }
  [[nodiscard]] size_t n_drafted() const { return draft_.size(); }
  // Makes the state usable again after a pass that failed.
  void abandon_pass() { state_->truncate(state_->position()); }

  // Chooses tokens from the logits of the pass, whose rows for this answer begin at `first`: one
  // token, and one more for each token of the draft that is the one chosen. The others leave the
  // state.
  [[nodiscard]] Result<void> choose(const PassRun& pass, size_t first);

  [[nodiscard]] bool has_ended() const { return stop_ != StopReason::None; }
  [[nodiscard]] bool has_begun() const { return made() > 0; }
  [[nodiscard]] size_t made() const { return ids_.size() - n_prompt_; }
  // The tokens of the prompt that are to be computed, and those that were there.
  [[nodiscard]] size_t n_computed() const { return n_prompt_ - n_reused_; }
  [[nodiscard]] size_t n_reused() const { return n_reused_; }

  // Adds the tokens whose texts are certain now to a list, each once. `number` is the answer's.
  void take_tokens(size_t number, std::vector<TokenEvent>& events);
  [[nodiscard]] Answer answer() const;

  [[nodiscard]] const infer::DecoderState& state() const { return *state_; }
  // Frees the keys and values.
  void drop_state() { state_.reset(); }

 private:
  [[nodiscard]] infer::PromptLookupOptions lookup_options() const;
  void begin_text();
  [[nodiscard]] size_t draft_room(size_t most) const;
  void draft(size_t room);
  // The tokens that an earlier run chose from here on; empty for an answer that is new.
  [[nodiscard]] std::span<const uint32_t> resumed() const;
  [[nodiscard]] Result<void> check_resumed(uint32_t id) const;
  [[nodiscard]] Result<void> choose_one(std::span<const float> logits);
  [[nodiscard]] Result<std::span<const uint64_t>> allowed_ids();
  [[nodiscard]] StopReason end_reason(uint32_t id) const;
  [[nodiscard]] bool is_shown(uint32_t id) const;
  void add(uint32_t id, std::span<const float> logits);
  void end(StopReason reason);
  [[nodiscard]] const Generator& generator() const { return *settings_.generator; }
  [[nodiscard]] const GenerateOptions& options() const { return *settings_.options; }

  Settings settings_;
  infer::Sampler sampler_;
  infer::PromptLookup lookup_;
  std::unique_ptr<text::TokenDecoder> decoder_;  // nullptr when there is no tokenizer
  AnswerText text_;
  Form form_;                  // nullptr when the answer is free
  std::vector<uint32_t> ids_;  // of the prompt and the answer
  size_t n_prompt_;
  size_t n_reused_;                               // of the prompt
  std::vector<ChoiceProbability> probabilities_;  // for each token, if requested
  StopReason stop_ = StopReason::None;
  // A pointer, because a pass refers to it.
  std::unique_ptr<infer::DecoderState> state_;
  std::vector<uint32_t> rows_;   // of the pass
  std::vector<uint32_t> draft_;  // the last of them
};

}  // namespace ambry::generate
