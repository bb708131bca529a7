#include "api/decoder/generate_job.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "api/call/options.h"
#include "api/decoder/answer_format.h"
#include "api/decoder/prompt.h"
#include "api/decoder/sampling_options.h"
#include "api/tokenizer/token_lists.h"

namespace ambry::api {
namespace {

using io::Json;

// More than anyone reads. Each token needs a sorted row.
constexpr uint64_t kMaxLikely = 1000;

// A run over the longest beginning of `ids` that `kept` has, or over nothing yet.
DecoderRun run_after(std::shared_ptr<GeneratorRuntime> runtime, const infer::DecoderState* kept,
                     std::span<const uint32_t> ids) {
  if (kept == nullptr) return DecoderRun(std::move(runtime));
  infer::DecoderState state = kept->fork();
  state.truncate(state.reusable(runtime->decoder, ids));
  return {std::move(runtime), std::move(state)};
}

}  // namespace

Result<GenerateOptions> GenerateOptions::read(const Json& json, const GeneratorRuntime& runtime) {
  GenerateOptions options;
  AMBRY_TRY(options.max_tokens, read_count(json, "maxTokens", 256));
  if (options.max_tokens == 0) return bad_option("maxTokens", "must be an integer of 1 or more");
  AMBRY_TRY(options.sampler, read_sampling(json, runtime));
  AMBRY_TRY(options.stops, read_texts(json, "stop"));
  for (const std::string& stop : options.stops) {
    if (stop.empty()) return bad_option("stop", "must not be empty");
  }
  if (const Json* ids = json.find("stopIds"); ids != nullptr && !ids->is_null()) {
    AMBRY_TRY(options.stop_ids, read_ids(*ids, runtime.decoder.n_tokens(), "options.stopIds"));
  }
  const Json* likely = json.find("logprobs");
  options.with_probabilities = likely != nullptr && !likely->is_null();
  AMBRY_TRY(const uint64_t n_likely, read_count(json, "logprobs", 0));
  if (n_likely > kMaxLikely) return bad_option("logprobs", {"must be at most ", kMaxLikely});
  options.n_likely = static_cast<size_t>(n_likely);
  return options;
}

Result<GenerateJob> GenerateJob::begin(std::shared_ptr<GeneratorRuntime> runtime,
                                       std::string_view text, std::string_view options,
                                       const infer::DecoderState* kept) {
  AMBRY_TRY(const Json json, io::parse_json(options, 0, "options"));
  AMBRY_TRY(GenerateOptions read, GenerateOptions::read(json, *runtime));
  AMBRY_TRY(infer::Sampler sampler, infer::Sampler::create(std::move(read.sampler)));
  AMBRY_TRY(Form form, read_format(*runtime, json));
  AMBRY_TRY(std::vector<uint32_t> ids, prompt_ids(*runtime, text, json));
  const uint64_t context = runtime->decoder.context();
  if (ids.size() >= context) {
    return make_error(
        ErrorCode::LimitExceeded, "prompt",
        {uint64_t{ids.size()}, " tokens leave no room for an answer in a context of ", context});
  }
  DecoderRun run = run_after(std::move(runtime), kept, ids);
  GenerateJob job(std::move(run), std::move(read), std::move(sampler), std::move(ids),
                  std::move(form));
  const auto computed = std::span<const uint32_t>(job.ids_).subspan(job.n_reused_);
  AMBRY_RETURN_IF_ERROR(job.run_.begin(computed, infer::Logits::Last));
  return job;
}

GenerateJob::GenerateJob(DecoderRun run, GenerateOptions options, infer::Sampler sampler,
                         std::vector<uint32_t> prompt, Form form)
    : run_(std::move(run)),
      options_(std::move(options)),
      sampler_(std::move(sampler)),
      answer_(options_.stops, run_.runtime().tokenizer != nullptr),
      form_(std::move(form)),
      ids_(std::move(prompt)),
      n_prompt_(ids_.size()),
      n_reused_(run_.state().position()) {
  if (run_.runtime().tokenizer) begin_text();
}

// Gives the decoder the prompt, so that the answer continues it: only the first piece of a text
// loses its space. An answer with a form loses none, and has no rest of the prompt's last character
// in it, so it continues a text of one token.
void GenerateJob::begin_text() {
  const GeneratorRuntime& runtime = run_.runtime();
  decoder_ = runtime.tokenizer->decoder(true);
  std::string before;
  if (!form_) {
    for (const uint32_t id : ids_) decoder_->push(id, before);
  } else if (const auto id = token_of_text(*runtime.token_index)) {
    decoder_->push(*id, before);
  }
}

Result<std::string> GenerateJob::step() {
  PassReport report;
  if (stop_ == nullptr) {
    AMBRY_TRY(report.step, run_.work());
    report.loaded = run_.done_tokens();
    report.total = n_prompt_ - n_reused_;
    if (report.step.kind == infer::PassStep::Kind::Done) AMBRY_RETURN_IF_ERROR(choose());
  }
  report.done = stop_ != nullptr;
  Json document = report.document();
  document.set("made", uint64_t{ids_.size() - n_prompt_});
  Json& tokens = document.set("tokens", Json::array());
  for (const AnswerText::Token& token : answer_.take()) tokens.append(token_document(token));
  return document.dump();
}

// Chooses the next token from the logits of the last one.
Result<void> GenerateJob::choose() {
  const infer::Decoder& decoder = run_.runtime().decoder;
  const auto logits = run_.logits().first(decoder.n_tokens());
  AMBRY_TRY(const std::span<const uint64_t> allowed, allowed_ids());
  AMBRY_TRY(const uint32_t id, sampler_.pick(logits, ids_, allowed));
  if (const char* reason = end_reason(id); reason != nullptr) {
    end(reason);
    return {};
  }
  add(id, logits);
  if (stop_ == nullptr && form_ && form_->is_complete()) end("format");
  if (stop_ == nullptr && ids_.size() - n_prompt_ == options_.max_tokens) end("length");
  if (stop_ == nullptr && ids_.size() == decoder.context()) end("context");
  if (stop_ != nullptr) return {};
  return run_.begin(std::span(ids_).last(1), infer::Logits::Last);
}

// Empty for all.
Result<std::span<const uint64_t>> GenerateJob::allowed_ids() {
  if (!form_) return std::span<const uint64_t>();
  return form_->allowed();
}

// nullptr for a token that goes into the answer.
const char* GenerateJob::end_reason(uint32_t id) const {
  const text::Tokenizer* tokenizer = run_.runtime().tokenizer.get();
  if (tokenizer != nullptr && std::ranges::count(tokenizer->end_ids(), id) > 0) return "eos";
  return std::ranges::count(options_.stop_ids, id) > 0 ? "stop" : nullptr;
}

void GenerateJob::add(uint32_t id, std::span<const float> logits) {
  ids_.push_back(id);
  if (form_) form_->accept(id);
  if (options_.with_probabilities) {
    probabilities_.push_back(
        {infer::log_probability(logits, id), infer::most_likely(logits, options_.n_likely)});
  }
  std::string added;
  if (decoder_) decoder_->push(id, added);
  if (answer_.push(added)) stop_ = "stop";
}

void GenerateJob::end(const char* reason) {
  stop_ = reason;
  std::string rest;
  if (decoder_) decoder_->finish(rest);
  answer_.finish(rest);
}

Json GenerateJob::token_document(const AnswerText::Token& token) const {
  Json document = Json::object();
  document.set("index", uint64_t{token.index});
  document.set("id", ids_[n_prompt_ + token.index]);
  document.set("text", std::string_view(token.text));
  if (!options_.with_probabilities) return document;
  const Probability& probability = probabilities_[token.index];
  document.set("logprob", probability.log_probability);
  document.set("probability", std::exp(probability.log_probability));
  Json& top = document.set("top", Json::array());
  for (const auto& [id, log_probability] : probability.likely) {
    Json& likely = top.append(Json::object());
    likely.set("id", id);
    const text::Tokenizer* tokenizer = run_.runtime().tokenizer.get();
    likely.set("token", tokenizer == nullptr ? std::string_view() : tokenizer->token(id));
    likely.set("logprob", log_probability);
  }
  return document;
}

std::string GenerateJob::result() const {
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
  return document.dump();
}

}  // namespace ambry::api
