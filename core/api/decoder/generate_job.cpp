#include "api/decoder/generate_job.h"

#include <cmath>
#include <utility>
#include <vector>

#include "api/decoder/generate_options_json.h"
#include "api/decoder/progress_document.h"
#include "api/decoder/prompt_json.h"
#include "io/json/json.h"

namespace ambry::api {
namespace {

using generate::Answer;
using generate::Generation;
using generate::StopReason;
using io::Json;

template <class Number>
Json numbers(const Number& list) {
  Json document = Json::array();
  for (const auto number : list) document.append(uint64_t{number});
  return document;
}

Json stop_name(StopReason reason) {
  constexpr const char* kNames[] = {nullptr, "eos", "stop", "length", "context", "format"};
  const char* name = kNames[static_cast<size_t>(reason)];
  return name == nullptr ? Json() : Json(name);
}

// A token as it is read within a text, and its bytes, which may be a part of a character. A token
// that is no text of its own is named as the vocabulary spells it.
void add_reading(uint32_t id, const text::Tokenizer* tokenizer, Json& document) {
  if (tokenizer == nullptr) return;
  const std::string bytes = tokenizer->text_bytes(id).value_or(std::string(tokenizer->token(id)));
  Json& list = document.set("bytes", Json::array());
  for (const char byte : bytes) list.append(uint64_t{static_cast<unsigned char>(byte)});
}

void add_probability(const generate::ChoiceProbability& probability,
                     const text::Tokenizer* tokenizer, Json& document) {
  document.set("logprob", probability.log_probability);
  document.set("probability", std::exp(probability.log_probability));
  Json& top = document.set("top", Json::array());
  for (const auto& [id, log_probability] : probability.likely) {
    Json& likely = top.append(Json::object());
    likely.set("id", id);
    likely.set("token", tokenizer == nullptr ? std::string_view() : tokenizer->token(id));
    add_reading(id, tokenizer, likely);
    likely.set("logprob", log_probability);
  }
}

Json token_documents(const Generation& generation, const generate::GenerationStep& step) {
  Json list = Json::array();
  for (const generate::TokenEvent& token : step.tokens) {
    Json& document = list.append(Json::object());
    document.set("index", uint64_t{token.index});
    document.set("id", token.id);
    document.set("text", std::string_view(token.text));
    if (token.probability) {
      const text::Tokenizer* tokenizer = generation.generator().tokenizer.get();
      add_reading(token.id, tokenizer, document);
      add_probability(*token.probability, tokenizer, document);
    }
    if (generation.n_answers() > 1) document.set("sequence", uint64_t{token.answer});
  }
  return list;
}

Json answer_document(const Answer& answer) {
  Json document = Json::object();
  document.set("promptIds", numbers(answer.prompt));
  document.set("reused", uint64_t{answer.n_reused});
  document.set("ids", numbers(answer.ids));
  document.set("text", answer.text);
  document.set("stop", stop_name(answer.stop));
  if (answer.is_complete) document.set("complete", *answer.is_complete);
  return document;
}

}  // namespace

Result<GenerateJob> GenerateJob::begin(std::shared_ptr<generate::Generator> generator,
                                       std::string_view text, std::string_view options,
                                       const generate::PromptCache* kept) {
  AMBRY_TRY(const Json json, io::parse_json(options, 0, "options"));
  AMBRY_TRY(generate::GenerateOptions read, read_generate_options(json, *generator));
  const infer::DecoderState* state = kept == nullptr ? nullptr : &kept->state();
  const Json* list = json.find("prompts");
  if (list == nullptr || list->is_null()) {
    AMBRY_TRY(const generate::Prompt prompt, read_prompt(json, text, *generator));
    AMBRY_TRY(Generation one,
              Generation::begin(std::move(generator), prompt, std::move(read), state));
    return GenerateJob(std::move(one));
  }
  AMBRY_TRY(const std::vector<generate::ListedPrompt> prompts, read_prompts(*list, *generator));
  AMBRY_TRY(Generation several,
            Generation::begin(std::move(generator), prompts, std::move(read), state));
  return GenerateJob(std::move(several));
}

Result<std::string> GenerateJob::step() {
  AMBRY_TRY(const generate::GenerationStep step, generation_.step());
  Json document = progress_document(step.pass);
  document.set("made", step.made);
  document.set("begun", uint64_t{step.n_begun});
  document.set("answering", numbers(step.answering));
  document.set("ended", numbers(step.ended));
  document.set("tokens", token_documents(generation_, step));
  return document.dump();
}

std::string GenerateJob::result() const {
  Json list = Json::array();
  for (size_t i = 0; i < generation_.n_answers(); ++i) {
    list.append(answer_document(generation_.answer(i)));
  }
  return list.dump();
}

std::string prompt_cache_facts(const generate::PromptCache& cache) {
  Json document = Json::object();
  document.set("tokens", uint64_t{cache.n_tokens()});
  document.set("bytes", cache.bytes());
  document.set("note", std::string_view(cache.note()));
  return document.dump();
}

}  // namespace ambry::api
