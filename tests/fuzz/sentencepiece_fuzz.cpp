// SentencePiece: any model file and any text. Ids are those of tokens, spans lie in the text, and
// decoding is valid UTF-8, the same at once and one id after another.
#include <algorithm>
#include <cstdlib>

#include "base/bytes.h"
#include "base/utf8.h"
#include "model/tokenizer/files/sentencepiece_model.h"
#include "text/sentencepiece/sentencepiece.h"
#include "text/tokenizer/stream_detokenizer.h"

namespace {

using ambry::text::Tokenizer;

void check_decoding(const Tokenizer& tokenizer, const std::vector<uint32_t>& ids) {
  for (const bool skip_special : {false, true}) {
    ambry::text::StreamDetokenizer stream(tokenizer, skip_special);
    std::string added;
    for (const uint32_t id : ids) added += stream.push(id);
    added += stream.finish();
    if (added != tokenizer.decode(ids, skip_special)) std::abort();
    if (ambry::find_invalid_utf8(added)) std::abort();
  }
}

void check_text(const Tokenizer& tokenizer, std::string_view text) {
  const ambry::text::Encoding encoding = tokenizer.encode(text, {});
  for (size_t i = 0; i < encoding.ids.size(); ++i) {
    if (encoding.ids[i] >= tokenizer.size()) std::abort();
    const ambry::text::TextSpan& span = encoding.spans[i];
    if (span.begin.byte > span.end.byte || span.end.byte > text.size()) std::abort();
  }
  check_decoding(tokenizer, encoding.ids);
}

}  // namespace

// A byte of settings, the size of the model file in two bytes, the file, the text.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3) return 0;
  const uint8_t settings = data[0];
  const ambry::Bytes rest = ambry::Bytes(data, size).subspan(3);
  const size_t n_model = std::min<size_t>(ambry::load_le<uint16_t>(data + 1), rest.size());
  auto read = ambry::model::sentencepiece_tokenizer(rest.first(n_model), 0, "model");
  if (!read) return 0;
  ambry::model::TokenizerData made = std::move(read).value();
  if ((settings & 1) != 0) made.legacy = (settings & 2) != 0;
  if ((settings & 4) != 0) made.scores.clear();
  if ((settings & 8) != 0) made.payload.clear();
  if ((settings & 16) != 0) {
    made.added_tokens.push_back({.id = settings, .content = std::string(made.vocabulary[0])});
  }
  const auto tokenizer = ambry::text::SentencePiece::create(std::move(made));
  if (!tokenizer) return 0;
  check_text(**tokenizer, ambry::as_text(rest.subspan(n_model)));
  std::vector<uint32_t> ids;
  for (const uint8_t byte : rest.subspan(n_model)) ids.push_back(byte);
  check_decoding(**tokenizer, ids);
  return 0;
}
