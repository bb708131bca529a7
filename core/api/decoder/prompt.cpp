#include "api/decoder/prompt.h"

#include "api/call/options.h"
#include "api/tokenizer/token_lists.h"

namespace ambry::api {

using io::Json;

Result<const text::Tokenizer*> need_tokenizer(const generate::Generator& runtime) {
  if (runtime.tokenizer) return runtime.tokenizer.get();
  return make_error(ErrorCode::Unsupported, "tokenizer",
                    "the file has no supported tokenizer; give the prompt as ids");
}

Result<std::vector<uint32_t>> prompt_ids(const generate::Generator& runtime, std::string_view text,
                                         const Json& options) {
  const Json* given = options.find("ids");
  if (given != nullptr && !given->is_null()) {
    AMBRY_TRY(std::vector<uint32_t> ids, read_ids(*given, runtime.decoder.n_vocab(), "prompt"));
    if (ids.empty()) return make_error(ErrorCode::BadValue, "prompt", "the prompt has no tokens");
    return ids;
  }
  AMBRY_TRY(const bool special, read_bool(options, "special", true));
  AMBRY_TRY(const text::Tokenizer* tokenizer, need_tokenizer(runtime));
  std::vector<uint32_t> ids =
      tokenizer->encode(text, {.add_special = special, .max_length = std::nullopt}).ids;
  if (ids.empty() && special && tokenizer->bos()) ids.push_back(*tokenizer->bos());
  if (ids.empty()) return make_error(ErrorCode::BadValue, "prompt", "the prompt has no tokens");
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < runtime.decoder.n_vocab()) continue;
    return make_error(ErrorCode::BadValue, {"prompt[", i, "]"},
                      {"the tokenizer gives the id ", ids[i], ", but the model's ids are below ",
                       runtime.decoder.n_vocab()});
  }
  return ids;
}

Result<void> check_fits(const generate::Generator& runtime, const std::vector<uint32_t>& ids) {
  const uint64_t context = runtime.decoder.context();
  if (ids.size() <= context) return {};
  return make_error(
      ErrorCode::LimitExceeded, "prompt",
      {"the prompt has ", uint64_t{ids.size()}, " tokens, more than the context of ", context});
}

}  // namespace ambry::api
