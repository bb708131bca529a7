// Tokenizer files of other people's directories, run on their own bytes: never a crash, and text
// that decodes to valid UTF-8.
#include <cstdlib>

#include "base/bytes.h"
#include "base/utf8.h"
#include "formats/huggingface/tokenizer/decoder_tokenizer.h"
#include "formats/huggingface/tokenizer/tokenizer_files.h"
#include "text/make_tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ambry;  // NOLINT(google-build-using-namespace)
  const std::string_view text = as_text({data, size});
  static_cast<void>(formats::huggingface::parse_tokenizer_json(text));
  static_cast<void>(formats::huggingface::parse_vocab_txt(text));
  formats::huggingface::SideFiles files;
  files.add("tokenizer.json", std::string(text));
  auto read = formats::huggingface::read_decoder_tokenizer(files, io::Json::object());
  if (!read || !*read) return 0;
  const auto tokenizer = text::make_tokenizer(std::move((*read)->tokenizer));
  if (!tokenizer) return 0;
  const text::Encoding encoding = (*tokenizer)->encode(text, {});
  for (const text::TextSpan& span : encoding.spans) {
    if (span.begin.byte > span.end.byte || span.end.byte > size) std::abort();
  }
  if (find_invalid_utf8((*tokenizer)->decode(encoding.ids, false))) std::abort();
  return 0;
}
