#include "model/tokenizer/letter_case.h"

namespace ambry::model {

Result<void> set_lowercase(std::optional<bool> lowercase, std::string_view path,
                           TokenizerData& tokenizer) {
  if (!lowercase) return {};
  if (!tokenizer.lowercase_assumed) {
    return make_error(
        ErrorCode::BadValue, path,
        "only a vocab.txt needs this option (--uncased or --cased); the files of this "
        "tokenizer say what is done with texts, so leave it out");
  }
  tokenizer.lowercase = *lowercase;
  tokenizer.lowercase_assumed = false;
  return {};
}

Failure assumed_uncased(std::string_view file) {
  return make_error(ErrorCode::NotFound, file,
                    "does not say whether its model is uncased; assuming so: texts are lower-cased "
                    "and lose their accents. The option lowercase (--uncased or --cased) says it, "
                    "and so does do_lower_case in a folder's tokenizer_config.json");
}

}  // namespace ambry::model
