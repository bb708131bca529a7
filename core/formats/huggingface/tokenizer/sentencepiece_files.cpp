#include "formats/huggingface/tokenizer/sentencepiece_files.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "formats/huggingface/tokenizer/bpe_steps.h"
#include "formats/huggingface/tokenizer/siglip_steps.h"
#include "formats/huggingface/tokenizer/special_names.h"
#include "model/tokenizer/files/sentencepiece_model.h"
#include "model/tokenizer/files/unigram_file.h"
#include "model/tokenizer/post_processor_json.h"
#include "model/tokenizer/tokenizer_metadata.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using model::SentencePieceModel;
using model::TokenizerData;
using model::UnigramFile;

constexpr uint8_t kControl = 3;
constexpr uint8_t kUserDefined = 4;

enum class Style : uint8_t { XlmRoberta, Camembert, Albert, T5, Deberta, Siglip };

struct StyleRow {
  std::string_view class_name;
  std::string_view model_type;
  Style style;
};
constexpr std::array<StyleRow, 7> kStyles = {
    {{"XLMRobertaTokenizer", "xlm-roberta", Style::XlmRoberta},
     {"CamembertTokenizer", "camembert", Style::Camembert},
     {"AlbertTokenizer", "albert", Style::Albert},
     {"T5Tokenizer", "t5", Style::T5},
     {"T5Tokenizer", "mt5", Style::T5},
     {"DebertaV2Tokenizer", "deberta-v2", Style::Deberta},
     {kSiglipTokenizer, "siglip_text_model", Style::Siglip}}};

// A special token: its key in tokenizer_config.json, and its usual text in each style.
struct Role {
  const char* key;
  std::string_view fairseq;  // XLM-R and CamemBERT
  std::string_view albert;
  std::string_view t5;
  std::string_view deberta;
};
constexpr std::array<Role, 7> kRoles = {{{"bos_token", "<s>", "[CLS]", "", "[CLS]"},
                                         {"eos_token", "</s>", "[SEP]", "</s>", "[SEP]"},
                                         {"unk_token", "<unk>", "<unk>", "<unk>", "[UNK]"},
                                         {"sep_token", "</s>", "[SEP]", "", "[SEP]"},
                                         {"pad_token", "<pad>", "<pad>", "<pad>", "[PAD]"},
                                         {"cls_token", "<s>", "[CLS]", "", "[CLS]"},
                                         {"mask_token", "<mask>", "[MASK]", "", "[MASK]"}}};

std::string_view usual_name(const Role& role, Style style) {
  if (style == Style::Albert) return role.albert;
  if (style == Style::Siglip && std::string_view(role.key) == "pad_token") return "</s>";
  if (style == Style::T5 || style == Style::Siglip) return role.t5;
  return style == Style::Deberta ? role.deberta : role.fairseq;
}

bool flag_of(const Json& options, std::string_view key, bool fallback) {
  return has_flag(options, key, fallback);
}

Json step(std::string_view type) {
  Json json = Json::object();
  json.set("type", type);
  return json;
}

Json replace_step(std::string_view kind, std::string_view from, std::string_view to) {
  Json json = step("Replace");
  json.set("pattern", Json::object()).set(kind, from);
  json.set("content", to);
  return json;
}

Json strip_step(bool left) {
  Json json = step("Strip");
  json.set("strip_left", left);
  json.set("strip_right", true);
  return json;
}

class PiecesReader {
 public:
  PiecesReader(const SentencePieceModel& pieces, Style style, const Json& options)
      : pieces_(pieces), style_(style), options_(options) {}

  Result<TokenizerData> read();

 private:
  void push(std::string_view piece, double score) {
    file_.pieces.push_back(piece);
    file_.scores.push_back(score);
  }
  void add_pieces();
  [[nodiscard]] Json normalizer() const;
  Result<Json> pre_tokenizer() const;
  void add_tokens();
  void add_token(std::string content, bool special, bool lstrip);
  Result<Json> post_processor() const;
  [[nodiscard]] std::string name_of(const Role& role) const;
  Result<uint32_t> id_of(const char* key) const;

  const SentencePieceModel& pieces_;
  Style style_;
  const Json& options_;
  UnigramFile file_;
  TokenizerData names_;  // the vocabulary alone, to look tokens up
  std::vector<model::AddedToken> added_;
};

