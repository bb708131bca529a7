#include "text/bpe/byte_level_decoder.h"

#include "text/bpe/byte_alphabet.h"

namespace ambry::text {

void ByteLevelDecoder::push(uint32_t id, std::string& out) {
  if (skip_special_ && tokenizer_.is_special(id)) return;
  bytes_.clear();
  ByteAlphabet::instance().append_bytes(tokenizer_.token(id), bytes_);
  stream_.push(bytes_, out);
}

}  // namespace ambry::text
