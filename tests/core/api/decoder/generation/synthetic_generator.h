// Generators of synthetic_decoder.h's models, with a tokenizer of 37 tokens: a … z, a space, 0 … 4,
// ab, cd, a quotation mark, <s> and </s>.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/decoder/generate_job.h"
#include "api/decoder/open_generator.h"
#include "infer/decoder/synthetic_decoder.h"
#include "text/make_tokenizer.h"

namespace ambry::api::testing {

inline std::unique_ptr<text::Tokenizer> tokenizer_of_37() {
  model::TokenizerData data;
  data.kind = model::TokenizerKind::Bpe;
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    data.vocabulary.push_back(std::string(1, letter));
  }
  for (const char* token : {"\xC4\xA0", "0", "1", "2", "3", "4", "ab", "cd", "\"", "<s>", "</s>"}) {
    data.vocabulary.push_back(token);
  }
  for (const char* part : {"a", "b", "c", "d"}) data.merges.push_back(part);
  data.bos_id = 35;
  data.eos_id = 36;
  auto made = text::make_tokenizer(std::move(data));
  EXPECT_TRUE(made) << describe(made.error());
  return std::move(made).value();
}

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

struct SyntheticGenerator {
  infer::testing::SyntheticDecoder made;
  std::shared_ptr<generate::Generator> runtime;

  explicit SyntheticGenerator(const std::string& fixture, infer::DecoderOptions options = {},
                              bool is_streamed = false, const std::string& dtype = "f32")
      : made(infer::testing::SyntheticDecoder::read(fixture, dtype)) {
    if (is_streamed) options.resident = made.build(options).weight_bytes() / 3;
    runtime = std::make_shared<generate::Generator>(
        generate::Generator{made.model, tokenizer_of_37(), made.build(options), {}});
  }

  // Makes the embedding of a learned position infinite.
  void break_position(size_t position) {
    const size_t tensor = made.find("wpe.weight");
    const size_t width = made.config().n_embd;
    auto* const values = reinterpret_cast<float*>(made.bytes[tensor].data());
    std::fill_n(values + position * width, width, std::numeric_limits<float>::infinity());
    runtime = std::make_shared<generate::Generator>(
        generate::Generator{made.model, tokenizer_of_37(), made.build(), {}});
  }

  // Runs the job to its end and checks what its reports say on the way.
  [[nodiscard]] Result<SeenJob> run(std::string_view options) const {
    AMBRY_TRY(GenerateJob job, GenerateJob::begin(runtime, "", options));
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
      if (const io::Json& part = *report.find("part"); !part.is_null()) load_part(part.uint());
    }
    const io::Json results = *io::parse_json(job.result());
    for (size_t i = 0; i < results.items().size(); ++i) {
      io::Json result = results.items()[i];
      result.set("reused", io::Json());
      seen.answers.push_back({result.dump(), tokens[i], {}});
    }
    if (const infer::DecoderState* state = job.state(); state != nullptr) {
      seen.answers[0].state_ids.assign(state->ids().begin(), state->ids().end());
    }
    return seen;
  }

 private:
  void load_part(uint64_t part) const {
    infer::Decoder& decoder = runtime->decoder;
    decoder.make_room(static_cast<size_t>(part));
    for (const size_t tensor : decoder.missing_tensors(static_cast<size_t>(part))) {
      EXPECT_TRUE(decoder.put_tensor(tensor, infer::testing::copy_of(made.bytes[tensor])));
    }
  }
};

}  // namespace ambry::api::testing
