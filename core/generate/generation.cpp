#include "generate/generation.h"

#include <algorithm>
#include <utility>

#include "generate/answer/answer_form.h"
#include "infer/decoder/attention/rope_table.h"

namespace ambry::generate {
namespace {

using infer::PassStep;

// Rows of a pass that drafts and the tokens before them may take together, if there are several
// answers.
constexpr size_t kDraftingRows = 16;
// Rows that a pass over the common beginning of the prompts must save to be worth a pass.
constexpr size_t kLeastSavedRows = 8;

// The longest beginning of the first prompt that `kept` has, or nothing yet.
infer::DecoderState base_of(const infer::Decoder& decoder, const infer::DecoderState* kept,
                            std::span<const uint32_t> prompt) {
  if (kept == nullptr) return infer::DecoderState(decoder);
  infer::DecoderState state = kept->fork();
  state.truncate(state.reusable(decoder, prompt));
  return state;
}

}  // namespace

Result<Generation> Generation::begin(std::shared_ptr<Generator> generator, const Prompt& prompt,
                                     GenerateOptions options, const infer::DecoderState* kept) {
  AMBRY_RETURN_IF_ERROR(check(options));
  AMBRY_TRY(std::vector<AnswerRequest> requests, requests_of(*generator, prompt, options));
  return begin(std::move(generator), std::move(requests), std::move(options), kept);
}

Result<Generation> Generation::begin(std::shared_ptr<Generator> generator,
                                     std::span<const ListedPrompt> prompts, GenerateOptions options,
                                     const infer::DecoderState* kept) {
  AMBRY_RETURN_IF_ERROR(check(options));
  AMBRY_TRY(std::vector<AnswerRequest> requests, requests_of(*generator, prompts, options));
  if (!options.resume_ids.empty()) {
    return make_error(ErrorCode::BadValue, "options.resumeIds",
                      "goes with one prompt; resume each answer by itself");
  }
  return begin(std::move(generator), std::move(requests), std::move(options), kept);
}

Result<Generation> Generation::begin(std::shared_ptr<Generator> generator,
                                     std::vector<AnswerRequest> requests, GenerateOptions options,
                                     const infer::DecoderState* kept) {
  AMBRY_TRY(options.sampler, sampling_of(options, *generator));
  infer::DecoderState base = base_of(generator->decoder, kept, *requests.front().prompt);
  AnswerSequence::Settings settings{std::move(generator),
                                    std::make_shared<const GenerateOptions>(std::move(options))};
  Generation made(std::move(settings), std::move(requests), std::move(base));
  const size_t prefix = made.prefix_to_compute();
  made.count_prompts(prefix);
  if (prefix == 0) {
    AMBRY_RETURN_IF_ERROR(made.begin_answers());
    return made;
  }
  // A bad form fails here, and not after the pass.
  AMBRY_RETURN_IF_ERROR(begin_form(*made.settings_.generator, made.settings_.options->form.get()));
  made.computes_base_ = true;
  made.prompts_in_pass_ = prefix - made.base_->position();
  const auto rows = std::span(*made.requests_.front().prompt).first(prefix);
  const infer::SequenceRows of_base{made.base_.get(), rows.subspan(made.base_->position()),
                                    infer::Logits::None};
  AMBRY_RETURN_IF_ERROR(made.pass_.begin({&of_base, 1}));
  return made;
}

// The common beginning of the prompts, if it is worth a pass of its own and the answers can go on
// from it.
size_t Generation::prefix_to_compute() const {
  const infer::Decoder& decoder = generator().decoder;
  const size_t prefix = common_prefix(requests_);
  const size_t there = base_->position();
  if (prefix <= there || (requests_.size() - 1) * (prefix - there) < kLeastSavedRows) return 0;
  const bool keeps = std::ranges::all_of(requests_, [&](const AnswerRequest& request) {
    return infer::keeps_rotation(decoder.config(), prefix, request.prompt->size());
  });
  return keeps ? prefix : 0;
}

// What the prompts take, given that `prefix` tokens are computed once. 0: only what is there.
void Generation::count_prompts(size_t prefix) {
  const size_t there = base_->position();
  n_of_prompts_ = prefix == 0 ? 0 : prefix - there;
  for (const AnswerRequest& request : requests_) {
    const size_t shared =
        prefix == 0 ? base_->reusable(generator().decoder, *request.prompt) : prefix;
    n_of_prompts_ += request.prompt->size() - shared;
  }
}

// As many as may run together.
Result<void> Generation::begin_answers() {
  while (answers_.size() < requests_.size() && running_.size() < settings_.options->batch_size) {
    AMBRY_RETURN_IF_ERROR(begin_answer());
  }
  if (answers_.size() == requests_.size()) base_.reset();
  return running_.empty() ? Result<void>() : begin_pass();
}

Result<void> Generation::begin_answer() {
  const AnswerRequest& request = requests_[answers_.size()];
  infer::SamplerOptions sampling = settings_.options->sampler;
  sampling.seed = request.seed;
  AMBRY_TRY(infer::Sampler sampler, infer::Sampler::create(std::move(sampling)));
  AMBRY_TRY(AnswerSequence::Form form,
            begin_form(*settings_.generator, settings_.options->form.get()));
  infer::DecoderState state = base_->fork();
  state.truncate(state.reusable(generator().decoder, *request.prompt));
  running_.push_back(answers_.size());
  answers_.push_back(std::make_unique<AnswerSequence>(
      settings_, std::move(sampler), *request.prompt, std::move(form), std::move(state)));
  return {};
}

Result<void> Generation::begin_pass() {
  const size_t most = most_drafted();
  auto begun = try_begin_pass(most);
  if (begun || most == 0 || !has_drafts()) return begun;
  return begin_without_drafts();  // there may be room without them
}

Result<void> Generation::begin_without_drafts() {
  may_draft_ = false;
  for (const size_t i : running_) answers_[i]->abandon_pass();
  return try_begin_pass(0);
}

Result<void> Generation::try_begin_pass(size_t most) {
  std::vector<infer::SequenceRows> rows;
  done_of_prompts_ += std::exchange(prompts_in_pass_, 0);
  for (const size_t i : running_) {
    if (!answers_[i]->has_begun()) prompts_in_pass_ += answers_[i]->n_computed();
    rows.push_back(answers_[i]->next_rows(most));
  }
  return pass_.begin(rows);
}

// For each answer. A pass with a draft is a single block, so a pass that fails can be taken back.
size_t Generation::most_drafted() const {
  const bool begin =
      std::ranges::any_of(running_, [&](size_t i) { return !answers_[i]->has_begun(); });
  if (begin || !may_draft_) return 0;
  const size_t rows = running_.size() == 1 ? infer::kPassRows : kDraftingRows;
  return std::max<size_t>(rows / running_.size(), 1) - 1;
}

bool Generation::has_drafts() const {
  return std::ranges::any_of(running_, [&](size_t i) { return answers_[i]->n_drafted() > 0; });
}

// A token that was only drafted must not be what an answer fails for.
Result<PassStep> Generation::work() {
  auto step = pass_.work();
  if (step || !has_drafts()) return step;
  AMBRY_RETURN_IF_ERROR(begin_without_drafts());
  return pass_.work();
}

Result<GenerationStep> Generation::step() {
  PassProgress pass;
  if (!is_done()) {
    AMBRY_TRY(pass.step, work());
    pass.loaded = computed_of_prompts();
    if (pass.step.kind == PassStep::Kind::Done) AMBRY_RETURN_IF_ERROR(finish_pass());
  } else {
    pass.loaded = n_of_prompts_;
  }
  pass.total = n_of_prompts_;
  pass.done = is_done();
  return report(pass);
}

uint64_t Generation::computed_of_prompts() const {
  const uint64_t in_pass =
      prompts_in_pass_ * pass_.done_tokens() / std::max<uint64_t>(pass_.n_tokens(), 1);
  return done_of_prompts_ + in_pass;
}

GenerationStep Generation::report(const PassProgress& pass) {
  GenerationStep step{.pass = pass, .n_begun = answers_.size()};
  for (const auto& answer : answers_) step.made += answer->made();
  step.answering = std::exchange(answering_, {});
  step.ended = std::exchange(ended_, {});
  for (const size_t i : step.ended) answers_[i]->take_tokens(i, step.tokens);
  for (const size_t i : running_) answers_[i]->take_tokens(i, step.tokens);
  return step;
}

Result<void> Generation::finish_pass() {
  if (std::exchange(computes_base_, false)) return begin_answers();
  size_t row = 0;
  for (const size_t i : running_) {
    AnswerSequence& answer = *answers_[i];
    const size_t n_rows = answer.n_logits();
    const bool begins = !answer.has_begun();
    AMBRY_RETURN_IF_ERROR(answer.choose(pass_, row));
    row += n_rows;
    if (begins && answer.has_begun()) answering_.push_back(i);
    if (!answer.has_ended()) continue;
    ended_.push_back(i);
    if (requests_.size() > 1) answer.drop_state();
  }
  std::erase_if(running_, [&](size_t i) { return answers_[i]->has_ended(); });
  return begin_answers();
}

Answer Generation::answer(size_t number) const {
  if (number < answers_.size()) return answers_[number]->answer();
  return Answer{.prompt = *requests_[number].prompt};
}

}  // namespace ambry::generate
