#include "text/sentencepiece/sentencepiece.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "model/tokenizer/files/sentencepiece_model.h"
#include "text/bpe/bpe_model.h"

namespace ambry::text {
namespace {

using model::TokenizerData;
using model::TokenizerKind;

constexpr const char* kModelPath = "tokenizer.model";
constexpr std::string_view kUnknownSurface = " \xE2\x81\x87 ";

struct Settings {
  SpaceOptions spaces;
  Charsmap charsmap;
  std::string unk_surface;
  bool byte_fallback = false;
};

Result<Settings> settings_of_file(std::string_view payload) {
  AMBRY_TRY(const auto file, model::parse_sentencepiece_model(as_bytes(payload), 0, kModelPath));
  if (!file.denormalizer_charsmap.empty()) {
    return make_error(ErrorCode::Unsupported, {kModelPath, ".denormalizer_spec"},
                      "a denormalizer charsmap is not supported");
  }
  Settings settings;
  settings.spaces = {file.add_dummy_prefix, file.remove_extra_whitespaces, file.escape_whitespaces,
                     file.treat_whitespace_as_suffix};
  AMBRY_TRY(settings.charsmap, Charsmap::create(as_bytes(file.charsmap), kModelPath));
  settings.unk_surface = file.unk_surface;
  settings.byte_fallback = file.byte_fallback;
  return settings;
}

// llama2.c spells a space as a space.
bool has_literal_spaces(const model::Vocabulary& pieces) {
  bool found = false;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].find(kSpaceMark) != std::string_view::npos) return false;
    found |= pieces[i].find(' ') != std::string_view::npos;
  }
  return found;
}

Result<Settings> settings_of_list(const TokenizerData& data) {
  Settings settings;
  settings.spaces.remove_extra_whitespaces = data.remove_extra_whitespaces.value_or(false);
  settings.spaces.escape_whitespaces = !has_literal_spaces(data.vocabulary);
  AMBRY_TRY(settings.charsmap, Charsmap::create(as_bytes(data.charsmap), "tokenizer"));
  settings.unk_surface = kUnknownSurface;
  for (size_t i = 0; i < data.vocabulary.size() && !settings.byte_fallback; ++i) {
    settings.byte_fallback = byte_of_piece(data.vocabulary[i]).has_value();
  }
  return settings;
}

// GGUF may also carry a tokenizer.json, which repeats the same data.
bool is_model_file(std::string_view payload) {
  return !payload.empty() && !payload.starts_with('{');
}

// Settings of the file itself override those of the model file.
Result<Settings> settings_of(const TokenizerData& data) {
  Settings settings;
  if (is_model_file(data.payload)) {
    AMBRY_TRY(settings, settings_of_file(data.payload));
  } else {
    AMBRY_TRY(settings, settings_of_list(data));
  }
  bool& prefix = settings.spaces.add_dummy_prefix;
  prefix = data.add_prefix_space.value_or(prefix);
  settings.byte_fallback = data.byte_fallback.value_or(settings.byte_fallback);
  return settings;
}

MergeOrder merge_order(const SentencePieceParts& parts, bool listed) {
  if (listed) return MergeOrder::List;
  if (parts.vocabulary.scores.empty()) return MergeOrder::Id;
  return parts.hugging_face ? MergeOrder::Split : MergeOrder::Score;
}

// The ids that are added to each text must be tokens.
Result<void> check_special_tokens(const SentencePieceParts& parts) {
  for (const model::TemplatePart& part : parts.special_tokens.post.single) {
    for (const uint32_t id : part.ids) {
      if (parts.vocabulary.is_known(id) || parts.added.text(id)) continue;
      return make_error(ErrorCode::BadValue, "tokenizer.special",
                        {"texts start or end with the id ", id, ", but no piece has this id"});
    }
  }
  return {};
}

// What the text must contain for each added token that is looked for in normalized text. Clears the
// flag where no file states how that is done.
std::vector<std::string> normalized_contents(TokenizerData& data,
                                             const SentencePieceVocabulary& vocabulary,
                                             const SentencePieceNormalizer& normalizer) {
  std::vector<std::string> contents;
  for (model::AddedToken& token : data.added_tokens) {
    token.normalized &= data.marks_before_added.has_value();
    std::string& content = contents.emplace_back(token.content);
    if (!token.normalized || !*data.marks_before_added) continue;
    NormalizedText normalized;
    normalizer.normalize(token.content, vocabulary.user_defined, true, normalized);
    content = std::move(normalized.text);
  }
  return contents;
}

}  // namespace