// ALBERT does not use pieces that end with a digit and a comma.
bool ends_with_number_comma(std::string_view piece) {
  return piece.size() >= 2 && piece.ends_with(',') && piece[piece.size() - 2] >= '0' &&
         piece[piece.size() - 2] <= '9';
}

// fairseq's ids: four special tokens come first, and the file's own first ones do not count.
void PiecesReader::add_pieces() {
  size_t first = 0;
  if (style_ == Style::XlmRoberta) {
    for (const char* piece : {"<s>", "<pad>", "</s>", "<unk>"}) push(piece, 0);
    first = 3;
  } else if (style_ == Style::Camembert) {
    for (const char* piece : {"<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>"}) push(piece, 0);
    push("<unk>NOTUSED", -100);
    first = 1;
  }
  for (size_t i = first; i < pieces_.pieces.size(); ++i) {
    const bool avoided = style_ == Style::Albert && ends_with_number_comma(pieces_.pieces[i]);
    push(pieces_.pieces[i], double{pieces_.scores[i]} - (avoided ? 100 : 0));
  }
  if (style_ == Style::XlmRoberta || style_ == Style::Camembert) push("<mask>", 0);
  if (style_ != Style::T5) return;
  const Json* stated = options_.find("extra_ids");
  const uint64_t n_extra =
      stated != nullptr && stated->is_uint() ? std::min<uint64_t>(stated->uint(), 1000) : 100;
  for (uint64_t i = n_extra; i-- > 0;) push(concat({"<extra_id_", i, ">"}), 0);
}

Json PiecesReader::normalizer() const {
  if (style_ == Style::Siglip) return siglip_normalizer(!file_.charsmap.empty());
  Json steps = Json::array();
  if (style_ == Style::Albert) {
    steps.append(replace_step("String", "``", "\""));
    steps.append(replace_step("String", "''", "\""));
    if (!flag_of(options_, "keep_accents", false)) {
      steps.append(step("NFKD"));
      steps.append(step("StripAccents"));
    }
    if (flag_of(options_, "do_lower_case", true)) steps.append(step("Lowercase"));
  }
  if (style_ == Style::Deberta) {
    if (flag_of(options_, "do_lower_case", false)) steps.append(step("Lowercase"));
    steps.append(strip_step(true));
  }
  if (!file_.charsmap.empty()) steps.append(step("Precompiled"));
  const bool own = style_ == Style::Albert || style_ == Style::Deberta;
  if (!own) steps.append(strip_step(false));
  steps.append(replace_step("Regex", " {2,}", own ? " " : kSpaceMark));
  Json json = step("Sequence");
  json.set("normalizers", std::move(steps));
  return json;
}

Result<Json> PiecesReader::pre_tokenizer() const {
  if (style_ == Style::Deberta && flag_of(options_, "split_by_punct", false)) {
    return make_error(ErrorCode::Unsupported, "tokenizer_config.json.split_by_punct",
                      "words that are split at punctuation are not supported");
  }
  const bool legacy = flag_of(options_, "legacy", true);
  Json json = step("Metaspace");
  json.set("replacement", kSpaceMark);
  json.set("prepend_scheme", legacy ? "always" : "first");
  json.set("split", true);
  return json;
}

std::string PiecesReader::name_of(const Role& role) const {
  std::string name = special_name(options_, role.key);
  return name.empty() ? std::string(usual_name(role, style_)) : name;
}

void PiecesReader::add_token(std::string content, bool special, bool lstrip) {
  if (content.empty() ||
      std::ranges::find(added_, content, &model::AddedToken::content) != added_.end()) {
    return;
  }
  model::AddedToken token;
  uint32_t next = static_cast<uint32_t>(names_.vocabulary.size());
  for (const model::AddedToken& other : added_) next = std::max(next, other.id + 1);
  token.id = find_token(names_, {}, content).value_or(next);
  token.content = std::move(content);
  token.special = special;
  token.lstrip = lstrip;
  added_.push_back(std::move(token));
}

// The special tokens, and the pieces that the file says to cut out of texts.
void PiecesReader::add_tokens() {
  const bool fairseq = style_ == Style::XlmRoberta || style_ == Style::Camembert;
  for (const Role& role : kRoles) {
    const bool mask = std::string_view(role.key) == "mask_token";
    add_token(name_of(role), true, mask && (fairseq || style_ == Style::Albert));
  }
  for (size_t i = 0; i < pieces_.pieces.size(); ++i) {
    if (pieces_.types[i] != kControl && pieces_.types[i] != kUserDefined) continue;
    add_token(std::string(pieces_.pieces[i]), pieces_.types[i] == kControl, false);
  }
  if (style_ != Style::T5) return;
  for (size_t i = pieces_.pieces.size(); i < names_.vocabulary.size(); ++i) {
    add_token(std::string(names_.vocabulary[i]), true, false);
  }
}

