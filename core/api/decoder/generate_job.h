// A generation whose options, steps and answers are JSON.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "generate/generation.h"
#include "generate/prompt_cache.h"
#include "generate/run/generator.h"

namespace ambry::api {

class GenerateJob {
 public:
  // `options` is JSON of read_generate_options(), and of read_prompt(), which `text` belongs to, or
  // {prompts: [{text | ids, special, seed}]}. Tokens that `kept` has are not computed again.
  [[nodiscard]] static Result<GenerateJob> begin(std::shared_ptr<generate::Generator> generator,
                                                 std::string_view text, std::string_view options,
                                                 const generate::PromptCache* kept = nullptr);

  // JSON of progress_document() with {made, begun, answering: [sequence], ended: [sequence],
  // tokens:
  // [{index, id, text, sequence?, logprob?, probability?, top?}]} of generate::GenerationStep.
  // `sequence` is the number of an answer, and is there if there are several.
  [[nodiscard]] Result<std::string> step();
  // JSON [{promptIds, reused, ids, text, stop: eos | stop | length | context | format | null,
  // complete?}] of each generate::Answer so far.
  [[nodiscard]] std::string result() const;

  [[nodiscard]] const generate::Generation& generation() const { return generation_; }

 private:
  explicit GenerateJob(generate::Generation generation) : generation_(std::move(generation)) {}

  generate::Generation generation_;
};

// JSON {tokens, bytes, note} of a cache.
[[nodiscard]] std::string prompt_cache_facts(const generate::PromptCache& cache);

}  // namespace ambry::api
