// Text from tokens in GPT-2's alphabet of bytes. Tokens with characters outside of it, which added
// ones may have, stand for themselves.
#pragma once

#include <cstdint>
#include <string>

#include "text/tokenizer/tokenizer.h"
#include "text/unicode/utf8_stream.h"

namespace ambry::text {

class ByteLevelDecoder final : public TokenDecoder {
 public:
  ByteLevelDecoder(const Tokenizer& tokenizer, bool skip_special)
      : tokenizer_(tokenizer), skip_special_(skip_special) {}

  void push(uint32_t id, std::string& out) override;
  void finish(std::string& out) override { stream_.finish(out); }

 private:
  const Tokenizer& tokenizer_;
  bool skip_special_;
  Utf8Stream stream_{Utf8Stream::IllFormed::Subpart};
  std::string bytes_;
};

}  // namespace ambry::text
