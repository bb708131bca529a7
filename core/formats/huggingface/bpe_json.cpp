#include "formats/huggingface/bpe_json.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/order.h"
#include "base/utf8.h"
#include "formats/huggingface/template_json.h"
#include "io/limits.h"
#include "model/metadata_value.h"
#include "model/tokenizer/model_type.h"
#include "model/tokenizer/sentencepiece_model.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using model::TokenizerData;
using model::TokenizerKind;

constexpr std::string_view kVocabPath = "tokenizer.json.model.vocab";
constexpr std::string_view kSpaceMark = "\xE2\x96\x81";  // U+2581

std::string_view type_of(const Json* part) {
  if (part == nullptr || !part->is_object()) return {};
  const Json* type = part->find("type");
  return type != nullptr && type->is_string() ? std::string_view(type->string())
                                              : std::string_view();
}

// Returns the component, or the parts of a Sequence.
std::vector<const Json*> parts_of(const Json& root, std::string_view component) {
  const Json* part = root.find(component);
  if (part == nullptr || !part->is_object()) return {};
  const Json* list = part->find(component == "normalizer" ? "normalizers" : "pretokenizers");
  if (type_of(part) != "Sequence" || list == nullptr || !list->is_array()) return {part};
  std::vector<const Json*> parts;
  for (const Json& item : list->items()) parts.push_back(&item);
  return parts;
}

std::string_view regex_of(const Json& split) {
  const Json* pattern = split.find("pattern");
  const Json* regex = pattern != nullptr ? pattern->find("Regex") : nullptr;
  return regex != nullptr && regex->is_string() ? std::string_view(regex->string())
                                                : std::string_view();
}

struct KnownSplit {
  std::string_view regex;
  std::string_view name;
};
constexpr std::array<KnownSplit, 3> kSplits = {
    {{R"re((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)re",
      "llama3"},
     {R"re((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)re",
      "qwen2"},
     {R"re('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)re",
      "llama3"}}};

bool has_flag(const Json& part, std::string_view key, bool fallback) {
  const Json* value = part.find(key);
  return value != nullptr && value->is_bool() ? value->boolean() : fallback;
}

bool has_behavior(const Json& part, std::string_view behavior) {
  return model::metadata_text(part, "behavior") == behavior;
}

// When an expression covers every text, isolating its matches and keeping only them give the same.
bool is_split(const Json& part) {
  const bool inverted = has_flag(part, "invert", false);
  return inverted ? has_behavior(part, "Removed") : has_behavior(part, "Isolated");
}

// AMB's name for a step. Returns nothing for an unknown step. After `spelled`, texts are in GPT-2's
// byte alphabet.
std::optional<std::string_view> step_name(const Json& part, bool spelled) {
  const std::string_view type = type_of(&part);
  if (type == "Split" && is_split(part)) {
    const std::string_view regex = regex_of(part);
    if (regex == "[0-9][0-9][0-9]" && has_behavior(part, "Isolated")) return "three_digits";
    const auto known = std::ranges::find(kSplits, regex, &KnownSplit::regex);
    if (known != kSplits.end() && !spelled) return known->name;
  }
  if (type == "Digits") {
    const bool each = has_flag(part, "individual_digits", false);
    if (spelled) return each ? std::nullopt : std::optional("spelled_digit_runs");
    return each ? "digits" : "digit_runs";
  }
  if (type == "Punctuation" && !spelled) {
    const auto behavior = model::metadata_text(part, "behavior").value_or("Isolated");
    if (behavior == "Contiguous") return "punctuation_runs";
    if (behavior == "Isolated") return "punctuation";
  }
  return std::nullopt;
}

constexpr std::string_view kFalconsSteps = "punctuation_runs+gpt2+spelled_digit_runs+three_digits";

// How words are split before and after ByteLevel, in AMB's names. Returns nothing for an unknown
// step.
std::optional<std::string> byte_level_name(const Json& root, bool nfc) {
  std::string names;
  const auto add = [&](std::string_view name) {
    if (!names.empty()) names += '+';
    names += name;
  };
  bool spelled = false;
  for (const Json* part : parts_of(root, "pre_tokenizer")) {
    if (type_of(part) != "ByteLevel") {
      const auto name = step_name(*part, spelled);
      if (!name) return std::nullopt;
      add(*name);
      continue;
    }
    // The space would be added before each part of the text.
    const bool spaces = !names.empty() && has_flag(*part, "add_prefix_space", true);
    if (spelled || spaces) return std::nullopt;
    spelled = true;
    if (has_flag(*part, "use_regex", true)) add("gpt2");
  }
  if (!spelled) return std::nullopt;
  if (names.empty()) return "none";
  if (names == "gpt2" && nfc) return "gptneox";
  if (names == kFalconsSteps) return "falcon";
  return names;
}

