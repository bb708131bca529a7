#include "text/tokenizer/special_tokens.h"

#include <utility>

#include "model/tokenizer/end_tokens.h"

namespace ambry::text {
namespace {

Result<void> add_end(bool wanted, std::optional<uint32_t> id, const char* name,
                     std::vector<uint32_t>& ids) {
  if (!wanted) return {};
  if (!id) {
    return make_error(ErrorCode::NotFound, {"tokenizer.", name, "_id"},
                      {"add_", name, " is set, but the tokenizer has no id for this token"});
  }
  ids.push_back(*id);
  return {};
}

}  // namespace

Result<SpecialTokens> SpecialTokens::of(const model::TokenizerData& data) {
  SpecialTokens special_tokens;
  special_tokens.bos = data.bos_id;
  special_tokens.ends = model::end_ids(data);
  if (data.post_processor) {
    special_tokens.post = *data.post_processor;
    return special_tokens;
  }
  std::vector<uint32_t> before;
  std::vector<uint32_t> after;
  const bool by_default = data.kind == model::TokenizerKind::SentencePieceBpe && data.bos_id;
  AMBRY_RETURN_IF_ERROR(add_end(data.add_bos.value_or(by_default), data.bos_id, "bos", before));
  AMBRY_RETURN_IF_ERROR(add_end(data.add_eos.value_or(false), data.eos_id, "eos", after));
  special_tokens.post = model::surround(std::move(before), std::move(after));
  return special_tokens;
}

Encoding SpecialTokens::add_to(const Encoding& content, const EncodeOptions& options) const {
  const TextLengths kept = kept_lengths({content.ids.size(), 0}, post.single, options);
  return fill_template(post.single, content, {}, kept, options.add_special);
}

Result<Encoding> SpecialTokens::add_to_pair(const Encoding& first, const Encoding& second,
                                            const TextLengths& read,
                                            const EncodeOptions& options) const {
  if (post.pair.empty()) {
    return make_error(ErrorCode::Unsupported, "pair",
                      "this tokenizer does not say how a pair of texts is encoded");
  }
  const TextLengths kept = kept_lengths(read, post.pair, options);
  return fill_template(post.pair, first, second, kept, options.add_special);
}

}  // namespace ambry::text
