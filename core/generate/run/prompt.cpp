#include "generate/run/prompt.h"

#include "text/tokenizer/beginning.h"

namespace ambry::generate {
namespace {

std::vector<uint32_t> encoded(const text::Tokenizer& tokenizer, const Prompt& prompt,
                              size_t enough) {
  const std::string_view read = text::beginning_of(tokenizer, prompt.text, enough);
  std::vector<uint32_t> ids =
      tokenizer.encode(read, {.add_special = prompt.special, .max_length = std::nullopt}).ids;
  if (ids.empty() && prompt.special && tokenizer.bos()) ids.push_back(*tokenizer.bos());
  return ids;
}

}  // namespace

Result<const text::Tokenizer*> need_tokenizer(const Generator& generator) {
  if (generator.tokenizer) return generator.tokenizer.get();
  return make_error(ErrorCode::Unsupported, "tokenizer",
                    "the file has no supported tokenizer; give the prompt as ids");
}

Result<std::vector<uint32_t>> prompt_ids(const Generator& generator, const Prompt& prompt,
                                         const Text& path, size_t enough) {
  std::vector<uint32_t> ids;
  if (prompt.ids) {
    ids = *prompt.ids;
  } else {
    AMBRY_TRY(const text::Tokenizer* tokenizer, need_tokenizer(generator));
    ids = encoded(*tokenizer, prompt, enough);
  }
  if (ids.empty()) return make_error(ErrorCode::BadValue, path, "the prompt has no tokens");
  const uint32_t n_vocab = generator.decoder.n_vocab();
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < n_vocab) continue;
    return make_error(ErrorCode::BadValue, {path.str(), "[", i, "]"},
                      {prompt.ids ? "the prompt has" : "the tokenizer gives", " the id ", ids[i],
                       ", but the model's ids are below ", n_vocab});
  }
  return ids;
}

}  // namespace ambry::generate