// Whether texts are composed (NFC) first. Returns nothing if they are changed in another way.
std::optional<bool> composes(const Json& root) {
  const std::vector<const Json*> normalizers = parts_of(root, "normalizer");
  if (normalizers.empty()) return false;
  if (normalizers.size() == 1 && type_of(normalizers[0]) == "NFC") return true;
  return std::nullopt;
}

// Whether tokens become text as in byte-level BPE, without marks for words.
bool is_plain_byte_level(const Json& root, const Json& bpe) {
  const auto empty = [&](const char* key) {
    return model::metadata_text(bpe, key).value_or("").empty();
  };
  const Json* decoder = root.find("decoder");
  const bool usual = decoder == nullptr || decoder->is_null() || type_of(decoder) == "ByteLevel";
  return usual && empty("continuing_subword_prefix") && empty("end_of_word_suffix");
}

// How BPE over pieces marks spaces. Returns nothing if it is no such BPE.
struct PieceStyle {
  bool dummy_prefix = false;
  bool by_normalizer = false;  // else by the pre-tokenizer, which runs after the normalizer
  std::optional<bool> legacy;  // a prefix for each segment, or only for the first
};
std::optional<PieceStyle> piece_style(const Json& root) {
  PieceStyle style;
  bool marks = false;
  for (const Json* part : parts_of(root, "normalizer")) {
    const auto type = type_of(part);
    const auto content = model::metadata_text(*part, type == "Prepend" ? "prepend" : "content");
    if (content != kSpaceMark || (type != "Prepend" && type != "Replace")) return std::nullopt;
    style.by_normalizer = true;
    if (type == "Prepend") {
      style.dummy_prefix = true;
      style.legacy = true;
    }
    marks |= type == "Replace";
  }
  for (const Json* part : parts_of(root, "pre_tokenizer")) {
    const auto type = type_of(part);
    if (type == "Split" && marks) continue;  // gemma's, at spaces that were already replaced
    if (type != "Metaspace") return std::nullopt;
    marks = true;
    const auto scheme = model::metadata_text(*part, "prepend_scheme");
    if (scheme == "first") style.legacy = false;
    const Json* prefix = part->find("add_prefix_space");
    style.dummy_prefix =
        scheme ? *scheme != "never" : prefix == nullptr || !prefix->is_bool() || prefix->boolean();
  }
  if (!marks) return std::nullopt;
  return style;
}

void add_merge(std::string_view left, std::string_view right, TokenizerData& tokenizer) {
  tokenizer.merges.push_back(left);
  tokenizer.merges.push_back(right);
}

// `"a b"` or `["a", "b"]`.
Result<void> read_merges(const Json& model, TokenizerData& tokenizer) {
  const Json* merges = model.find("merges");
  if (merges == nullptr || !merges->is_array()) {
    return error_at(ErrorCode::BadValue, model.byte_offset(), "tokenizer.json.model.merges",
                    "a list of pairs is missing");
  }
  for (size_t rank = 0; rank < merges->items().size(); ++rank) {
    const Json& merge = merges->items()[rank];
    if (merge.is_string()) {
      const std::string_view text = merge.string();
      const size_t space = text.find(' ');
      if (space != 0 && space != std::string_view::npos && space + 1 < text.size()) {
        add_merge(text.substr(0, space), text.substr(space + 1), tokenizer);
        continue;
      }
    } else if (merge.is_array() && merge.items().size() == 2 && merge.items()[0].is_string() &&
               merge.items()[1].is_string()) {
      add_merge(merge.items()[0].string(), merge.items()[1].string(), tokenizer);
      continue;
    }
    return error_at(ErrorCode::BadValue, merge.byte_offset(),
                    {"tokenizer.json.model.merges[", rank, "]"}, "not a pair of pieces");
  }
  return {};
}

