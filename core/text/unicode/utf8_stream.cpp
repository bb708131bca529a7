#include "text/unicode/utf8_stream.h"

#include "base/utf8.h"

namespace ambry::text {

void Utf8Stream::push(std::string_view bytes, std::string& out) {
  pending_ += bytes;
  size_t at = 0;
  while (at < pending_.size()) {
    const DecodedCodePoint c = decode_utf8(pending_, at);
    if (!c.valid && at + c.n_bytes == pending_.size()) break;
    append_utf8(out, c.code_point);
    at += c.valid || ill_formed_ == IllFormed::Subpart ? c.n_bytes : 1;
  }
  pending_.erase(0, at);
}

void Utf8Stream::finish(std::string& out) {
  while (!pending_.empty()) {
    const DecodedCodePoint c = decode_utf8(pending_, 0);
    append_utf8(out, c.code_point);
    pending_.erase(0, c.valid || ill_formed_ == IllFormed::Subpart ? c.n_bytes : 1);
  }
}

}  // namespace ambry::text