Result<uint32_t> PiecesReader::id_of(const char* key) const {
  const auto* role = std::ranges::find(kRoles, std::string_view(key),
                                       [](const Role& r) { return std::string_view(r.key); });
  const std::string name = name_of(*role);
  if (const auto id = find_token(names_, added_, name)) return *id;
  return make_error(ErrorCode::NotFound, {"tokenizer_config.json.", key},
                    {"the vocabulary has no token \"", name, "\""});
}

Result<Json> PiecesReader::post_processor() const {
  AMBRY_TRY(const uint32_t eos, id_of("eos_token"));
  if (style_ == Style::T5 || style_ == Style::Siglip) {
    model::PostProcessor post = model::surround({}, {eos});
    post.pair = post.single;
    post.pair.push_back({model::TemplatePart::Kind::Second, 0, {}});
    post.pair.push_back({model::TemplatePart::Kind::Special, 0, {eos}});
    return model::post_processor_json(post);
  }
  AMBRY_TRY(const uint32_t cls, id_of("cls_token"));
  AMBRY_TRY(const uint32_t sep, id_of("sep_token"));
  const bool bert = style_ == Style::Albert || style_ == Style::Deberta;
  return model::post_processor_json(bert ? model::bert_post_processor(cls, sep)
                                         : model::roberta_post_processor(cls, sep));
}

Result<TokenizerData> PiecesReader::read() {
  add_pieces();
  file_.charsmap = pieces_.charsmap;
  names_.vocabulary = file_.pieces;
  add_tokens();
  file_.root = Json::object();
  file_.root.set("added_tokens", model::added_tokens_to_json(added_));
  file_.root.set("normalizer", normalizer());
  AMBRY_TRY(Json words, pre_tokenizer());
  file_.root.set("decoder", words);
  file_.root.set("pre_tokenizer", std::move(words));
  AMBRY_TRY(Json post, post_processor());
  file_.root.set("post_processor", std::move(post));
  Json& rest = file_.root.set("model", step("Unigram"));
  const bool fairseq = style_ == Style::XlmRoberta || style_ == Style::Camembert;
  if (fairseq) {
    rest.set("unk_id", 3);
  } else if (pieces_.unk_id) {
    rest.set("unk_id", *pieces_.unk_id);
  }
  TokenizerData data = model::unigram_tokenizer(std::move(file_));
  constexpr std::array<std::optional<uint32_t> TokenizerData::*, 7> kIds = {
      &TokenizerData::bos_id, &TokenizerData::eos_id, &TokenizerData::unk_id,
      &TokenizerData::sep_id, &TokenizerData::pad_id, &TokenizerData::cls_id,
      &TokenizerData::mask_id};
  for (size_t i = 0; i < kRoles.size(); ++i) {
    const std::string name = name_of(kRoles[i]);
    if (!name.empty()) data.*kIds[i] = find_token(names_, added_, name);
  }
  return data;
}

std::optional<Style> style_of(std::string_view class_name, std::string_view model_type) {
  for (const StyleRow& row : kStyles) {
    if (class_name.empty() ? row.model_type == model_type : row.class_name == class_name) {
      return row.style;
    }
  }
  return std::nullopt;
}

}  // namespace

Result<TokenizerData> read_unigram_pieces(const std::string& proto, std::string_view name,
                                          std::string_view class_name, std::string_view model_type,
                                          const Json& options) {
  const auto style = style_of(class_name, model_type);
  if (!style) {
    return make_error(ErrorCode::Unsupported, "tokenizer_config.json.tokenizer_class",
                      {"SentencePiece models of the class \"", class_name,
                       "\" are not supported; put the model's tokenizer.json beside it"});
  }
  AMBRY_TRY(const SentencePieceModel pieces,
            model::parse_sentencepiece_model(as_bytes(proto), 0, name));
  if (pieces.type != SentencePieceModel::Type::Unigram) {
    return make_error(ErrorCode::Unsupported, name, "only Unigram models are supported here");
  }
  return PiecesReader(pieces, *style, options).read();
}

}  // namespace ambry::formats::huggingface