bool is_byte_piece(std::string_view piece) {
  return piece.size() == 6 && piece.starts_with("<0x") && piece.ends_with('>');
}

std::vector<uint8_t> types_of(const Json& root, const TokenizerData& tokenizer) {
  constexpr uint8_t kNormal = 1;
  constexpr uint8_t kUnknown = 2;
  constexpr uint8_t kControl = 3;
  constexpr uint8_t kByte = 6;
  std::vector<uint8_t> types(tokenizer.vocabulary.size(), kNormal);
  for (size_t id = 0; id < types.size(); ++id) {
    if (is_byte_piece(tokenizer.vocabulary[id])) types[id] = kByte;
    if (id == tokenizer.unk_id) types[id] = kUnknown;
  }
  const Json* added = root.find("added_tokens");
  if (added == nullptr || !added->is_array()) return types;
  for (const Json& token : added->items()) {
    const Json* id = token.find("id");
    const Json* special = token.find("special");
    if (id == nullptr || !id->is_uint() || id->uint() >= types.size()) continue;
    const bool is_special = special != nullptr && special->is_bool() && special->boolean();
    auto& type = types[static_cast<size_t>(id->uint())];
    if (is_special && type == kNormal) type = kControl;
  }
  return types;
}

// A piece that is merged earlier gets a higher score. Pieces that no merge gives are never
// compared.
std::vector<float> scores_of(const TokenizerData& tokenizer) {
  const model::Vocabulary& pieces = tokenizer.vocabulary;
  const size_t n_merges = tokenizer.merges.size() / 2;
  std::vector<float> scores(pieces.size(), -static_cast<float>(n_merges));
  const auto order =
      sorted_order(pieces.size(), [&](uint32_t a, uint32_t b) { return pieces[a] < pieces[b]; });
  std::string joined;
  for (size_t rank = n_merges; rank-- > 0;) {
    joined = tokenizer.merges[2 * rank];
    joined += tokenizer.merges[2 * rank + 1];
    const auto found =
        std::lower_bound(order.begin(), order.end(), joined,
                         [&](uint32_t a, const std::string& wanted) { return pieces[a] < wanted; });
    if (found == order.end() || pieces[*found] != joined) continue;
    scores[*found] = -static_cast<float>(rank);
  }
  return scores;
}

Result<void> make_pieces(const Json& root, PieceStyle style, DecoderTokenizer& made) {
  TokenizerData& tokenizer = made.tokenizer;
  if (!tokenizer.ids.empty()) {
    return make_error(ErrorCode::Unsupported, kVocabPath, "the ids of its pieces have gaps");
  }
  model::SentencePieceModel file;
  file.pieces = tokenizer.vocabulary;
  file.types = types_of(root, tokenizer);
  file.scores = scores_of(tokenizer);
  file.type = model::SentencePieceModel::Type::Bpe;
  file.byte_fallback = has_flag(*root.find("model"), "byte_fallback", false);
  file.unk_id = tokenizer.unk_id;
  file.bos_id = file.eos_id = std::nullopt;  // otherwise SentencePiece's training defaults apply
  file.normalizer = "identity";
  file.add_dummy_prefix = style.dummy_prefix;
  file.remove_extra_whitespaces = false;
  const std::string proto = model::write_sentencepiece_model(file);
  AMBRY_TRY(tokenizer, model::sentencepiece_tokenizer(as_bytes(proto), 0, "tokenizer.json"));
  return {};
}

void copy_flags(const Json& from, std::initializer_list<const char*> keys, Json& options) {
  for (const char* key : keys) {
    const Json* value = from.find(key);
    if (value != nullptr && value->is_bool()) options.set(key, *value);
  }
}

