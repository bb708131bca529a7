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

#include "generate/run/generator.h"
#include "infer/decoder/synthetic_decoder.h"
#include "text/make_tokenizer.h"

namespace ambry::generate::testing {

inline std::unique_ptr<text::Tokenizer> tokenizer_of_37(
    std::vector<model::AddedToken> added_tokens = {}) {
  model::TokenizerData data;
  data.added_tokens = std::move(added_tokens);
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

struct SyntheticGenerator {
  infer::testing::SyntheticDecoder made;
  std::shared_ptr<Generator> generator;

  explicit SyntheticGenerator(const std::string& fixture, infer::DecoderOptions options = {},
                              bool is_streamed = false, const std::string& dtype = "f32")
      : made(infer::testing::SyntheticDecoder::read(fixture, dtype)) {
    if (is_streamed) options.resident = made.build(options).weight_bytes() / 3;
    generator = make(options);
  }

  // Makes the embedding of a learned position infinite.
  void break_position(size_t position) {
    const size_t tensor = made.find("wpe.weight");
    const size_t width = made.config().n_embd;
    auto* const values = reinterpret_cast<float*>(made.bytes[tensor].data());
    std::fill_n(values + position * width, width, std::numeric_limits<float>::infinity());
    generator = make({});
  }

  // Gives the decoder a part of its weights that a pass asks for.
  void load_part(size_t part) const {
    infer::Decoder& decoder = generator->decoder;
    decoder.make_room(part);
    for (const size_t tensor : decoder.missing_tensors(part)) {
      EXPECT_TRUE(decoder.put_tensor(tensor, infer::testing::copy_of(made.bytes[tensor])));
    }
  }

 private:
  [[nodiscard]] std::shared_ptr<Generator> make(const infer::DecoderOptions& options) const {
    return std::make_shared<Generator>(
        Generator{made.model, tokenizer_of_37(), made.build(options)});
  }
};

}  // namespace ambry::generate::testing
