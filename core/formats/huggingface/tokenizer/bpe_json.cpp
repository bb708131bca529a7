#include "formats/huggingface/tokenizer/bpe_json.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/order.h"
#include "base/utf8.h"
#include "formats/huggingface/tokenizer/bpe_steps.h"
#include "formats/huggingface/tokenizer/template_json.h"
#include "io/limits.h"
#include "model/metadata/metadata_value.h"
#include "model/tokenizer/added_token_ids.h"
#include "model/tokenizer/files/model_type.h"
#include "model/tokenizer/files/sentencepiece_model.h"
#include "model/tokenizer/tokenizer_metadata.h"
#include "model/tokenizer/tokenizer_options.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using model::TokenizerData;
using model::TokenizerKind;

constexpr std::string_view kVocabPath = "tokenizer.json.model.vocab";

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

Result<void> make_pieces(const Json& root, const PieceStyle& style, DecoderTokenizer& made) {
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
  model::Vocabulary merges = std::move(tokenizer.merges);
  AMBRY_TRY(tokenizer, model::sentencepiece_tokenizer(as_bytes(proto), 0, "tokenizer.json"));
  tokenizer.merges = std::move(merges);
  return {};
}

void copy_flags(const Json& from, std::initializer_list<const char*> keys, Json& options) {
  for (const char* key : keys) {
    const Json* value = from.find(key);
    if (value != nullptr && value->is_bool()) options.set(key, *value);
  }
}

// A merge across the start of a word, which Metaspace's splitting prevents.
bool joins_words(const TokenizerData& tokenizer) {
  for (size_t i = 1; i < tokenizer.merges.size(); i += 2) {
    const std::string_view right = tokenizer.merges[i];
    const std::string_view left = tokenizer.merges[i - 1];
    if (right.find(kSpaceMark) != std::string_view::npos ||
        left.find(kSpaceMark, 1) != std::string_view::npos)
      return true;
  }
  return false;
}

Result<void> check_pieces(const Json& root, const PieceStyle& style, const TokenizerData& data) {
  const Json& bpe = *root.find("model");
  const Json* fallback = bpe.find("byte_fallback");
  const bool has_bytes = fallback != nullptr && fallback->is_bool() && fallback->boolean();
  if (!data.unk_id && !has_bytes) {
    return error_at(ErrorCode::Unsupported, bpe.byte_offset(), "tokenizer.json.model.unk_token",
                    "pieces without an unknown one are supported only with byte_fallback");
  }
  if (!style.splits) return {};
  bool has_mark = false;
  for (size_t i = 0; i < data.vocabulary.size(); ++i) has_mark |= data.vocabulary[i] == kSpaceMark;
  if (has_mark && !joins_words(data)) return {};
  return error_at(ErrorCode::Unsupported, root.find("pre_tokenizer")->byte_offset(),
                  "tokenizer.json.pre_tokenizer",
                  "Metaspace that splits is supported only where no merge joins two words");
}

Result<void> read_model(const Json& root, bool decodes, DecoderTokenizer& made) {
  const Json* bpe = root.find("model");
  if (model::tokenizer_model_type(root) != "BPE") {
    made.tokenizer.kind = TokenizerKind::Custom;
    return {};
  }
  std::optional<ByteLevelSteps> byte_level;
  std::optional<PieceStyle> pieces;
  const auto read_steps = [&]() -> Result<void> {
    AMBRY_RETURN_IF_ERROR(check_bpe_options(*bpe));
    if (!has_byte_level(root)) {
      AMBRY_TRY(pieces, read_piece_style(root, decodes));
      return {};
    }
    AMBRY_TRY(byte_level, read_byte_level(root, decodes));
    return {};
  };
  if (auto read = read_steps(); !read) {
    made.tokenizer.kind = TokenizerKind::Custom;
    made.refusal = std::move(read).error();
    return {};
  }
  const Json* vocab = bpe->find("vocab");
  if (vocab == nullptr) {
    return error_at(ErrorCode::BadValue, bpe->byte_offset(), kVocabPath,
                    "an object of tokens and ids is missing");
  }
  AMBRY_RETURN_IF_ERROR(read_bpe_vocabulary(*vocab, kVocabPath, made.tokenizer));
  AMBRY_RETURN_IF_ERROR(read_merges(*bpe, made.tokenizer));
  const auto unknown = model::metadata_text(*bpe, "unk_token");
  for (size_t id = 0; unknown && id < made.tokenizer.vocabulary.size(); ++id) {
    if (made.tokenizer.vocabulary[id] == *unknown)
      made.tokenizer.unk_id = static_cast<uint32_t>(id);
  }
  if (pieces) {
    if (auto checked = check_pieces(root, *pieces, made.tokenizer); !checked) {
      made.tokenizer = {};
      made.tokenizer.kind = TokenizerKind::Custom;
      made.refusal = std::move(checked).error();
      return {};
    }
    if (pieces->legacy) made.options.set("legacy", *pieces->legacy);
    copy_flags(*bpe, {"fuse_unk"}, made.options);
    AMBRY_RETURN_IF_ERROR(make_pieces(root, *pieces, made));
    made.tokenizer.marks_before_added = pieces->by_normalizer;
    return {};
  }
  made.tokenizer.kind = TokenizerKind::Bpe;
  made.options.set("pretokenizer", byte_level->pretokenizer);
  made.options.set("normalizer", byte_level->normalizer);
  made.options.set("add_prefix_space", byte_level->add_prefix_space);
  copy_flags(*bpe, {"ignore_merges", "byte_fallback", "fuse_unk"}, made.options);
  if (const auto suffix = model::metadata_text(*bpe, "end_of_word_suffix").value_or("");
      !suffix.empty()) {
    made.options.set("end_of_word_suffix", suffix);
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

namespace {

Result<void> read_whole(const Json& root, bool decodes, DecoderTokenizer& made) {
  AMBRY_RETURN_IF_ERROR(read_model(root, decodes, made));
  // This comes after the model, which may have ids of its own.
  auto read = read_template(root, made);
  // A Custom tokenizer is kept as it is; what runs it reads its template.
  if (!read && made.tokenizer.kind != TokenizerKind::Custom) return read.take_error();
  return {};
}

}  // namespace

Result<void> read_tokenizer_json(const Json& root, DecoderTokenizer& made) {
  return read_whole(root, true, made);
}

Result<TokenizerData> parse_bpe_json(const Json& root, bool decodes) {
  DecoderTokenizer read;
  AMBRY_RETURN_IF_ERROR(read_whole(root, decodes, read));
  if (read.refusal) return Failure(std::move(*read.refusal));
  TokenizerData& data = read.tokenizer;
  AMBRY_RETURN_IF_ERROR(model::read_tokenizer_options(read.options, "tokenizer.json", data));
  if (const Json* added = root.find("added_tokens")) {
    constexpr const char* kPath = "tokenizer.json.added_tokens";
    AMBRY_TRY(data.added_tokens, model::added_tokens_from_json(*added, kPath));
    AMBRY_RETURN_IF_ERROR(
        model::resolve_added_ids(data.vocabulary, data.ids, *added, kPath, data.added_tokens));
  }
  return std::move(data);
}

}  // namespace ambry::formats::huggingface