Result<void> read_model(const Json& root, DecoderTokenizer& made) {
  const Json* bpe = root.find("model");
  const Json* vocab = bpe != nullptr ? bpe->find("vocab") : nullptr;
  const std::optional<bool> nfc = composes(root);
  const bool plain = nfc && bpe != nullptr && is_plain_byte_level(root, *bpe);
  const auto byte_level = plain ? byte_level_name(root, *nfc) : std::nullopt;
  const auto pieces = piece_style(root);
  if (model::tokenizer_model_type(root) != "BPE" || (!byte_level && !pieces)) {
    made.tokenizer.kind = TokenizerKind::Custom;
    return {};
  }
  if (vocab == nullptr) {
    return error_at(ErrorCode::BadValue, bpe->byte_offset(), kVocabPath,
                    "an object of tokens and ids is missing");
  }
  AMBRY_CHECK(read_bpe_vocabulary(*vocab, kVocabPath, made.tokenizer));
  AMBRY_CHECK(read_merges(*bpe, made.tokenizer));
  const auto unknown = model::metadata_text(*bpe, "unk_token");
  for (size_t id = 0; unknown && id < made.tokenizer.vocabulary.size(); ++id) {
    if (made.tokenizer.vocabulary[id] == *unknown)
      made.tokenizer.unk_id = static_cast<uint32_t>(id);
  }
  if (!byte_level) {
    if (pieces->legacy) made.options.set("legacy", *pieces->legacy);
    copy_flags(*bpe, {"fuse_unk"}, made.options);
    AMBRY_CHECK(make_pieces(root, *pieces, made));
    made.tokenizer.marks_before_added = pieces->by_normalizer;
    return {};
  }
  made.tokenizer.kind = TokenizerKind::Bpe;
  made.options.set("pretokenizer", *byte_level);
  made.options.set("normalizer", *nfc ? "nfc" : "none");
  copy_flags(*bpe, {"ignore_merges", "byte_fallback", "fuse_unk"}, made.options);
  for (const Json* part : parts_of(root, "pre_tokenizer")) {
    if (type_of(part) == "ByteLevel") copy_flags(*part, {"add_prefix_space"}, made.options);
  }
  return {};
}

}  // namespace

Result<void> read_bpe_vocabulary(const Json& vocab, std::string_view path,
                                 TokenizerData& tokenizer) {
  if (!vocab.is_object()) {
    return error_at(ErrorCode::BadValue, vocab.byte_offset(), path,
                    "not an object of tokens and ids");
  }
  const auto& members = vocab.members();
  for (const auto& [token, id] : members) {
    if (id.is_uint() && id.uint() <= UINT32_MAX) continue;
    return error_at(ErrorCode::BadValue, id.byte_offset(), {path, ".", token}, "not an id");
  }
  const auto order = sorted_order(members.size(), [&](uint32_t a, uint32_t b) {
    return members[a].second.uint() < members[b].second.uint();
  });
  bool has_gaps = false;
  for (size_t i = 0; i < order.size(); ++i) {
    const auto& [token, id] = members[order[i]];
    if (i > 0 && id.uint() == members[order[i - 1]].second.uint()) {
      return error_at(ErrorCode::BadValue, id.byte_offset(), {path, ".", token},
                      {"the id ", id.uint(), " belongs to another token already"});
    }
    has_gaps |= id.uint() != i;
    tokenizer.vocabulary.push_back(token);
  }
  if (!has_gaps) return {};
  for (const uint32_t i : order) {
    tokenizer.ids.push_back(static_cast<uint32_t>(members[i].second.uint()));
  }
  return {};
}

Result<void> read_merges_txt(std::string_view text, TokenizerData& tokenizer) {
  constexpr const char* kPath = "merges.txt";
  if (text.size() > io::kMaxVocabularyBytes) {
    return error_at(ErrorCode::LimitExceeded, 0, kPath, "larger than 64 MiB");
  }
  if (const auto bad = find_invalid_utf8(text)) {
    return error_at(ErrorCode::BadValue, *bad, kPath, "not valid UTF-8");
  }
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const size_t space = line.find(' ');
    const bool comment = at == 0 && line.starts_with("#version");
    if (!comment && !line.empty()) {
      if (space == 0 || space == std::string_view::npos || space + 1 == line.size()) {
        return error_at(ErrorCode::BadValue, at, kPath, "a line is not a pair of pieces");
      }
      add_merge(line.substr(0, space), line.substr(space + 1), tokenizer);
    }
    at = end + 1;
  }
  return {};
}

Result<void> read_tokenizer_json(const Json& root, DecoderTokenizer& made) {
  AMBRY_CHECK(read_model(root, made));
  // This comes after the model, which may have ids of its own.
  auto read = read_template(root, made);
  // A Custom tokenizer is kept as it is; what runs it reads its template.
  if (!read && made.tokenizer.kind != TokenizerKind::Custom) return read.take_error();
  return {};
}

}  // namespace ambry::formats::huggingface
