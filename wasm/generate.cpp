// Generating text: loading a decoder, its tokenizer, and jobs that pass tokens through it.
#include <emscripten/bind.h>

#include <string>

#include "api/decoder/generator_loader.h"
#include "api/decoder/generator_session.h"
#include "api/loading/partial_source.h"
#include "numbers.h"
#include "outcome.h"

namespace ambry::wasm {
namespace {

using api::GenerateJob;
using api::GeneratorLoader;
using api::GeneratorSession;
using api::LogitsJob;
using api::PartialSource;
using api::PerplexityJob;
using api::TensorReceiver;

// Loaders and sessions take tensors.
template <class Use>
std::string with_taker(Handle handle, const Use& use) {
  if (auto* const loader = find<GeneratorLoader>(handle)) return outcome(use(*loader));
  return with<GeneratorSession>(handle, use);
}

std::string begin_generator(Handle source, const std::string& settings) {
  return with<PartialSource>(
      source, [&](const PartialSource& parts) { return GeneratorLoader::begin(parts, settings); });
}

std::string needed_tensors(Handle loader) {
  return with<GeneratorLoader>(loader, [](const GeneratorLoader& sink) { return sink.needed(); });
}

std::string tensor_window(Handle taker, double tensor) {
  return with_taker(taker, [&](TensorReceiver& takes) -> Result<std::string> {
    AMBRY_TRY(const uint64_t index, count_of(tensor, "tensor"));
    AMBRY_TRY(const MutableBytes room, takes.window(index));
    return heap_range(room.data(), room.size());
  });
}

std::string put_tensor(Handle taker) {
  return with_taker(taker, [](TensorReceiver& takes) { return takes.put(); });
}

std::string finish_generator(Handle loader) {
  return with<GeneratorLoader>(loader, [](GeneratorLoader& sink) { return sink.finish(); });
}

std::string generator_facts(Handle session) {
  return with<GeneratorSession>(session, [](const GeneratorSession& model) {
    return concat({R"({"weightBytes":)", model.weight_bytes(), R"(,"info":)", model.info(), "}"});
  });
}

std::string tokenize_text(Handle session, const std::string& text, bool special) {
  return with<GeneratorSession>(
      session, [&](const GeneratorSession& model) { return model.tokenize(text, special); });
}

std::string detokenize_ids(Handle session, const std::string& ids, bool skip_special) {
  return with<GeneratorSession>(session, [&](const GeneratorSession& model) -> Result<std::string> {
    AMBRY_TRY(const std::string text, model.detokenize(ids, skip_special));
    return api::quoted(text);
  });
}

std::string room_for(Handle session, double part) {
  return with<GeneratorSession>(session, [&](GeneratorSession& model) -> Result<std::string> {
    AMBRY_TRY(const uint64_t index, count_of(part, "part"));
    return model.room_for(index);
  });
}

std::string lacking_next(Handle session, double part) {
  return with<GeneratorSession>(session, [&](const GeneratorSession& model) -> Result<std::string> {
    AMBRY_TRY(const uint64_t index, count_of(part, "part"));
    return model.lacking_next(index);
  });
}

std::string begin_generate(Handle session, const std::string& text, const std::string& settings) {
  return with<GeneratorSession>(
      session, [&](const GeneratorSession& model) { return model.begin_generate(text, settings); });
}

std::string step_generate(Handle job) {
  return with<GenerateJob>(job, [](GenerateJob& answer) { return answer.step(); });
}

std::string generated(Handle job) {
  return with<GenerateJob>(job, [](const GenerateJob& answer) { return answer.result(); });
}

std::string begin_logits(Handle session, const std::string& text, const std::string& settings) {
  return with<GeneratorSession>(
      session, [&](const GeneratorSession& model) { return model.begin_logits(text, settings); });
}

std::string step_logits(Handle job) {
  return with<LogitsJob>(job, [](LogitsJob& asking) { return asking.step(); });
}

std::string logit_rows(Handle job) {
  return with<LogitsJob>(job, [](const LogitsJob& asking) {
    return heap_range(asking.rows().data(), asking.rows().size_bytes());
  });
}

std::string begin_perplexity(Handle session, const std::string& text, const std::string& settings) {
  return with<GeneratorSession>(session, [&](const GeneratorSession& model) {
    return model.begin_perplexity(text, settings);
  });
}

std::string step_perplexity(Handle job) {
  return with<PerplexityJob>(job, [](PerplexityJob& judging) { return judging.step(); });
}

std::string perplexity_report(Handle job) {
  return with<PerplexityJob>(job, [](const PerplexityJob& judging) { return judging.report(); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_generate) {
  emscripten::function("beginGenerator", &begin_generator);
  emscripten::function("neededTensors", &needed_tensors);
  emscripten::function("tensorWindow", &tensor_window);
  emscripten::function("putTensor", &put_tensor);
  emscripten::function("finishGenerator", &finish_generator);
  emscripten::function("generatorFacts", &generator_facts);
  emscripten::function("tokenizeText", &tokenize_text);
  emscripten::function("detokenizeIds", &detokenize_ids);
  emscripten::function("roomFor", &room_for);
  emscripten::function("lackingNext", &lacking_next);
  emscripten::function("beginGenerate", &begin_generate);
  emscripten::function("stepGenerate", &step_generate);
  emscripten::function("generated", &generated);
  emscripten::function("beginLogits", &begin_logits);
  emscripten::function("stepLogits", &step_logits);
  emscripten::function("logitRows", &logit_rows);
  emscripten::function("beginPerplexity", &begin_perplexity);
  emscripten::function("stepPerplexity", &step_perplexity);
  emscripten::function("perplexityReport", &perplexity_report);
}

}  // namespace ambry::wasm
