// A tokenizer by itself, of any kind, from a model file, a tokenizer.json, a tokenizer.model or a
// vocab.txt.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/model/loader.h"
#include "api/model/opened_model.h"
#include "io/source.h"

namespace ambry::api {

class TokenizerModel final : public OpenedModel {
 public:
  static constexpr std::string_view kKind = "tokenizer";

  // See LoadModel. `options` is JSON {lowercase: true | false}, optional.
  [[nodiscard]] static Result<std::unique_ptr<Loader>> load(const io::Source& source,
                                                            std::string_view options);
  // Recognizes the kind of file by its content. NeedBytes while bytes are missing. Unsupported,
  // with the name, for an unknown kind or step. `lowercase` says whether a vocab.txt is of an
  // uncased model; BadValue for any other file, which states it.
  [[nodiscard]] static Result<TokenizerModel> open(const io::Source& source,
                                                   std::optional<bool> lowercase = std::nullopt);

  // JSON of tokenizer_info(), with a list of `warnings` where something was assumed.
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
