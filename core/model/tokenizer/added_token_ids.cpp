#include "model/tokenizer/added_token_ids.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "model/vocabulary/vocabulary_index.h"

namespace ambry::model {
namespace {

// Most added tokens are where their id says. The others need an index.
class Ids {
 public:
  Ids(const Vocabulary& vocabulary, const std::vector<uint32_t>& ids)
      : vocabulary_(vocabulary), ids_(ids) {}

  std::optional<uint32_t> find(const AddedToken& token) {
    if (ids_.empty() && token.id < vocabulary_.size() && vocabulary_[token.id] == token.content)
      return token.id;
    if (!index_) index_.emplace(vocabulary_);
    const auto found = index_->find(vocabulary_, token.content);
    return found && !ids_.empty() ? ids_[*found] : found;
  }

 private:
  const Vocabulary& vocabulary_;
  const std::vector<uint32_t>& ids_;
  std::optional<VocabularyIndex> index_;
};

}  // namespace

Result<void> resolve_added_ids(const Vocabulary& vocabulary, const std::vector<uint32_t>& ids,
                               const io::Json& list, std::string_view path,
                               std::vector<AddedToken>& tokens) {
  Ids known(vocabulary, ids);
  auto next = static_cast<uint32_t>(vocabulary.size());
  for (size_t i = 0; i < tokens.size(); ++i) {
    AddedToken& token = tokens[i];
    if (token.content.empty()) continue;
    const auto id = known.find(token);
    if (!id && token.id != next) {
      return error_at(ErrorCode::BadValue, list.items()[i].byte_offset(),
                      concat({path, "[", i, "].id"}),
                      {"the vocabulary does not have this token, so it gets the next id, ", next,
                       ", but the file states ", token.id});
    }
    if (id) token.id = *id;
    next = std::max(next, token.id + 1);
  }
  return {};
}

}  // namespace ambry::model
