// WordPiece behind the common Tokenizer interface.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "text/tokenizer/tokenizer.h"
#include "text/wordpiece/wordpiece.h"

namespace ambry::text {

class WordPieceTokenizer final : public Tokenizer {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Tokenizer>> create(model::TokenizerData data);

  [[nodiscard]] Encoding encode(std::string_view text, const EncodeOptions& options) const override;
  [[nodiscard]] Result<Encoding> encode_pair(std::string_view first, std::string_view second,
                                             const EncodeOptions& options) const override;
  [[nodiscard]] std::unique_ptr<TokenDecoder> decoder(bool skip_special) const override;
  [[nodiscard]] size_t size() const override { return tokenizer_.size(); }
  [[nodiscard]] std::string_view token(uint32_t id) const override { return tokenizer_.token(id); }
  [[nodiscard]] std::optional<uint32_t> id(std::string_view token) const override {
    return tokenizer_.id(token);
  }
  [[nodiscard]] bool is_special(uint32_t id) const override { return tokenizer_.is_special(id); }
  [[nodiscard]] std::optional<std::string> text_bytes(uint32_t /*id*/) const override {
    return std::nullopt;
  }
  [[nodiscard]] std::optional<uint32_t> bos() const override { return tokenizer_.special().cls; }
  [[nodiscard]] std::span<const uint32_t> end_ids() const override {
    return {&tokenizer_.special().sep, 1};
  }

 private:
  explicit WordPieceTokenizer(WordPiece tokenizer) : tokenizer_(std::move(tokenizer)) {}

  WordPiece tokenizer_;
};

}  // namespace ambry::text
