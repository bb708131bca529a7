#include "api/decoder/generation/answer_sequence.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "api/decoder/answer_format.h"
#include "infer/decoder/attention/rope_table.h"

namespace ambry::api {

using io::Json;

AnswerSequence::AnswerSequence(Settings settings, infer::Sampler sampler,
                               std::vector<uint32_t> prompt, Form form, infer::DecoderState state)
    : settings_(std::move(settings)),
      sampler_(std::move(sampler)),
      lookup_(lookup_options()),
      answer_(options().stops, runtime().tokenizer != nullptr),
      form_(std::move(form)),
      ids_(std::move(prompt)),
      n_prompt_(ids_.size()),
      n_reused_(state.position()),
      state_(std::make_unique<infer::DecoderState>(std::move(state))) {
  assert(n_reused_ < n_prompt_);
  if (runtime().tokenizer) begin_text();
}

infer::PromptLookupOptions AnswerSequence::lookup_options() const {
  infer::PromptLookupOptions lookup = options().lookup;
  lookup.token_cost = runtime().decoder.further_row_cost();
  return lookup;
}

// Gives the decoder the prompt, so that the answer continues it: only the first piece of a text
// loses its space. An answer with a form loses none, and has no rest of the prompt's last character
// in it, so it continues a text of one token.
void AnswerSequence::begin_text() {
  decoder_ = runtime().tokenizer->decoder(true);
  std::string before;
  if (!form_) {
    for (const uint32_t id : ids_) decoder_->push(id, before);
  } else if (const auto id = token_of_text(*runtime().token_index)) {
    decoder_->push(*id, before);
  }
}

infer::SequenceRows AnswerSequence::next_rows(size_t most_drafted) {
  draft_.clear();
  if (has_begun()) lookup_.draft(ids_, draft_room(most_drafted), draft_);
  rows_.assign(ids_.begin() + static_cast<std::ptrdiff_t>(state_->position()), ids_.end());
  rows_.insert(rows_.end(), draft_.begin(), draft_.end());
  const auto wanted = draft_.empty() ? infer::Logits::Last : infer::Logits::Each;
  return {state_.get(), rows_, wanted};
}

// A draft must not go beyond what the answer may have, or lie across a change of the rotation,
// which would be another one for the tokens before the change.
size_t AnswerSequence::draft_room(size_t most) const {
  const infer::Decoder& decoder = runtime().decoder;
  const uint64_t left =
      std::min<uint64_t>(options().max_tokens - made(), decoder.context() - ids_.size() + 1);
  const auto room = static_cast<size_t>(std::min<uint64_t>(most, left - 1));
  const bool keeps =
      infer::keeps_rotation(decoder.config(), state_->position(), ids_.size() + room);
  return keeps ? room : 0;
}

Result<void> AnswerSequence::choose(const generate::PassRun& pass, size_t first) {
  const size_t position = state_->position();
  const size_t n_drafted = draft_.size();
  size_t right = 0;
  for (;; ++right) {
    AMBRY_RETURN_IF_ERROR(
        choose_one(pass.logits(first + right).first(runtime().decoder.n_tokens())));
    if (has_ended() || right == n_drafted || ids_.back() != draft_[right]) break;
  }
  const size_t kept = position - n_drafted + right;
  [[maybe_unused]] const size_t left = kept < position ? state_->truncate(kept) : kept;
  assert(left == kept);
  lookup_.learn(n_drafted, right);
  return {};
}

// Chooses the next token from the logits of the last one.
Result<void> AnswerSequence::choose_one(std::span<const float> logits) {
  AMBRY_TRY(const std::span<const uint64_t> allowed, allowed_ids());
  AMBRY_TRY(const uint32_t id, sampler_.pick(logits, ids_, allowed));
  if (const char* reason = end_reason(id); reason != nullptr) {
    end(reason);
    return {};
  }
  add(id, logits);
  if (!has_ended() && form_ && form_->is_complete()) end("format");
  if (!has_ended() && made() == options().max_tokens) end("length");
  if (!has_ended() && ids_.size() == runtime().decoder.context()) end("context");
  return {};
}

// Empty for all.
Result<std::span<const uint64_t>> AnswerSequence::allowed_ids() {
  if (!form_) return std::span<const uint64_t>();
  return form_->allowed();
}

// nullptr for a token that goes into the answer.
const char* AnswerSequence::end_reason(uint32_t id) const {
  const text::Tokenizer* tokenizer = runtime().tokenizer.get();
  if (tokenizer != nullptr && std::ranges::count(tokenizer->end_ids(), id) > 0) return "eos";
  return std::ranges::count(options().stop_ids, id) > 0 ? "stop" : nullptr;
}

void AnswerSequence::add(uint32_t id, std::span<const float> logits) {
  ids_.push_back(id);
  if (form_) form_->accept(id);
  if (options().with_probabilities) {
    probabilities_.push_back(
        {infer::log_probability(logits, id), infer::most_likely(logits, options().n_likely)});
  }
  std::string added;
  if (decoder_) decoder_->push(id, added);
  if (answer_.push(added)) stop_ = "stop";
}

void AnswerSequence::end(const char* reason) {
  stop_ = reason;
  std::string rest;
  if (decoder_) decoder_->finish(rest);
  answer_.finish(rest);
}

void AnswerSequence::take_tokens(std::optional<size_t> sequence, Json& list) {
  for (const generate::AnswerText::Token& token : answer_.take()) {
    Json& document = list.append(token_document(token));
    if (sequence) document.set("sequence", uint64_t{*sequence});
  }
}

Json AnswerSequence::token_document(const generate::AnswerText::Token& token) const {
  Json document = Json::object();
  document.set("index", uint64_t{token.index});
  document.set("id", ids_[n_prompt_ + token.index]);
  document.set("text", std::string_view(token.text));
  if (!options().with_probabilities) return document;
  const Probability& probability = probabilities_[token.index];
  document.set("logprob", probability.log_probability);
  document.set("probability", std::exp(probability.log_probability));
  Json& top = document.set("top", Json::array());
  for (const auto& [id, log_probability] : probability.likely) {
    Json& likely = top.append(Json::object());
    likely.set("id", id);
    const text::Tokenizer* tokenizer = runtime().tokenizer.get();
    likely.set("token", tokenizer == nullptr ? std::string_view() : tokenizer->token(id));
    likely.set("logprob", log_probability);
  }
  return document;
}

Json AnswerSequence::result() const {
  Json document = Json::object();
  Json& prompt = document.set("promptIds", Json::array());
  for (size_t i = 0; i < n_prompt_; ++i) prompt.append(ids_[i]);
  document.set("reused", uint64_t{n_reused_});
  Json& ids = document.set("ids", Json::array());
  for (size_t i = n_prompt_; i < ids_.size(); ++i) ids.append(ids_[i]);
  document.set("text", std::string_view(answer_.text()));
  document.set("stop", stop_ == nullptr ? Json() : Json(stop_));
  if (form_) {
    // A stop text or the end of the room may come at a place where the form could also end.
    const std::string_view stop = stop_ == nullptr ? "" : stop_;
    document.set("complete", stop == "eos" || stop == "format");
  }
  return document;
}

}  // namespace ambry::api
