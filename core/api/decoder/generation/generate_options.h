// The options of a generation, but for those of the sampler and the form of the answer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "generate/run/generator.h"
#include "infer/decoder/sampling/sampler_options.h"
#include "infer/decoder/speculation/prompt_lookup.h"
#include "io/json/json.h"

namespace ambry::api {

struct GenerateOptions {
  uint64_t max_tokens = 256;
  infer::SamplerOptions sampler;
  std::vector<std::string> stops;
  std::vector<uint32_t> stop_ids;
  bool with_probabilities = false;
  size_t n_likely = 0;  // how many of the likeliest tokens to report with each
  infer::PromptLookupOptions lookup;
  size_t n = 1;           // answers to each prompt
  size_t batch_size = 8;  // answers that are computed together

  // BadValue with the path `options.…`.
  [[nodiscard]] static Result<GenerateOptions> read(const io::Json& json,
                                                    const generate::Generator& runtime);
};

}  // namespace ambry::api
