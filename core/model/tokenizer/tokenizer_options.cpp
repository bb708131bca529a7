#include "model/tokenizer/tokenizer_options.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "model/metadata/metadata_value.h"
#include "model/tokenizer/chat_templates.h"
#include "model/tokenizer/end_tokens.h"
#include "model/tokenizer/post_processor_json.h"
#include "model/tokenizer/tokenizer_metadata.h"

namespace ambry::model {
namespace {

using Id = std::optional<uint32_t> TokenizerData::*;
constexpr std::array<std::pair<const char*, Id>, 4> kIds = {{{"bos_id", &TokenizerData::bos_id},
                                                             {"pad_id", &TokenizerData::pad_id},
                                                             {"unk_id", &TokenizerData::unk_id},
                                                             {"mask_id", &TokenizerData::mask_id}}};

// Reads one id or a list of ids. Returns an empty list when the key is absent.
Result<std::vector<uint32_t>> read_ids(const io::Json& options, const char* key,
                                       std::string_view path) {
  std::vector<uint32_t> ids;
  if (!has_value(options, key)) return ids;
  const io::Json& value = *options.find(key);
  const auto add = [&](const io::Json& item) -> Result<void> {
    if (!item.is_uint() || item.uint() > UINT32_MAX) {
      return metadata_error(options, key, ErrorCode::BadValue, "expected a token id", path);
    }
    ids.push_back(static_cast<uint32_t>(item.uint()));
    return {};
  };
  if (!value.is_array()) {
    AMBRY_RETURN_IF_ERROR(add(value));
    return ids;
  }
  if (value.items().size() > kMaxStatedEnds) {
    return metadata_error(options, key, ErrorCode::LimitExceeded,
                          {value.items().size(), " ids, at most ", kMaxStatedEnds}, path);
  }
  for (const io::Json& item : value.items()) AMBRY_RETURN_IF_ERROR(add(item));
  return ids;
}

Result<void> read_special_ids(const io::Json& options, std::string_view path,
                              TokenizerData& tokenizer) {
  for (const auto& [key, id] : kIds) {
    AMBRY_TRY(const auto ids, read_ids(options, key, path));
    if (!ids.empty()) tokenizer.*id = ids.front();
  }
  AMBRY_TRY(auto ends, read_ids(options, "eos_id", path));
  if (!ends.empty()) tokenizer.eos_id = ends.front();
  if (ends.size() > 1) tokenizer.eos_ids = std::move(ends);
  return {};
}

constexpr std::array<std::pair<std::string_view, TextChange>, 6> kChanges = {
    {{"nfc", TextChange::Nfc},
     {"nfd", TextChange::Nfd},
     {"nfkc", TextChange::Nfkc},
     {"nfkd", TextChange::Nfkd},
     {"lowercase", TextChange::Lowercase},
     {"collapse_spaces", TextChange::CollapseSpaces}}};

// Names joined by `+`, or `none`. Returns nothing for an unknown name.
std::optional<std::vector<TextChange>> changes_of(std::string_view names) {
  std::vector<TextChange> changes;
  if (names == "none") return changes;
  for (bool more = true; more;) {
    const std::string_view name = names.substr(0, names.find('+'));
    more = name.size() < names.size();
    names.remove_prefix(name.size() + (more ? 1 : 0));
    const auto* known =
        std::ranges::find(kChanges, name, [](const auto& row) { return row.first; });
    if (known == kChanges.end()) return std::nullopt;
    changes.push_back(known->second);
  }
  return changes;
}

std::string names_of(const std::vector<TextChange>& changes) {
  std::string names;
  for (const TextChange change : changes) {
    const auto* known =
        std::ranges::find(kChanges, change, [](const auto& row) { return row.second; });
    names += names.empty() ? "" : "+";
    names += known->first;
  }
  return names.empty() ? "none" : names;
}

Result<void> read_normalizer(const io::Json& options, std::string_view path,
                             TokenizerData& tokenizer) {
  if (!has_value(options, "normalizer")) return {};
  if (const auto names = metadata_text(options, "normalizer")) {
    tokenizer.normalizer = changes_of(*names);
    if (tokenizer.normalizer) return {};
  }
  return metadata_error(
      options, "normalizer", ErrorCode::BadValue,
      {"the normalization ", options.find("normalizer")->dump(), " is not supported"}, path);
}

}  // namespace

Result<void> read_tokenizer_options(const io::Json& options, std::string_view path,
                                    TokenizerData& tokenizer) {
  AMBRY_RETURN_IF_ERROR(read_special_ids(options, path, tokenizer));
  if (has_value(options, "added_tokens")) {
    AMBRY_TRY(tokenizer.added_tokens, added_tokens_from_json(*options.find("added_tokens"),
                                                             concat({path, ".added_tokens"})));
  }
  AMBRY_RETURN_IF_ERROR(read_normalizer(options, path, tokenizer));
  AMBRY_RETURN_IF_ERROR(read_chat_templates(options, path));  // which are no part of a tokenizer
  if (has_value(options, "post_processor")) {
    AMBRY_TRY(tokenizer.post_processor, read_post_processor(options, path));
  }
  return read_values(options,
                     {{"lowercase", tokenizer.lowercase},
                      {"strip_accents", tokenizer.strip_accents},
                      {"handle_chinese_chars", tokenizer.handle_chinese_chars},
                      {"max_input_chars_per_word", tokenizer.max_input_chars_per_word},
                      {"add_bos", tokenizer.add_bos},
                      {"add_eos", tokenizer.add_eos},
                      {"pretokenizer", tokenizer.pretokenizer},
                      {"end_of_word_suffix", tokenizer.end_of_word_suffix},
                      {"add_prefix_space", tokenizer.add_prefix_space},
                      {"ignore_merges", tokenizer.ignore_merges},
                      {"byte_fallback", tokenizer.byte_fallback},
                      {"fuse_unk", tokenizer.fuse_unk},
                      {"legacy", tokenizer.legacy}},
                     path);
}

void put_end_ids(const TokenizerData& tokenizer, io::Json& options) {
  // WordPiece has [SEP] in the place of eos.
  const bool words = tokenizer.kind == TokenizerKind::WordPiece;
  const std::vector<uint32_t> ends = words ? tokenizer.eos_ids : end_ids(tokenizer);
  if (ends.empty() || (ends.size() == 1 && tokenizer.eos_id)) return;
  io::Json& list = options.set("eos_id", io::Json::array());
  for (const uint32_t id : ends) list.append(id);
}

io::Json tokenizer_options_json(const TokenizerData& tokenizer) {
  io::Json options = io::Json::object();
  for (const auto& [key, id] : kIds) {
    if (tokenizer.*id) options.set(key, *(tokenizer.*id));
  }
  if (!tokenizer.eos_ids.empty()) {
    io::Json ids = io::Json::array();
    for (const uint32_t id : tokenizer.eos_ids) ids.append(id);
    options.set("eos_id", std::move(ids));
  } else if (tokenizer.eos_id) {
    options.set("eos_id", *tokenizer.eos_id);
  }
  if (tokenizer.normalizer) options.set("normalizer", names_of(*tokenizer.normalizer));
  const auto set_flag = [&](const char* key, const std::optional<bool>& flag) {
    if (flag) options.set(key, *flag);
  };
  set_flag("add_bos", tokenizer.add_bos);
  set_flag("add_eos", tokenizer.add_eos);
  set_flag("add_prefix_space", tokenizer.add_prefix_space);
  set_flag("byte_fallback", tokenizer.byte_fallback);
  set_flag("fuse_unk", tokenizer.fuse_unk);
  set_flag("legacy", tokenizer.legacy);
  if (tokenizer.ignore_merges) options.set("ignore_merges", true);
  if (!tokenizer.pretokenizer.empty()) options.set("pretokenizer", tokenizer.pretokenizer);
  if (!tokenizer.end_of_word_suffix.empty()) {
    options.set("end_of_word_suffix", tokenizer.end_of_word_suffix);
  }
  if (!tokenizer.added_tokens.empty()) {
    options.set("added_tokens", added_tokens_to_json(tokenizer.added_tokens));
  }
  if (tokenizer.post_processor) {
    options.set("post_processor", post_processor_json(*tokenizer.post_processor));
  }
  return options;
}

std::vector<TextChange> text_changes_of(const TokenizerData& tokenizer) {
  if (tokenizer.normalizer) return *tokenizer.normalizer;
  constexpr std::array<std::string_view, 3> kComposing = {"qwen2", "qwen35", "gptneox"};
  const bool composes = std::ranges::find(kComposing, tokenizer.pretokenizer) != kComposing.end();
  return composes ? std::vector{TextChange::Nfc} : std::vector<TextChange>{};
}

}  // namespace ambry::model
