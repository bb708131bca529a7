#include "generate/answer/answer_sequence.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "generate/answer/answer_form.h"
#include "infer/decoder/attention/rope_table.h"

namespace ambry::generate {

AnswerSequence::AnswerSequence(Settings settings, infer::Sampler sampler,
                               std::vector<uint32_t> prompt, Form form, infer::DecoderState state)
    : settings_(std::move(settings)),
      sampler_(std::move(sampler)),
      lookup_(lookup_options()),
      text_(options().stops, generator().tokenizer != nullptr),
      form_(std::move(form)),
      ids_(std::move(prompt)),
      n_prompt_(ids_.size()),
      n_reused_(state.position()),
      state_(std::make_unique<infer::DecoderState>(std::move(state))) {
  assert(n_reused_ < n_prompt_);
  if (generator().tokenizer) begin_text();
}

infer::PromptLookupOptions AnswerSequence::lookup_options() const {
  return {.num_tokens = static_cast<size_t>(options().prompt_lookup_num_tokens),
          .max_matching_ngram_size = static_cast<size_t>(options().max_matching_ngram_size),
          .token_cost = generator().decoder.further_row_cost()};
}

// Gives the decoder the prompt, so that the answer continues it: only the first piece of a text
// loses its space. An answer with a form loses none, and has no rest of the prompt's last character
// in it, so it continues a text of one token.
void AnswerSequence::begin_text() {
  decoder_ = generator().tokenizer->decoder(true);
  std::string before;
  if (!form_) {
    for (const uint32_t id : ids_) decoder_->push(id, before);
  } else if (const auto id = token_of_text(*generator().token_index)) {
    decoder_->push(*id, before);
  }
}

infer::SequenceRows AnswerSequence::next_rows(size_t most_drafted) {
  draft_.clear();
  if (has_begun()) draft(draft_room(most_drafted));
  rows_.assign(ids_.begin() + static_cast<std::ptrdiff_t>(state_->position()), ids_.end());
  rows_.insert(rows_.end(), draft_.begin(), draft_.end());
  const auto wanted = draft_.empty() ? infer::Logits::Last : infer::Logits::Each;
  return {state_.get(), rows_, wanted};
}

std::span<const uint32_t> AnswerSequence::resumed() const {
  const std::span<const uint32_t> all = options().resume_ids;
  return all.subspan(std::min(made(), all.size()));
}

void AnswerSequence::draft(size_t room) {
  const std::span<const uint32_t> next = resumed();
  if (next.empty()) return lookup_.draft(ids_, room, draft_);
  draft_.assign(next.begin(),
                next.begin() + static_cast<std::ptrdiff_t>(std::min(room, next.size())));
}

// A draft must not go beyond what the answer may have, or lie across a change of the rotation,
// which would be another one for the tokens before the change.
size_t AnswerSequence::draft_room(size_t most) const {
  const infer::Decoder& decoder = generator().decoder;
  const uint64_t left =
      std::min<uint64_t>(options().max_tokens - made(), decoder.context() - ids_.size() + 1);
  const auto room = static_cast<size_t>(std::min<uint64_t>(most, left - 1));
  const bool keeps =
      infer::keeps_rotation(decoder.config(), state_->position(), ids_.size() + room);
  return keeps ? room : 0;
}

Result<void> AnswerSequence::choose(const PassRun& pass, size_t first) {
  const size_t position = state_->position();
  const size_t n_drafted = draft_.size();
  const bool is_resumed = !resumed().empty();
  size_t right = 0;
  for (;; ++right) {
    AMBRY_RETURN_IF_ERROR(
        choose_one(pass.logits(first + right).first(generator().decoder.n_tokens())));
    if (has_ended() || right == n_drafted || ids_.back() != draft_[right]) break;
  }
  const size_t kept = position - n_drafted + right;
  [[maybe_unused]] const size_t left = kept < position ? state_->truncate(kept) : kept;
  assert(left == kept);
  if (!is_resumed) lookup_.learn(n_drafted, right);
  return {};
}

// Chooses the next token from the logits of the last one.
Result<void> AnswerSequence::choose_one(std::span<const float> logits) {
  AMBRY_TRY(const std::span<const uint64_t> allowed, allowed_ids());
  AMBRY_TRY(const uint32_t id, sampler_.pick(logits, ids_, allowed));
  AMBRY_RETURN_IF_ERROR(check_resumed(id));
  if (const StopReason reason = end_reason(id); reason != StopReason::None) {
    end(reason);
    return {};
  }
  add(id, logits);
  if (!has_ended() && form_ && form_->is_complete()) end(StopReason::Format);
  if (!has_ended() && made() == options().max_tokens) end(StopReason::Length);
  if (!has_ended() && ids_.size() == generator().decoder.context()) end(StopReason::Context);
  return {};
}

// Equal choices show that the model, the prompt and the options are those of the earlier run.
Result<void> AnswerSequence::check_resumed(uint32_t id) const {
  const std::span<const uint32_t> next = resumed();
  if (next.empty() || next.front() == id) return {};
  return make_error(ErrorCode::Mismatch, {"options.resumeIds[", made(), "]"},
                    {"the token is ", id, " now and was ", next.front(),
                     ": the model, the prompt, the seed or another option is not the same"});
}

// Empty for all.
Result<std::span<const uint64_t>> AnswerSequence::allowed_ids() {
  if (!form_) return std::span<const uint64_t>();
  return form_->allowed();
}

// None for a token that goes into the answer.
StopReason AnswerSequence::end_reason(uint32_t id) const {
  const text::Tokenizer* tokenizer = generator().tokenizer.get();
  if (tokenizer != nullptr && std::ranges::count(tokenizer->end_ids(), id) > 0) {
    return StopReason::Eos;
  }
  return std::ranges::count(options().stop_ids, id) > 0 ? StopReason::Stop : StopReason::None;
}

// The text of other tokens comes from the decoder.
bool AnswerSequence::is_shown(uint32_t id) const {
  return decoder_ && std::ranges::count(options().shown_ids, id) > 0 &&
         generator().tokenizer->is_special(id);
}

void AnswerSequence::add(uint32_t id, std::span<const float> logits) {
  ids_.push_back(id);
  if (form_) form_->accept(id);
  if (options().with_probabilities) {
    probabilities_.push_back({infer::log_probability(logits, id),
                              infer::most_likely(logits, static_cast<size_t>(options().n_likely))});
  }
  std::string added;
  if (decoder_) decoder_->push(id, added);
  if (is_shown(id)) added += generator().tokenizer->token(id);
  if (text_.push(added)) stop_ = StopReason::Stop;
}

void AnswerSequence::end(StopReason reason) {
  stop_ = reason;
  std::string rest;
  if (decoder_) decoder_->finish(rest);
  text_.finish(rest);
}

void AnswerSequence::take_tokens(size_t number, std::vector<TokenEvent>& events) {
  for (AnswerText::Token& token : text_.take()) {
    TokenEvent& event = events.emplace_back(
        TokenEvent{.answer = number, .index = token.index, .id = ids_[n_prompt_ + token.index]});
    event.text = std::move(token.text);
    if (options().with_probabilities) event.probability = std::move(probabilities_[token.index]);
  }
}

Answer AnswerSequence::answer() const {
  const std::span<const uint32_t> ids = ids_;
  Answer answer{.prompt = ids.first(n_prompt_), .n_reused = n_reused_};
  answer.ids = ids.subspan(n_prompt_);
  answer.text = text_.text();
  answer.stop = stop_;
  // A stop text or the end of the room may come at a place where the form could also end.
  if (form_) answer.is_complete = stop_ == StopReason::Eos || stop_ == StopReason::Format;
  return answer;
}

}  // namespace ambry::generate
