#include "text/tokenizer_json/stepped_tokenizer.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "text/tokenizer_json/decode_steps.h"

namespace ambry::text {
namespace {

// Later tokens can change the text of earlier ones, so the text comes at the end.
class SteppedDecoder final : public TokenDecoder {
 public:
  SteppedDecoder(const Tokenizer& tokenizer, const DecodeSteps& steps, bool skip_special)
      : tokenizer_(tokenizer), steps_(steps), skip_special_(skip_special) {}

  void push(uint32_t id, std::string& /*out*/) override {
    const std::string_view token = tokenizer_.token(id);
    if (token.empty() || (skip_special_ && tokenizer_.is_special(id))) return;
    texts_.emplace_back(token);
  }
  void finish(std::string& out) override {
    for (const auto& step : steps_) step->run(texts_);
    out += joined(texts_);
    texts_.clear();
  }

 private:
  const Tokenizer& tokenizer_;
  const DecodeSteps& steps_;
  bool skip_special_;
  TokenTexts texts_;
};

class SteppedTokenizer final : public Tokenizer {
 public:
  SteppedTokenizer(std::unique_ptr<Tokenizer> tokenizer, Result<DecodeSteps> steps)
      : tokenizer_(std::move(tokenizer)) {
    if (steps) {
      steps_ = std::move(*steps);
    } else {
      refusal_ = std::move(*steps.take_error());
    }
  }

  Encoding encode(std::string_view text, const EncodeOptions& options) const override {
    return tokenizer_->encode(text, options);
  }
  Result<Encoding> encode_pair(std::string_view first, std::string_view second,
                               const EncodeOptions& options) const override {
    return tokenizer_->encode_pair(first, second, options);
  }
  Result<void> can_decode() const override {
    if (refusal_) return Failure(Error(*refusal_));
    return {};
  }
  std::unique_ptr<TokenDecoder> decoder(bool skip_special) const override {
    return std::make_unique<SteppedDecoder>(*tokenizer_, steps_, skip_special);
  }
  size_t size() const override { return tokenizer_->size(); }
  std::string_view token(uint32_t id) const override { return tokenizer_->token(id); }
  std::optional<uint32_t> id(std::string_view token) const override {
    return tokenizer_->id(token);
  }
  bool is_special(uint32_t id) const override { return tokenizer_->is_special(id); }
  std::optional<std::string> text_bytes(uint32_t id) const override {
    return tokenizer_->text_bytes(id);
  }
  std::optional<uint32_t> bos() const override { return tokenizer_->bos(); }
  std::span<const uint32_t> end_ids() const override { return tokenizer_->end_ids(); }

 private:
  std::unique_ptr<Tokenizer> tokenizer_;
  DecodeSteps steps_;
  std::optional<Error> refusal_;
};

}  // namespace

std::unique_ptr<Tokenizer> with_decoder(std::unique_ptr<Tokenizer> tokenizer,
                                        std::string_view component) {
  return std::make_unique<SteppedTokenizer>(std::move(tokenizer), read_decode_steps(component));
}

}  // namespace ambry::text
