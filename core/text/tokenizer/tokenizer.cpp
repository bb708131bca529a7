#include "text/tokenizer/tokenizer.h"

namespace ambry::text {

TokenDecoder::~TokenDecoder() = default;
Tokenizer::~Tokenizer() = default;

Result<void> Tokenizer::can_decode() const { return {}; }

std::string Tokenizer::decode(std::span<const uint32_t> ids, bool skip_special) const {
  std::string out;
  const std::unique_ptr<TokenDecoder> running = decoder(skip_special);
  for (const uint32_t id : ids) running->push(id, out);
  running->finish(out);
  return out;
}

}  // namespace ambry::text
