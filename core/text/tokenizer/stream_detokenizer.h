// Makes text from ids while they are generated. All results together equal Tokenizer::decode() of
// all ids.
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

  // Returns the text that is certain now. Incomplete characters wait for the next ids.
  [[nodiscard]] std::string push(uint32_t id) {
    std::string text;
    decoder_->push(id, text);
    return text;
  }

  // Returns the rest. The next id starts a new text.
  [[nodiscard]] std::string finish() {
    std::string text;
    decoder_->finish(text);
    return text;
  }

 private:
  std::unique_ptr<TokenDecoder> decoder_;
};

}  // namespace ambry::text
