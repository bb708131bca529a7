#include "generate/scoring/prompt_scores.h"

#include <algorithm>
#include <cmath>

#include "generate/run/prompt.h"
#include "infer/decoder/embedding/dense_chain.h"

namespace ambry::generate {

using infer::PassStep;

Result<PromptScores> PromptScores::begin(std::shared_ptr<Generator> generator, ScoreForm form,
                                         const std::vector<PartedPrompt>& prompts) {
  AMBRY_RETURN_IF_ERROR(need_tokenizer(*generator));
  PromptScores scores(std::move(generator), std::move(form));
  for (size_t i = 0; i < prompts.size(); ++i) AMBRY_RETURN_IF_ERROR(scores.add(i, prompts[i]));
  return scores;
}

Failure PromptScores::fail(ErrorCode code, size_t prompt, const Text& message) const {
  return make_error(code, {form_.list, "[", prompt, "]"}, message);
}

std::vector<uint32_t> PromptScores::encode(const std::vector<std::string>& parts) const {
  std::vector<uint32_t> ids;
  for (const std::string& part : parts) {
    const text::Encoding encoding = run_.generator().tokenizer->encode(
        part, {.add_special = false, .max_length = std::nullopt});
    ids.insert(ids.end(), encoding.ids.begin(), encoding.ids.end());
  }
  return ids;
}

Result<void> PromptScores::add(size_t i, const PartedPrompt& prompt) {
  std::vector<uint32_t> ids = encode(prompt.parts);
  const std::vector<uint32_t> tail = encode(prompt.tail);
  uint64_t most = decoder().context();
  if (form_.max_length > 0) most = std::min(most, form_.max_length);
  if (form_.max_head_length > 0) most = std::min(most, form_.max_head_length + tail.size());
  if (ids.size() > most) {
    if (form_.refuse_long) {
      return fail(ErrorCode::LimitExceeded, i,
                  {"the prompt with this text has ", uint64_t{ids.size()},
                   " tokens, but the model takes at most ", most});
    }
    const size_t fixed = encode(prompt.lead).size() + tail.size();
    if (fixed >= most) {
      return fail(ErrorCode::LimitExceeded, i,
                  {"the query and the instruction take ", uint64_t{fixed},
                   " tokens of the prompt, which leaves no room for a document: the model takes at "
                   "most ",
                   most});
    }
    ids.resize(static_cast<size_t>(most) - tail.size());
    ids.insert(ids.end(), tail.begin(), tail.end());
  }
  if (ids.empty()) return fail(ErrorCode::BadValue, i, "the prompt has no tokens");
  const auto unknown = std::ranges::find_if(
      ids, [n_vocab = decoder().n_vocab()](uint32_t id) { return id >= n_vocab; });
  if (unknown != ids.end()) {
    return fail(ErrorCode::BadValue, i,
                {"the tokenizer gives the id ", *unknown, ", but the model's ids are below ",
                 decoder().n_vocab()});
  }
  prompts_.push_back(std::move(ids));
  return {};
}

Result<void> PromptScores::begin_prompt() {
  if (in_prompt_) return {};
  in_prompt_ = true;
  const std::span<const uint32_t> ids = prompts_[done_];
  const bool by_head = decoder().config().rank_head;
  return run_.begin(ids.subspan(run_.reuse(ids)),
                    by_head ? infer::Logits::HiddenOfLast : infer::Logits::Last);
}

// A part of the pass of a prompt. Done when its row is written.
Result<PassStep> PromptScores::work() {
  AMBRY_RETURN_IF_ERROR(begin_prompt());
  AMBRY_TRY(const PassStep step, run_.work());
  if (step.kind != PassStep::Kind::Done) return step;
  // The layer is in this part, which a model that is larger than memory has dropped.
  if (decoder().config().rank_head && !decoder().is_ready(infer::kEmbeddingPart)) {
    return PassStep{PassStep::Kind::NeedsPart, infer::kEmbeddingPart};
  }
  AMBRY_RETURN_IF_ERROR(write_row());
  ++done_;
  in_prompt_ = false;
  return step;
}

Result<void> PromptScores::write_row() {
  std::span<const float> outputs = run_.logits();
  if (decoder().config().rank_head) {
    const std::span<const float> last = run_.hidden().first(decoder().config().n_embd);
    hidden_.assign(last.begin(), last.end());
    infer::apply_dense_layers(decoder(), hidden_);
    outputs = hidden_;
  }
  for (const uint32_t answer : form_.answers) {
    rows_.push_back(outputs[answer]);
    if (std::isfinite(rows_.back())) continue;
    return fail(ErrorCode::BadValue, done_,
                "the model gives no finite number; its weights may be damaged");
  }
  return {};
}

Result<PassProgress> PromptScores::step() {
  PassProgress report;
  if (done_ < prompts_.size()) AMBRY_TRY(report.step, work());
  report.done = done_ == prompts_.size();
  report.loaded = done_;
  report.total = prompts_.size();
  return report;
}

}  // namespace ambry::generate
