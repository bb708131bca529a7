#include "text/tokenizer/special_tokens.h"

#include <algorithm>

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
  special_tokens.ends = data.eos_ids;
  if (special_tokens.ends.empty() && data.eos_id) special_tokens.ends.push_back(*data.eos_id);
  const bool by_default = data.kind == model::TokenizerKind::SentencePieceBpe && data.bos_id;
  AMBRY_CHECK(
      add_end(data.add_bos.value_or(by_default), data.bos_id, "bos", special_tokens.before));
  AMBRY_CHECK(add_end(data.add_eos.value_or(false), data.eos_id, "eos", special_tokens.after));
  return special_tokens;
}

Encoding SpecialTokens::add_to(Encoding content, const EncodeOptions& options) const {
  const size_t n_special = options.add_special ? before.size() + after.size() : 0;
  content.full_length = content.ids.size() + n_special;
  if (options.max_length) {
    const size_t room = *options.max_length > n_special ? *options.max_length - n_special : 0;
    content.resize(std::min(content.ids.size(), room));
  }
  if (n_special == 0) return content;
  Encoding out;
  out.full_length = content.full_length;
  for (const uint32_t id : before) out.push(id, 0, {});
  out.ids.insert(out.ids.end(), content.ids.begin(), content.ids.end());
  out.type_ids.insert(out.type_ids.end(), content.type_ids.begin(), content.type_ids.end());
  out.spans.insert(out.spans.end(), content.spans.begin(), content.spans.end());
  for (const uint32_t id : after) out.push(id, 0, {});
  return out;
}

}  // namespace ambry::text
