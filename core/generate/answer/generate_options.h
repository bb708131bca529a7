// The options of a generation.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "generate/run/generator.h"
#include "infer/decoder/sampling/sampler_options.h"
#include "text/grammar/form/grammar.h"

namespace ambry::generate {

// The form that an answer keeps to.
struct AnswerForm {
  text::Grammar grammar;
  std::string path = "options.format";  // of errors about the grammar
};

struct GenerateOptions {
  uint64_t max_tokens = 256;
  infer::SamplerOptions sampler = infer::usual_sampling();
  bool ignore_eos = false;  // bans the tokens that end a text
  // Texts over which no repeat reaches that DRY penalizes. Without it, usual ones if the model has
  // a tokenizer.
  std::optional<std::vector<std::string>> dry_breakers;
  std::shared_ptr<const AnswerForm> form;  // nullptr: any text
  std::vector<std::string> stops;
  std::vector<uint32_t> stop_ids;
  std::vector<uint32_t> shown_ids;  // special tokens that are part of the text
  bool with_probabilities = false;
  uint64_t n_likely = 0;  // how many of the likeliest tokens to report with each
  // The first tokens of this answer, as an earlier run with the same prompt and options chose them.
  // They are chosen again, many in a pass, and must be the same.
  std::vector<uint32_t> resume_ids;
  uint64_t prompt_lookup_num_tokens = 0;
  uint64_t max_matching_ngram_size = 3;
  uint64_t n = 1;           // answers to each prompt
  uint64_t batch_size = 8;  // answers that are computed together
};

// The options of the sampler, with what they need of the model: bans of the tokens that end a text,
// and the tokens of DRY's breakers. Unsupported for breakers without a tokenizer.
[[nodiscard]] Result<infer::SamplerOptions> sampling_of(const GenerateOptions& options,
                                                        const Generator& generator);

// BadValue for an option out of range, with the path `options.<name>` of the public names.
[[nodiscard]] Result<void> check(const GenerateOptions& options);

}  // namespace ambry::generate
