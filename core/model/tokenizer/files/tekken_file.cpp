#include "model/tokenizer/files/tekken_file.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "model/metadata/metadata_value.h"
#include "model/tokenizer/files/ranked_vocabulary.h"

namespace ambry::model {
namespace {

using io::Json;

// Older files do not list their special tokens. The facts are those of mistral-common
// (tokens/tokenizers/tekken.py).
constexpr auto kOldVersions = std::to_array<std::string_view>({"v1", "v2", "v3", "v7"});
constexpr auto kOldSpecial = std::to_array<std::string_view>({"<unk>",
                                                              "<s>",
                                                              "</s>",
                                                              "[INST]",
                                                              "[/INST]",
                                                              "[AVAILABLE_TOOLS]",
                                                              "[/AVAILABLE_TOOLS]",
                                                              "[TOOL_RESULTS]",
                                                              "[/TOOL_RESULTS]",
                                                              "[TOOL_CALLS]",
                                                              "[IMG]",
                                                              "<pad>",
                                                              "[IMG_BREAK]",
                                                              "[IMG_END]",
                                                              "[PREFIX]",
                                                              "[MIDDLE]",
                                                              "[SUFFIX]",
                                                              "[SYSTEM_PROMPT]",
                                                              "[/SYSTEM_PROMPT]",
                                                              "[TOOL_CONTENT]"});

struct Sizes {
  uint32_t n_special = 0;
  uint32_t n_ranked = 0;  // how many tokens of the list are used
};

Failure bad_value(const Json& at, const Text& path, const Text& message) {
  return error_at(ErrorCode::BadValue, at.byte_offset(), path, message);
}

Result<uint32_t> read_size(const Json& config, std::string_view key) {
  const Json* value = config.find(key);
  if (value != nullptr && value->is_uint() && value->uint() <= kMaxRankedTokens) {
    return static_cast<uint32_t>(value->uint());
  }
  return bad_value(value != nullptr ? *value : config, {"tekken.json.config.", key},
                   {"must be an integer from 0 to ", kMaxRankedTokens});
}

Result<Sizes> read_sizes(const Json& config, size_t n_listed) {
  AMBRY_TRY(const uint32_t size, read_size(config, "default_vocab_size"));
  AMBRY_TRY(const uint32_t n_special, read_size(config, "default_num_special_tokens"));
  if (n_special <= size && size - n_special <= n_listed) return Sizes{n_special, size - n_special};
  return bad_value(config, "tekken.json.config.default_vocab_size",
                   {"the vocabulary of ", size, " tokens does not fit ", n_special,
                    " special tokens and a list of ", n_listed});
}

// Appends a special token, which has the next id.
void add_special(std::string_view content, std::vector<AddedToken>& tokens) {
  const auto id = static_cast<uint32_t>(tokens.size());
  AddedToken& token = tokens.emplace_back();
  token.id = id;
  token.content = content;
}

Result<void> read_listed(const Json& list, std::vector<AddedToken>& tokens) {
  constexpr std::string_view kPath = "tekken.json.special_tokens";
  if (!list.is_array()) return bad_value(list, kPath, "must be a list");
  for (size_t i = 0; i < list.items().size(); ++i) {
    const Json& item = list.items()[i];
    const Json* rank = item.find("rank");
    const auto content = metadata_text(item, "token_str");
    if (rank == nullptr || !rank->is_uint() || rank->uint() != i || !content || content->empty()) {
      return bad_value(item, {kPath, "[", i, "]"},
                       {"must have the rank ", i, " and a token_str that is not empty"});
    }
    add_special(*content, tokens);
  }
  return {};
}

Result<std::vector<AddedToken>> read_special(const Json& root, const Json& config,
                                             uint32_t n_special) {
  std::vector<AddedToken> tokens;
  const Json* list = root.find("special_tokens");
  if (list != nullptr && !list->is_null()) {
    AMBRY_RETURN_IF_ERROR(read_listed(*list, tokens));
  } else if (std::ranges::count(kOldVersions, metadata_text(config, "version").value_or("")) > 0) {
    for (const std::string_view content : kOldSpecial) add_special(content, tokens);
  } else {
    return bad_value(root, "tekken.json.special_tokens",
                     "the list is missing; only files of the versions v1 to v7 go without it");
  }
  if (tokens.size() > n_special) {
    return bad_value(config, "tekken.json.config.default_num_special_tokens",
                     {"is ", n_special, ", but there are ", tokens.size(), " special tokens"});
  }
  while (tokens.size() < n_special) add_special(concat({"<SPECIAL_", tokens.size(), ">"}), tokens);
  return tokens;
}

Result<RankedVocabulary> read_ranked(const Json& vocab, const Sizes& sizes) {
  RankedVocabulary ranked;
  ranked.before = "tekken.json.vocab[";
  ranked.after = "]";
  for (uint32_t i = 0; i < sizes.n_ranked; ++i) {
    const Json& item = vocab.items()[i];
    const Json* rank = item.find("rank");
    const auto bytes = decode_base64(metadata_text(item, "token_bytes").value_or(""));
    ranked.places.push_back({i, static_cast<uint32_t>(item.byte_offset())});
    if (rank == nullptr || !rank->is_uint() || rank->uint() != i) {
      return ranked_error(ranked, i, {"must have the rank ", i});
    }
    if (!bytes || bytes->empty()) {
      return ranked_error(ranked, i, "must have token_bytes in Base64 that are not empty");
    }
    ranked.tokens.push_back(*bytes);
    ranked.ids.push_back(sizes.n_special + i);
  }
  return ranked;
}

void set_roles(TokenizerData& data) {
  using Id = std::optional<uint32_t> TokenizerData::*;
  constexpr auto kRoles =
      std::to_array<std::pair<std::string_view, Id>>({{"<s>", &TokenizerData::bos_id},
                                                      {"</s>", &TokenizerData::eos_id},
                                                      {"<unk>", &TokenizerData::unk_id},
                                                      {"<pad>", &TokenizerData::pad_id}});
  for (const AddedToken& token : data.added_tokens) {
    for (const auto& [content, id] : kRoles) {
      if (token.content == content) data.*id = token.id;
    }
  }
  if (data.bos_id) data.add_bos = true;
}

}  // namespace

bool is_tekken(const Json& root) {
  const Json* config = root.find("config");
  const Json* vocab = root.find("vocab");
  return config != nullptr && config->find("pattern") != nullptr && vocab != nullptr &&
         vocab->is_array();
}

Result<TokenizerData> parse_tekken(const Json& root) {
  const Json& config = *root.find("config");
  const Json& vocab = *root.find("vocab");
  const std::string_view regex = metadata_text(config, "pattern").value_or("");
  const std::string_view pretokenizer = split_name(regex);
  if (pretokenizer.empty()) {
    return error_at(ErrorCode::Unsupported, config.find("pattern")->byte_offset(),
                    "tekken.json.config.pattern",
                    "texts are split by an expression that is not known; take the tokenizer.json "
                    "of the model");
  }
  AMBRY_TRY(const Sizes sizes, read_sizes(config, vocab.items().size()));
  AMBRY_TRY(std::vector<AddedToken> special, read_special(root, config, sizes.n_special));
  AMBRY_TRY(const RankedVocabulary ranked, read_ranked(vocab, sizes));
  AMBRY_TRY(TokenizerData data, ranked_tokenizer(ranked, std::move(special)));
  data.pretokenizer = pretokenizer;
  set_roles(data);
  return data;
}

}  // namespace ambry::model
