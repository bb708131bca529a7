// Runs jobs of synthetic generators, with all that a caller sees of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "api/decoder/generate_job.h"
#include "api/decoder/open_generator.h"
#include "generate/synthetic_generator.h"

namespace ambry::api::testing {

using generate::testing::SyntheticGenerator;

// One answer with all that a caller sees of it.
struct SeenAnswer {
  std::string result;               // JSON, without `reused`
  std::string tokens;               // JSON of each, with probabilities
  std::vector<uint32_t> state_ids;  // the tokens that stay for the next turn; of a single answer

  friend bool operator==(const SeenAnswer&, const SeenAnswer&) = default;
};

struct SeenJob {
  std::vector<SeenAnswer> answers;
  size_t n_passes_with_several = 0;  // passes that made more tokens than there were answers
};

// Runs the job to its end and checks what its reports say on the way.
inline Result<SeenJob> run(const SyntheticGenerator& made, std::string_view options) {
  AMBRY_TRY(GenerateJob job, GenerateJob::begin(made.generator, "", options));
  SeenJob seen;
  std::vector<std::string> tokens;
  std::vector<size_t> n_tokens;
  uint64_t made_before = 0;
  for (bool is_done = false; !is_done;) {
    AMBRY_TRY(const std::string text, job.step());
    const io::Json report = *io::parse_json(text);
    is_done = report.find("done")->boolean();
    EXPECT_LE(report.find("loaded")->uint(), report.find("total")->uint());
    const size_t begun = static_cast<size_t>(report.find("begun")->uint());
    tokens.resize(std::max(tokens.size(), begun));
    n_tokens.resize(tokens.size());
    for (io::Json token : report.find("tokens")->items()) {
      const io::Json* sequence = token.find("sequence");
      const size_t i = sequence == nullptr ? 0 : static_cast<size_t>(sequence->uint());
      EXPECT_EQ(token.find("index")->uint(), n_tokens[i]++);
      token.set("sequence", io::Json());
      tokens[i] += token.dump();
    }
    const uint64_t made_now = report.find("made")->uint();
    seen.n_passes_with_several += made_now > made_before + begun ? 1 : 0;
    made_before = made_now;
    if (const io::Json& part = *report.find("part"); !part.is_null()) made.load_part(part.uint());
  }
  const io::Json results = *io::parse_json(job.result());
  for (size_t i = 0; i < results.items().size(); ++i) {
    io::Json result = results.items()[i];
    result.set("reused", io::Json());
    seen.answers.push_back({result.dump(), tokens[i], {}});
  }
  if (const infer::DecoderState* state = job.generation().state(); state != nullptr) {
    seen.answers[0].state_ids.assign(state->ids().begin(), state->ids().end());
  }
  return seen;
}

}  // namespace ambry::api::testing
