#include "infer/decoder/sampling/dry_breakers.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace ambry::infer {
namespace {

using Ids = std::vector<uint32_t>;

constexpr size_t kMostIds = 1'000'000;

// The texts of single tokens as they are within a text: at its start, some lose their space.
class TokenTexts {
 public:
  explicit TokenTexts(const text::Tokenizer& tokenizer)
      : before_(tokenizer.encode("a", {.add_special = false, .max_length = std::nullopt}).ids),
        decoder_(tokenizer.decoder(false)) {}

  std::string of(uint32_t id) {
    std::string text;
    for (const uint32_t before : before_) decoder_->push(before, text);
    text.clear();
    decoder_->push(id, text);
    decoder_->finish(text);
    return text;
  }

 private:
  Ids before_;
  std::unique_ptr<text::TokenDecoder> decoder_;
};

// A breaker and, for each length of a beginning of it, the ids of the rest.
struct Breaker {
  std::string_view text;
  std::vector<Ids> rests;
};

Breaker breaker_of(const text::Tokenizer& tokenizer, std::string_view text) {
  Breaker breaker{.text = text, .rests = {}};
  for (size_t begun = 0; begun < text.size(); ++begun) {
    const std::string_view rest = text.substr(begun);
    breaker.rests.push_back(
        tokenizer.encode(rest, {.add_special = false, .max_length = std::nullopt}).ids);
  }
  return breaker;
}

void add_sequences(uint32_t id, std::string_view text, const Breaker& breaker,
                   std::vector<Ids>& sequences) {
  if (text.find(breaker.text) != std::string_view::npos) {
    sequences.push_back({id});
    return;
  }
  for (size_t begun = 1; begun < breaker.text.size(); ++begun) {
    if (!text.ends_with(breaker.text.substr(0, begun))) continue;
    Ids& sequence = sequences.emplace_back(Ids{id});
    const Ids& rest = breaker.rests[begun];
    sequence.insert(sequence.end(), rest.begin(), rest.end());
  }
}

}  // namespace

Result<std::vector<Ids>> breaker_sequences(const text::Tokenizer& tokenizer,
                                           std::span<const std::string> texts) {
  std::vector<Breaker> breakers;
  for (const std::string& text : texts) breakers.push_back(breaker_of(tokenizer, text));
  TokenTexts token_texts(tokenizer);
  std::vector<Ids> sequences;
  size_t ids = 0;
  for (uint32_t id = 0; id < tokenizer.size(); ++id) {
    const std::string text = token_texts.of(id);
    const size_t known = sequences.size();
    for (const Breaker& breaker : breakers) add_sequences(id, text, breaker, sequences);
    for (size_t i = known; i < sequences.size(); ++i) ids += sequences[i].size();
    if (ids > kMostIds) {
      return make_error(ErrorCode::LimitExceeded, "options.drySequenceBreakers",
                        "too many tokens begin with these; give fewer or longer ones");
    }
  }
  return sequences;
}

}  // namespace ambry::infer
