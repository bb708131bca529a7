#include "generate/scoring/choice_scores.h"

#include <algorithm>
#include <cmath>

#include "base/concat.h"
#include "base/order.h"
#include "generate/run/prompt.h"
#include "infer/decoder/attention/rope_table.h"
#include "infer/decoder/token_probability.h"

namespace ambry::generate {
namespace {

using infer::DecoderState;
using infer::Logits;
using infer::PassStep;

// Bytes of text that become tokens in one step.
constexpr size_t kReadBytes = size_t{64} << 10;
// Branches in a pass. Each takes memory for its tokens.
constexpr size_t kMostBranches = 16;

// How many tokens both begin with.
size_t shared_tokens(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  size_t n = 0;
  while (n < a.size() && n < b.size() && a[n] == b[n]) ++n;
  return n;
}

void set_probabilities(std::span<ChoiceScore> scores) {
  double top = scores[0].score;
  for (const ChoiceScore& each : scores) top = std::max(top, each.score);
  double all = 0;
  for (ChoiceScore& each : scores) {
    each.probability = std::exp(each.score - top);
    all += each.probability;
  }
  for (ChoiceScore& each : scores) each.probability /= all;
}

}  // namespace

ChoiceScores::ChoiceScores(std::shared_ptr<Generator> generator, ChoiceForm form)
    : generator_(std::move(generator)), form_(std::move(form)), pass_(generator_->decoder) {
  for (const uint32_t id : generator_->tokenizer->end_ids()) {
    if (id < decoder().n_tokens()) ends_.push_back(id);
  }
  size_t n_answers = 0;
  for (const TextList& question : form_.questions) {
    asked_.push_back({.begin = n_answers});
    n_answers += question.items.size();
  }
  answers_.resize(n_answers);
}

Result<std::unique_ptr<ChoiceScores>> ChoiceScores::begin(std::shared_ptr<Generator> generator,
                                                          ChoiceForm form) {
  AMBRY_RETURN_IF_ERROR(need_tokenizer(*generator));
  std::unique_ptr<ChoiceScores> made(new ChoiceScores(std::move(generator), std::move(form)));
  bool fits = !made->ends_.empty() && !made->asked_.empty();
  for (const TextList& question : made->form_.questions) fits = fits && !question.items.empty();
  for (const TextList& text : made->form_.texts) {
    fits = fits && text.items.size() == made->asked_.size();
  }
  if (fits) return made;
  return make_error(ErrorCode::BadValue, "questions",
                    "no token of the model ends an answer, or a question has no answers");
}

Result<PassProgress> ChoiceScores::step() {
  PassProgress report;
  const size_t n_texts = form_.texts.size();
  if (text_ < n_texts) {
    AMBRY_RETURN_IF_ERROR(n_read_ < answers_.size() ? read_some() : work(report.step));
  }
  const size_t n_done = checks_ ? 0 : text_;
  report.done = n_done == n_texts;
  report.loaded = n_done - std::min(n_done, n_priors());
  report.total = n_texts - std::min(n_texts, n_priors());
  return report;
}

// Reads answers for a moment, at most those of one text.
Result<void> ChoiceScores::read_some() {
  size_t question = asked_.size() - 1;
  while (asked_[question].begin > n_read_) --question;
  Asked& asked = asked_[question];
  const std::vector<std::string>& answers = form_.questions[question].items;
  if (n_read_ == asked.begin) AMBRY_TRY(asked.prompt, read(question, ""));
  for (size_t bytes = 0; bytes < kReadBytes && n_read_ < asked.begin + answers.size();) {
    bytes += form_.texts[text_].head.size() + 1;
    AMBRY_TRY(answers_[n_read_], read(question, answers[n_read_ - asked.begin]));
    ++n_read_;
  }
  return n_read_ < asked.begin + answers.size() ? Result<void>() : end_question(question);
}

std::string ChoiceScores::path() const {
  if (text_ < n_priors()) return "options.normalize";
  return concat({"texts[", text_ - n_priors(), "]"});
}

Result<ChoiceScores::Ids> ChoiceScores::read(size_t question, std::string_view answer) const {
  const TextList& asked = form_.texts[text_];
  const std::string text = concat({asked.head, asked.items[question], answer});
  const auto context = static_cast<size_t>(decoder().context());
  AMBRY_TRY(Ids ids,
            prompt_ids(*generator_, {.text = text, .special = form_.special}, path(), context));
  if (ids.size() <= context) return ids;
  return make_error(
      ErrorCode::LimitExceeded, path(),
      {"the text with a question and its answer has ", ids.size() > 2 * context ? "at least " : "",
       ids.size(), " tokens, more than the context of ", context});
}

// Cuts the prompt off the answers, and sorts them. A text that was only to be checked is done then.
Result<void> ChoiceScores::end_question(size_t question) {
  Asked& asked = asked_[question];
  const std::span<Ids> answers = std::span(answers_).subspan(asked.begin, n_read_ - asked.begin);
  size_t n_prompt = asked.prompt.size();
  for (const Ids& ids : answers) n_prompt = std::min(n_prompt, shared_tokens(asked.prompt, ids));
  if (n_prompt == 0) {
    return make_error(ErrorCode::BadValue, path(), "the prompt and an answer begin with one token");
  }
  asked.prompt.resize(n_prompt);
  for (Ids& ids : answers) {
    // Tokens of a longer sequence may be rotated otherwise.
    shares_ = shares_ && infer::keeps_rotation(decoder().config(), 1, ids.size());
    ids.erase(ids.begin(), ids.begin() + static_cast<ptrdiff_t>(n_prompt));
  }
  asked.order = sorted_order(answers.size(), [&](uint32_t a, uint32_t b) {
    return std::ranges::lexicographical_compare(answers[a], answers[b]);
  });
  const Ids none;
  const Ids* before = &none;
  for (const uint32_t i : asked.order) {
    const Ids& ids = answers[i];
    const char* problem =
        ids == *before ? "to the model it is the same as none or another one" : nullptr;
    for (const uint32_t id : ids) {
      if (id >= decoder().n_tokens()) problem = "it has a token that the model does not know";
    }
    if (problem != nullptr) {
      return make_error(ErrorCode::BadValue,
                        {form_.questions[question].head, "[", uint64_t{i}, "]"}, problem);
    }
    before = &ids;
  }
  if (checks_ && n_read_ == answers_.size()) end_check();
  return {};
}

// When all texts are checked, the first one is read again.
void ChoiceScores::end_check() {
  n_read_ = 0;
  shares_ = true;
  checks_ = ++text_ < form_.texts.size();
  if (!checks_) text_ = 0;
}

// The questions wait, or what all of them begin with. Of that, a token stays in each prompt,
// because the answers need the logits after it.
void ChoiceScores::begin_text() {
  sums_.assign(answers_.size(), 0);
  shared_ = asked_.size() > 1 && shares_ ? SIZE_MAX : 0;
  for (const Asked& each : asked_) {
    shared_ =
        std::min({shared_, shared_tokens(asked_[0].prompt, each.prompt), each.prompt.size() - 1});
  }
  if (shared_ > 0) {
    wait_for_prompt(asked_.size(), shared_);
    return;
  }
  for (size_t i = 0; i < asked_.size(); ++i) wait_for_prompt(i, asked_[i].prompt.size());
}

// The sequence goes on from what it has in common with the text before.
void ChoiceScores::wait_for_prompt(size_t question, size_t n_tokens) {
  auto ids = std::span<const uint32_t>(asked_[question % asked_.size()].prompt).first(n_tokens);
  auto state =
      std::make_shared<DecoderState>(trunk_ && shares_ ? trunk_->fork() : DecoderState(decoder()));
  ids = ids.subspan(state->truncate(state->reusable(decoder(), ids)));
  waiting_.push_back({.state = std::move(state), .ids = ids, .question = question});
}

// A part of a pass.
Result<void> ChoiceScores::work(PassStep& step) {
  if (running_.empty()) {
    if (waiting_.empty()) begin_text();
    AMBRY_RETURN_IF_ERROR(begin_pass());
  }
  AMBRY_TRY(step, pass_.work());
  if (step.kind != PassStep::Kind::Done) return {};
  finish_pass();
  if (waiting_.empty()) end_text();
  return {};
}

// Takes branches until there are rows enough.
Result<void> ChoiceScores::begin_pass() {
  std::vector<infer::SequenceRows> rows;
  for (size_t n_rows = 0; !waiting_.empty() && running_.size() < kMostBranches;) {
    Branch& next = waiting_.back();
    n_rows += next.ids.size();
    if (!running_.empty() && n_rows > kRowsAtOnce) break;
    n_computed_ += next.ids.size();
    next.state = std::make_shared<DecoderState>(next.state->fork());
    Logits wanted = next.question < asked_.size() ? Logits::Last : Logits::None;
    if (next.answers.last > 0) wanted = Logits::Each;
    rows.push_back({next.state.get(), next.ids, wanted});
    running_.push_back(std::move(next));
    waiting_.pop_back();
  }
  return pass_.begin(rows);
}

void ChoiceScores::finish_pass() {
  size_t row = 0;
  for (const Branch& branch : std::exchange(running_, {})) {
    Answers answers = branch.answers;
    if (branch.question == asked_.size()) {
      trunk_ = branch.state;
      for (size_t i = 0; i < asked_.size(); ++i) {
        const auto rest = std::span<const uint32_t>(asked_[i].prompt).subspan(shared_);
        waiting_.push_back({.state = trunk_, .ids = rest, .question = i});
      }
      continue;
    }
    if (answers.last == 0) {
      answers.last = asked_[branch.question].order.size();
      if (shared_ == 0) trunk_ = branch.state;
    } else {
      answers.depth += branch.ids.size();
      // The row before the branch has scored its first token.
      for (size_t i = 1; i < branch.ids.size(); ++i) {
        add(branch.question, answers, infer::log_probability(logits(row++), branch.ids[i]));
      }
    }
    split(branch, answers, logits(row++));
  }
}

// Scores the next token of each answer, or its end, and lets those with the same token wait as one
// branch.
void ChoiceScores::split(const Branch& branch, Answers next, std::span<const float> row) {
  const Asked& asked = asked_[branch.question];
  const auto ids_of = [&](size_t place) -> const Ids& {
    return answers_[asked.begin + asked.order[place]];
  };
  const double all = infer::log_sum_exp(row);
  for (const size_t end = next.last; next.first < end; next.first = next.last) {
    const Ids& ids = ids_of(next.first);
    next.last = next.first + 1;
    if (ids.size() == next.depth) {
      // Several tokens may end an answer.
      std::vector<float> ends;
      for (const uint32_t id : ends_) ends.push_back(row[id]);
      add(branch.question, next, infer::log_sum_exp(ends) - all);
      continue;
    }
    const uint32_t id = ids[next.depth];
    while (shares_ && next.last < end && ids_of(next.last)[next.depth] == id) ++next.last;
    add(branch.question, next, row[id] - all);
    const size_t length = shared_tokens(ids, ids_of(next.last - 1)) - next.depth;
    waiting_.push_back({.state = branch.state,
                        .ids = std::span(ids).subspan(next.depth, std::min(length, kRowsAtOnce)),
                        .question = branch.question,
                        .answers = next});
  }
}

void ChoiceScores::add(size_t question, const Answers& answers, double log_probability) {
  const Asked& asked = asked_[question];
  for (size_t i = answers.first; i < answers.last; ++i) {
    sums_[asked.begin + asked.order[i]] += log_probability;
  }
}

// Rows without those of padding.
std::span<const float> ChoiceScores::logits(size_t row) const {
  return pass_.logits(row).first(decoder().n_tokens());
}

void ChoiceScores::end_text() {
  n_read_ = 0;
  shares_ = true;
  if (text_++ < n_priors()) {
    prior_ = std::move(sums_);
    return;
  }
  const size_t begin = scores_.size();
  for (size_t i = 0; i < sums_.size(); ++i) {
    double score = sums_[i];
    // An answer has its tokens and its end.
    if (form_.by_tokens) score /= static_cast<double>(answers_[i].size() + 1);
    scores_.push_back({prior_.empty() ? score : score - prior_[i], 0});
  }
  for (const Asked& asked : asked_) {
    set_probabilities(std::span(scores_).subspan(begin + asked.begin, asked.order.size()));
  }
}

}  // namespace ambry::generate
