// Generating text: loading a decoder, its tokenizer, and jobs that pass tokens through it.
#include <emscripten/bind.h>

#include <string>
#include <utility>

#include "api/decoder/decide_job.h"
#include "api/decoder/device_jobs.h"
#include "api/decoder/generate_job.h"
#include "api/decoder/generator_loader.h"
#include "api/decoder/generator_model.h"
#include "api/decoder/pass_jobs.h"
#include "api/decoder/prompt_score_job.h"
#include "api/decoder/saved_prompt_cache.h"
#include "api/decoder/text_embedding_job.h"
#include "bindings/kind.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {

template <>
constexpr auto kRangeOf<api::SavedPromptCache> = &api::SavedPromptCache::bytes;
template <>
constexpr auto kRangeOf<api::LogitsJob> =
    [](const api::LogitsJob& job) { return job.work().rows(); };
template <>
constexpr auto kRangeOf<api::DecideJob> =
    [](const api::DecideJob& job) { return job.work().scores(); };
template <>
constexpr auto kRangeOf<api::DeviceRows> = &api::DeviceRows::facts;

namespace {

using api::DecideJob;
using api::DeviceCheck;
using api::DeviceRows;
using api::GenerateJob;
using api::GeneratorLoader;
using api::GeneratorModel;
using api::LogitsJob;
using api::PassJob;
using api::PerplexityJob;
using api::PromptScoreJob;
using api::SavedPromptCache;
using api::TensorReceiver;
using api::TextEmbeddingJob;
using generate::PromptCache;

const Kind kGenerators = kind_of<GeneratorModel>();

// Loaders and models take tensors.
template <class Use>
JsText with_taker(Handle handle, const Use& use) {
  if (auto* const loader = find<GeneratorLoader>(handle)) return outcome(use(*loader));
  return with<GeneratorModel>(handle, use);
}

JsText needed_tensors(Handle loader) {
  return with<GeneratorLoader>(loader, [](const GeneratorLoader& sink) { return sink.needed(); });
}

JsText tensor_window(Handle taker, double tensor) {
  return with_taker(taker, [&](TensorReceiver& takes) -> Result<std::string> {
    AMBRY_TRY(const uint64_t index, count_of(tensor, "tensor"));
    AMBRY_TRY(const MutableBytes room, takes.window(index));
    return heap_range(room.data(), room.size());
  });
}

JsText put_tensor(Handle taker) {
  return with_taker(taker, [](TensorReceiver& takes) { return takes.put(); });
}

JsText room_for(Handle model, double part) {
  return with<GeneratorModel>(model, [&](GeneratorModel& opened) -> Result<std::string> {
    AMBRY_TRY(const uint64_t index, count_of(part, "part"));
    return opened.room_for(index);
  });
}

JsText lacking_next(Handle model, double part) {
  return with<GeneratorModel>(model, [&](const GeneratorModel& opened) -> Result<std::string> {
    AMBRY_TRY(const uint64_t index, count_of(part, "part"));
    return opened.lacking_next(index);
  });
}

JsText begin_generate(Handle model, const JsBytes& text, const std::string& settings) {
  return with<GeneratorModel>(model, [&](const GeneratorModel& opened) {
    return GenerateJob::begin(opened.generator(), text_of(text), settings);
  });
}

JsText step_generate(Handle job) {
  return with<GenerateJob>(job, [](GenerateJob& answer) { return answer.step(); });
}

JsText generated(Handle job) {
  return with<GenerateJob>(job, [](const GenerateJob& answer) { return answer.result(); });
}

JsText create_prompt_cache(Handle model) {
  return with<GeneratorModel>(
      model, [](const GeneratorModel& opened) { return PromptCache(opened.generator()); });
}

JsText fork_prompt_cache(Handle cache) {
  return with<PromptCache>(cache, [](const PromptCache& kept) { return kept.fork(); });
}

JsText prompt_cache_facts(Handle cache) {
  return with<PromptCache>(cache,
                           [](const PromptCache& kept) { return api::prompt_cache_facts(kept); });
}

JsText begin_generate_after(Handle cache, const JsBytes& text, const std::string& settings) {
  return with<PromptCache>(cache, [&](const PromptCache& kept) {
    return GenerateJob::begin(kept.generator(), text_of(text), settings, &kept);
  });
}

JsText keep_generated(Handle cache, Handle job) {
  return with<PromptCache>(cache, [&](PromptCache& kept) -> Result<void> {
    const auto* const answer = find<GenerateJob>(job);
    if (answer == nullptr) return not_held();
    return kept.keep(answer->generation());
  });
}

JsText save_prompt_cache(Handle cache, const JsBytes& note) {
  return with<PromptCache>(cache, [&](const PromptCache& kept) -> Result<SavedPromptCache> {
    AMBRY_TRY(AlignedBuffer bytes, kept.save(text_of(note)));
    return SavedPromptCache(std::move(bytes));
  });
}

JsText create_saved_prompt_cache(double size) {
  const auto count = count_of(size, "size");
  if (!count) return js_text(api::failure_text(count.error()));
  return outcome(SavedPromptCache::of_size(*count));
}

JsText restore_prompt_cache(Handle model, Handle saved) {
  return with<GeneratorModel>(model, [&](const GeneratorModel& opened) -> Result<PromptCache> {
    auto* const file = find<SavedPromptCache>(saved);
    if (file == nullptr) return not_held();
    return PromptCache::restore(opened.generator(), file->bytes());
  });
}

JsText step_pass(Handle job) {
  return with<PassJob>(job, [](PassJob& passing) { return passing.step(); });
}

JsText begin_logits(Handle model, const JsBytes& text, const std::string& settings) {
  return with<GeneratorModel>(model, [&](const GeneratorModel& opened) {
    return api::begin_logits(opened.generator(), text_of(text), settings);
  });
}

JsText begin_text_embedding(Handle model, const std::string& options) {
  return with<GeneratorModel>(model, [&](const GeneratorModel& opened) {
    return TextEmbeddingJob::begin(opened.generator(), options);
  });
}

const Kind kEmbed("textEmbedding", begin_text_embedding);

JsText begin_prompt_scores(Handle model, const std::string& options) {
  return with<GeneratorModel>(model, [&](const GeneratorModel& opened) {
    return PromptScoreJob::begin(opened.generator(), options);
  });
}

const Kind kPromptScores("promptScores", begin_prompt_scores);

JsText begin_decide(Handle model, const std::string& options) {
  return with<GeneratorModel>(model, [&](const GeneratorModel& opened) {
    return DecideJob::begin(opened.generator(), options);
  });
}

JsText begin_perplexity(Handle model, const JsBytes& text, const std::string& settings) {
  return with<GeneratorModel>(model, [&](const GeneratorModel& opened) {
    return api::begin_perplexity(opened.generator(), text_of(text), settings);
  });
}

JsText perplexity_report(Handle job) {
  return with<PerplexityJob>(
      job, [](const PerplexityJob& judging) { return api::perplexity_report(judging.work()); });
}

JsText device_plan(Handle model) {
  return with<GeneratorModel>(
      model, [](const GeneratorModel& opened) { return api::device_plan(*opened.generator()); });
}

JsText begin_device_check(Handle model) {
  return with<GeneratorModel>(
      model, [](const GeneratorModel& opened) { return DeviceCheck::begin(opened.generator()); });
}

JsText step_device_check(Handle check) {
  return with<DeviceCheck>(check, [](DeviceCheck& checking) -> Result<std::string> {
    AMBRY_RETURN_IF_ERROR(checking.step());
    return heap_range(checking.facts().data(), checking.facts().size_bytes());
  });
}

JsText set_device(Handle model, bool on) {
  return with<GeneratorModel>(model, [&](const GeneratorModel& opened) {
    api::set_device(*opened.generator(), on);
    return on;
  });
}

JsText device_rows(Handle model) {
  return with<GeneratorModel>(
      model, [](const GeneratorModel& opened) { return DeviceRows::of(*opened.generator()); });
}

JsText answer_device_rows(Handle rows, bool restart) {
  return with<DeviceRows>(rows, [&](DeviceRows& waiting) {
    waiting.answer(restart);
    return true;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_generate) {
  emscripten::function("neededTensors", &needed_tensors);
  emscripten::function("tensorWindow", &tensor_window);
  emscripten::function("putTensor", &put_tensor);
  emscripten::function("roomFor", &room_for);
  emscripten::function("lackingNext", &lacking_next);
  emscripten::function("beginGenerate", &begin_generate);
  emscripten::function("stepGenerate", &step_generate);
  emscripten::function("generated", &generated);
  emscripten::function("createPromptCache", &create_prompt_cache);
  emscripten::function("forkPromptCache", &fork_prompt_cache);
  emscripten::function("promptCacheFacts", &prompt_cache_facts);
  emscripten::function("beginGenerateAfter", &begin_generate_after);
  emscripten::function("keepGenerated", &keep_generated);
  emscripten::function("savePromptCache", &save_prompt_cache);
  emscripten::function("createSavedPromptCache", &create_saved_prompt_cache);
  emscripten::function("restorePromptCache", &restore_prompt_cache);
  emscripten::function("stepPass", &step_pass);
  emscripten::function("beginLogits", &begin_logits);
  emscripten::function("beginDecide", &begin_decide);
  emscripten::function("beginPerplexity", &begin_perplexity);
  emscripten::function("perplexityReport", &perplexity_report);
  emscripten::function("devicePlan", &device_plan);
  emscripten::function("beginDeviceCheck", &begin_device_check);
  emscripten::function("stepDeviceCheck", &step_device_check);
  emscripten::function("setDevice", &set_device);
  emscripten::function("deviceRows", &device_rows);
  emscripten::function("answerDeviceRows", &answer_device_rows);
}

}  // namespace ambry::wasm
