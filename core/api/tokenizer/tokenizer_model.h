// A tokenizer by itself, of any kind.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "api/model/loader.h"
#include "api/model/opened_model.h"
#include "api/tokenizer/tokenizer_parse.h"
#include "io/source.h"

namespace ambry::api {

class TokenizerModel final : public OpenedModel {
 public:
  static constexpr std::string_view kKind = "tokenizer";

  // See LoadModel. `options` is JSON of TokenizerSettings, all optional.
  [[nodiscard]] static Result<std::unique_ptr<Loader>> load(const io::Source& source,
                                                            std::string_view options);
  // The errors of parse_any_tokenizer(), and Unsupported for a step that is not known.
  [[nodiscard]] static Result<TokenizerModel> open(const io::Source& source,
                                                   const TokenizerSettings& settings = {});

  // JSON of tokenizer_info(), with `warnings` where something was assumed, the name of the
  // `encoding` of a tiktoken file, `chatTemplate` and `named` (put_templates()), and the texts of
  // special tokens by role as `specialTokens`.
  [[nodiscard]] std::string info() const override { return info_; }
  [[nodiscard]] uint64_t weight_bytes() const override { return 0; }
  [[nodiscard]] Result<const text::Tokenizer*> tokenizer() const override {
    return tokenizer_.get();
  }

 private:
  TokenizerModel(std::string info, std::unique_ptr<text::Tokenizer> tokenizer)
      : OpenedModel(kKind), info_(std::move(info)), tokenizer_(std::move(tokenizer)) {}

  std::string info_;
  std::unique_ptr<text::Tokenizer> tokenizer_;
};

}  // namespace ambry::api
