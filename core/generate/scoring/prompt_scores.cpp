#include "generate/scoring/prompt_scores.h"

#include <algorithm>

#include "generate/run/prompt.h"
#include "infer/check_outputs.h"
#include "infer/decoder/embedding/dense_chain.h"
#include "text/tokenizer/beginning.h"

namespace ambry::generate {

using infer::PassStep;

PromptScores::PromptScores(std::shared_ptr<Generator> generator, ScoreForm form)
    : run_(std::move(generator)), form_(std::move(form)) {
  if (form_.n_layers > 0) run_.stop_after(form_.n_layers);
}

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

void PromptScores::encode(std::string_view part, std::vector<uint32_t>& ids) const {
  const text::Encoding encoding =
      run_.generator().tokenizer->encode(part, {.add_special = false, .max_length = std::nullopt});
  ids.insert(ids.end(), encoding.ids.begin(), encoding.ids.end());
}

std::vector<uint32_t> PromptScores::encode(const std::vector<std::string>& parts) const {
  std::vector<uint32_t> ids;
  for (const std::string& part : parts) encode(part, ids);
  return ids;
}

Result<PromptScores::Beginning> PromptScores::encode_beginning(
    size_t prompt, const std::vector<std::string>& parts) const {
  Beginning beginning;
  std::vector<uint32_t>& ids = beginning.ids;
  const uint32_t most = form_.max_query_length;
  for (size_t i = 0; i < parts.size(); ++i) {
    const size_t before = ids.size();
    if (i == form_.head_begin) beginning.n_uncounted = before;
    const bool is_limited = most > 0 && i == form_.query_part;
    encode(is_limited ? text::beginning_of(*run_.generator().tokenizer, parts[i], most) : parts[i],
           ids);
    const size_t count = ids.size() - before;
    if (!is_limited || count <= most) continue;
    if (form_.refuse_long) {
      return text::too_long({form_.list, "[", prompt, "]"}, count, most, "the query has ");
    }
    ids.resize(before + most);
  }
  return beginning;
}

Result<void> PromptScores::add(size_t i, const PartedPrompt& prompt) {
  AMBRY_TRY(Beginning whole, encode_beginning(i, prompt.parts));
  std::vector<uint32_t>& ids = whole.ids;
  const std::vector<uint32_t> tail = encode(prompt.tail);
  uint64_t most = decoder().context();
  if (form_.max_length > 0) most = std::min(most, form_.max_length);
  if (form_.max_head_length > 0) {
    most = std::min(most, whole.n_uncounted + form_.max_head_length + tail.size());
  }
  if (ids.size() > most) {
    if (form_.refuse_long) {
      return fail(ErrorCode::LimitExceeded, i,
                  {"the prompt with this text has ", uint64_t{ids.size()},
                   " tokens, but the model takes at most ", most});
    }
    AMBRY_TRY(const Beginning lead, encode_beginning(i, prompt.lead));
    const size_t fixed = lead.ids.size() + tail.size();
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
  return run_.begin(ids.subspan(run_.reuse(ids)),
                    by_layer() ? infer::Logits::HiddenOfLast : infer::Logits::Last);
}

// A part of the pass of a prompt. Done when its row is written.
Result<PassStep> PromptScores::work() {
  AMBRY_RETURN_IF_ERROR(begin_prompt());
  AMBRY_TRY(const PassStep step, run_.work());
  if (step.kind != PassStep::Kind::Done) return step;
  // The layer is in this part, which a model that is larger than memory has dropped.
  if (by_layer() && !decoder().is_ready(infer::kEmbeddingPart)) {
    return PassStep{PassStep::Kind::NeedsPart, infer::kEmbeddingPart};
  }
  AMBRY_RETURN_IF_ERROR(write_row());
  ++done_;
  in_prompt_ = false;
  return step;
}

Result<void> PromptScores::write_row() {
  const model::DecoderConfig& config = decoder().config();
  if (form_.n_layers > 0) {
    const size_t head = form_.n_layers - config.first_ranked_layer;
    rows_.push_back(infer::rank_by_layer_head(decoder(), head, run_.hidden().first(config.n_embd)));
  } else if (config.rank_head) {
    const std::span<const float> last = run_.hidden().first(config.n_embd);
    hidden_.assign(last.begin(), last.end());
    infer::apply_dense_layers(decoder(), hidden_);
    for (const uint32_t answer : form_.answers) rows_.push_back(hidden_[answer]);
  } else {
    for (const uint32_t answer : form_.answers) rows_.push_back(run_.logits()[answer]);
  }
  return infer::check_outputs(std::span<const float>(rows_).last(width()),
                              {form_.list, "[", done_, "]"});
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