Result<std::unique_ptr<Tokenizer>> SentencePiece::create(TokenizerData data) {
  const TokenizerKind kind = data.kind;
  AMBRY_TRY(Settings settings, settings_of(data));
  AMBRY_TRY(SpecialTokens special_tokens, SpecialTokens::of(data));
  AMBRY_TRY(auto vocabulary, SentencePieceVocabulary::create(data, settings.byte_fallback));
  if (kind == TokenizerKind::SentencePieceUnigram && vocabulary.scores.empty()) {
    return make_error(ErrorCode::NotFound, "tokenizer.scores",
                      "a Unigram model needs scores for its pieces");
  }
  const bool hugging_face = !data.added_tokens.empty() || data.legacy.has_value();
  // A tokenizer.json lists its merges. GGUF may list merges too, but goes by the scores.
  std::optional<model::MergeTable> merges;
  if (kind == TokenizerKind::SentencePieceBpe && data.legacy && !data.merges.empty()) {
    const size_t n_pieces = vocabulary.pieces.size();
    AMBRY_TRY(merges, read_merges(data.merges, PieceTable(vocabulary.pieces, n_pieces, ""), ""));
  }
  const SpaceOptions& spaces = settings.spaces;
  SentencePieceNormalizer normalizer(std::move(settings.charsmap), spaces);
  auto contents = normalized_contents(data, vocabulary, normalizer);
  SentencePieceDecoding decoding;
  decoding.space = normalizer.space();
  decoding.unk_surface = std::move(settings.unk_surface);
  decoding.drop_first_space =
      spaces.add_dummy_prefix || (spaces.remove_extra_whitespaces && !hugging_face);
  decoding.drop_all_spaces = spaces.remove_extra_whitespaces;
  SentencePieceParts parts{std::move(vocabulary),
                           std::move(normalizer),
                           AddedTokens(std::move(data.added_tokens), std::move(contents)),
                           std::move(special_tokens),
                           std::move(decoding),
                           hugging_face,
                           data.legacy.value_or(true),
                           data.marks_before_added.value_or(true),
                           data.fuse_unk.value_or(true)};
  AMBRY_RETURN_IF_ERROR(check_special_tokens(parts));
  return std::unique_ptr<Tokenizer>(new SentencePiece(std::move(parts), kind, std::move(merges)));
}

SentencePiece::SentencePiece(SentencePieceParts parts, TokenizerKind kind,
                             std::optional<model::MergeTable> merges)
    : parts_(std::move(parts)) {
  if (kind == TokenizerKind::SentencePieceUnigram) {
    unigram_.emplace(sentencepiece_unigram(parts_.vocabulary));
  } else {
    const MergeOrder order = merge_order(parts_, merges.has_value());
    bpe_.emplace(parts_.vocabulary, order, parts_.normalizer.space(), std::move(merges));
  }
}

Encoding SentencePiece::content_of(std::string_view text) const {
  SentencePieceJob job(parts_, [this](std::string_view normalized, std::vector<PieceMatch>& out) {
    if (unigram_) return unigram_->encode(normalized, out);
    bpe_->encode(normalized, out);
  });
  return job.run(text);
}

Encoding SentencePiece::encode(std::string_view text, const EncodeOptions& options) const {
  return parts_.special_tokens.add_to(content_of(text), options);
}

Result<Encoding> SentencePiece::encode_pair(std::string_view first, std::string_view second,
                                            const EncodeOptions& options) const {
  const Encoding a = content_of(first);
  const Encoding b = content_of(second);
  return parts_.special_tokens.add_to_pair(a, b, {a.ids.size(), b.ids.size()}, options);
}

std::unique_ptr<TokenDecoder> SentencePiece::decoder(bool skip_special) const {
  if (parts_.hugging_face) {
    return sentencepiece_decoder(*this, parts_.decoding, parts_.added, skip_special);
  }
  return sentencepiece_decoder(parts_.vocabulary, parts_.decoding, skip_special);
}

size_t SentencePiece::size() const {
  return std::max(parts_.vocabulary.pieces.size(), parts_.added.id_limit());
}

std::string_view SentencePiece::token(uint32_t id) const {
  if (const auto added = parts_.added.text(id)) return *added;
  const model::Vocabulary& pieces = parts_.vocabulary.pieces;
  return id < pieces.size() ? pieces[id] : std::string_view();
}

std::optional<uint32_t> SentencePiece::id(std::string_view token) const {
  if (const model::AddedToken* added = parts_.added.find(token)) return added->id;
  if (const auto found = parts_.vocabulary.text.find(token)) return found;
  // Control and byte pieces are not in the trie, because no text is split into them.
  const model::Vocabulary& pieces = parts_.vocabulary.pieces;
  for (uint32_t id = 0; !token.empty() && id < pieces.size(); ++id) {
    if (pieces[id] == token) return id;
  }
  return std::nullopt;
}

std::optional<std::string> SentencePiece::text_bytes(uint32_t id) const {
  if (is_special(id) || id == parts_.vocabulary.unk) return std::nullopt;
  // By SentencePiece's own rules only a piece of the type Byte stands for a byte.
  const bool is_byte = parts_.hugging_face || parts_.vocabulary.is(id, PieceType::Byte);
  if (!is_byte && byte_of_piece(token(id))) return std::string(token(id));
  return piece_bytes(token(id), parts_.decoding.space);
}

bool SentencePiece::is_special(uint32_t id) const {
  return parts_.vocabulary.is(id, PieceType::Control) || parts_.added.is_special(token(id));
}

}  // namespace ambry::text
