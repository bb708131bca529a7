// Text of ids as they are generated. What it returns adds up to Tokenizer::decode() of all ids.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "text/tokenizer/tokenizer.h"

namespace ambry::text {

class StreamDetokenizer {
 public:
  // `tokenizer` must outlive it.
  explicit StreamDetokenizer(const Tokenizer& tokenizer, bool skip_special = true)
      : decoder_(tokenizer.decoder(skip_special)) {}

  // The text that is certain by now: characters that are not complete are held back.
  [[nodiscard]] std::string push(uint32_t id) {
    std::string text;
    decoder_->push(id, text);
    return text;
  }

  // What was held back. The next id starts a new text.
  [[nodiscard]] std::string finish() {
    std::string text;
    decoder_->finish(text);
    return text;
  }

 private:
  std::unique_ptr<TokenDecoder> decoder_;
};

}  // namespace ambry::text
