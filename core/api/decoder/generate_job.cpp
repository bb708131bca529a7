#include "api/decoder/generate_job.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "api/decoder/answer_format.h"
#include "api/decoder/progress_document.h"
#include "infer/decoder/attention/rope_table.h"

namespace ambry::api {
namespace {

using infer::PassStep;
using io::Json;

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

Json numbers(const std::vector<size_t>& list) {
  Json document = Json::array();
  for (const size_t number : list) document.append(uint64_t{number});
  return document;
}

}  // namespace

Result<GenerateJob> GenerateJob::begin(std::shared_ptr<generate::Generator> runtime,
                                       std::string_view text, std::string_view options,
                                       const infer::DecoderState* kept) {
  AMBRY_TRY(Json json, io::parse_json(options, 0, "options"));
  AMBRY_TRY(GenerateOptions read, GenerateOptions::read(json, *runtime));
  AMBRY_RETURN_IF_ERROR(infer::check(read.sampler));
  AMBRY_TRY(std::vector<AnswerRequest> requests, read_requests(*runtime, text, json, read));
  infer::DecoderState base = base_of(runtime->decoder, kept, *requests.front().prompt);
  AnswerSequence::Settings settings{std::move(runtime),
                                    std::make_shared<const GenerateOptions>(std::move(read))};
  GenerateJob job(std::move(settings), std::move(json), std::move(requests), std::move(base));
  const size_t prefix = job.prefix_to_compute();
  job.count_prompts(prefix);
  if (prefix == 0) {
    AMBRY_RETURN_IF_ERROR(job.begin_answers());
    return job;
  }
  AMBRY_RETURN_IF_ERROR(read_format(*job.settings_.runtime, job.json_));
  job.computes_base_ = true;
  job.prompts_in_pass_ = prefix - job.base_->position();
  const auto rows = std::span(*job.requests_.front().prompt).first(prefix);
  const infer::SequenceRows of_base{job.base_.get(), rows.subspan(job.base_->position()),
                                    infer::Logits::None};
  AMBRY_RETURN_IF_ERROR(job.pass_.begin({&of_base, 1}));
  return job;
}

// The common beginning of the prompts, if it is worth a pass of its own and the answers can go on
// from it.
size_t GenerateJob::prefix_to_compute() const {
  const infer::Decoder& decoder = runtime().decoder;
  const size_t prefix = common_prefix(requests_);
  const size_t there = base_->position();
  if (prefix <= there || (requests_.size() - 1) * (prefix - there) < kLeastSavedRows) return 0;
  const bool keeps = std::ranges::all_of(requests_, [&](const AnswerRequest& request) {
    return infer::keeps_rotation(decoder.config(), prefix, request.prompt->size());
  });
  return keeps ? prefix : 0;
}

// What the prompts take, given that `prefix` tokens are computed once. 0: only what is there.
void GenerateJob::count_prompts(size_t prefix) {
  const size_t there = base_->position();
  n_of_prompts_ = prefix == 0 ? 0 : prefix - there;
  for (const AnswerRequest& request : requests_) {
    const size_t shared =
        prefix == 0 ? base_->reusable(runtime().decoder, *request.prompt) : prefix;
    n_of_prompts_ += request.prompt->size() - shared;
  }
}

// As many as may run together.
Result<void> GenerateJob::begin_answers() {
  while (answers_.size() < requests_.size() && running_.size() < settings_.options->batch_size) {
    AMBRY_RETURN_IF_ERROR(begin_answer());
  }
  if (answers_.size() == requests_.size()) base_.reset();
  return running_.empty() ? Result<void>() : begin_pass();
}

Result<void> GenerateJob::begin_answer() {
  const AnswerRequest& request = requests_[answers_.size()];
  infer::SamplerOptions sampling = settings_.options->sampler;
  sampling.seed = request.seed;
  AMBRY_TRY(infer::Sampler sampler, infer::Sampler::create(std::move(sampling)));
  AMBRY_TRY(AnswerSequence::Form form, read_format(*settings_.runtime, json_));
  infer::DecoderState state = base_->fork();
  state.truncate(state.reusable(runtime().decoder, *request.prompt));
  running_.push_back(answers_.size());
  answers_.push_back(std::make_unique<AnswerSequence>(
      settings_, std::move(sampler), *request.prompt, std::move(form), std::move(state)));
  return {};
}

Result<void> GenerateJob::begin_pass() {
  const size_t most = most_drafted();
  auto begun = try_begin_pass(most);
  if (begun || most == 0 || !has_drafts()) return begun;
  return begin_without_drafts();  // there may be room without them
}

Result<void> GenerateJob::begin_without_drafts() {
  may_draft_ = false;
  for (const size_t i : running_) answers_[i]->abandon_pass();
  return try_begin_pass(0);
}

Result<void> GenerateJob::try_begin_pass(size_t most) {
  std::vector<infer::SequenceRows> rows;
  done_of_prompts_ += std::exchange(prompts_in_pass_, 0);
  for (const size_t i : running_) {
    if (!answers_[i]->has_begun()) prompts_in_pass_ += answers_[i]->n_computed();
    rows.push_back(answers_[i]->next_rows(most));
  }
  return pass_.begin(rows);
}

// For each answer. A pass with a draft is a single block, so a pass that fails can be taken back.
size_t GenerateJob::most_drafted() const {
  const bool begin =
      std::ranges::any_of(running_, [&](size_t i) { return !answers_[i]->has_begun(); });
  if (begin || !may_draft_) return 0;
  const size_t rows = running_.size() == 1 ? infer::kPassRows : kDraftingRows;
  return std::max<size_t>(rows / running_.size(), 1) - 1;
}

bool GenerateJob::has_drafts() const {
  return std::ranges::any_of(running_, [&](size_t i) { return answers_[i]->n_drafted() > 0; });
}

// A token that was only drafted must not be what an answer fails for.
Result<PassStep> GenerateJob::work() {
  auto step = pass_.work();
  if (step || !has_drafts()) return step;
  AMBRY_RETURN_IF_ERROR(begin_without_drafts());
  return pass_.work();
}

Result<std::string> GenerateJob::step() {
  generate::PassProgress pass;
  if (!is_done()) {
    AMBRY_TRY(pass.step, work());
    pass.loaded = computed_of_prompts();
    if (pass.step.kind == PassStep::Kind::Done) AMBRY_RETURN_IF_ERROR(finish_pass());
  } else {
    pass.loaded = n_of_prompts_;
  }
  pass.total = n_of_prompts_;
  pass.done = is_done();
  Json document = progress_document(pass);
  report(document);
  return document.dump();
}

uint64_t GenerateJob::computed_of_prompts() const {
  const uint64_t in_pass =
      prompts_in_pass_ * pass_.done_tokens() / std::max<uint64_t>(pass_.n_tokens(), 1);
  return done_of_prompts_ + in_pass;
}

void GenerateJob::report(Json& document) {
  uint64_t made = 0;
  for (const auto& answer : answers_) made += answer->made();
  document.set("made", made);
  document.set("begun", uint64_t{answers_.size()});
  document.set("answering", numbers(std::exchange(answering_, {})));
  document.set("ended", numbers(ended_));
  Json& tokens = document.set("tokens", Json::array());
  const auto add = [&](size_t i) {
    const bool several = requests_.size() > 1;
    answers_[i]->take_tokens(several ? std::optional(i) : std::nullopt, tokens);
  };
  for (const size_t i : std::exchange(ended_, {})) add(i);
  for (const size_t i : running_) add(i);
}

Result<void> GenerateJob::finish_pass() {
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

std::string GenerateJob::result() const {
  Json list = Json::array();
  for (const auto& answer : answers_) list.append(answer->result());
  for (size_t i = answers_.size(); i < requests_.size(); ++i) {
    Json& document = list.append(Json::object());
    Json& prompt = document.set("promptIds", Json::array());
    for (const uint32_t id : *requests_[i].prompt) prompt.append(id);
    document.set("reused", uint64_t{0});
    document.set("ids", Json::array());
    document.set("text", "");
    document.set("stop", Json());
  }
  return list.dump();
}

}  // namespace ambry::api
