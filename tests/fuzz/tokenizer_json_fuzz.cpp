// Tokenizer files of other people's directories: never a crash.
#include "base/bytes.h"
#include "formats/huggingface/tokenizer_files.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = ambry::as_text({data, size});
  static_cast<void>(ambry::formats::huggingface::parse_tokenizer_json(text));
  static_cast<void>(ambry::formats::huggingface::parse_vocab_txt(text));
  return 0;
}
