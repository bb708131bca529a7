#include "text/wordpiece/wordpiece.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/order.h"
#include "base/utf8.h"
#include "model/tokenizer/end_tokens.h"
#include "text/tokenizer/post_processing.h"
#include "text/wordpiece/wordpiece_decoder.h"

namespace ambry::text {
namespace {

// What needs a special token: unknown words, the ends of texts, or neither.
enum class Use : uint8_t { Words, Ends, Other };

struct Role {
  std::string_view name;
  std::optional<uint32_t> model::TokenizerData::* id;
  Use use;
};

constexpr std::array<Role, 5> kRoles = {{{"[PAD]", &model::TokenizerData::pad_id, Use::Other},
                                         {"[UNK]", &model::TokenizerData::unk_id, Use::Words},
                                         {"[CLS]", &model::TokenizerData::cls_id, Use::Ends},
                                         {"[SEP]", &model::TokenizerData::sep_id, Use::Ends},
                                         {"[MASK]", &model::TokenizerData::mask_id, Use::Other}}};

// Added tokens at the end of the vocabulary were appended to it. They are found in the text only as
// added tokens, never as pieces of words.
size_t count_pieces(const model::TokenizerData& data) {
  const std::vector<model::AddedToken>& added = data.added_tokens;
  const auto by_falling_id =
      sorted_order(added.size(), [&](uint32_t a, uint32_t b) { return added[a].id > added[b].id; });
  size_t n = data.vocabulary.size();
  for (const uint32_t i : by_falling_id) {
    if (n > 0 && added[i].id == n - 1) --n;
  }
  return n;
}

// An added token that is in the vocabulary has the vocabulary's id.
Result<void> resolve_added_tokens(model::TokenizerData& data, const PieceTable& pieces) {
  for (size_t i = 0; i < data.added_tokens.size(); ++i) {
    model::AddedToken& token = data.added_tokens[i];
    if (const auto id = pieces.find(token.content)) token.id = *id;
    if (token.id == UINT32_MAX) {
      return make_error(ErrorCode::BadValue, {"tokenizer.added_tokens[", i, "].id"},
                        "the id is too large");
    }
  }
  return {};
}

std::optional<uint32_t> find_id(const model::TokenizerData& data, const PieceTable& pieces,
                                std::string_view token) {
  for (const model::AddedToken& added : data.added_tokens) {
    if (added.content == token) return added.id;
  }
  return pieces.find(token);
}

// Looks up the special ids that are not set, by name. [UNK] must exist, and also [CLS] and [SEP] if
// no post-processor says what is added to texts.
Result<void> resolve_special_ids(model::TokenizerData& data, const PieceTable& pieces) {
  for (const Role& role : kRoles) {
    std::optional<uint32_t>& id = data.*role.id;
    if (!id) id = find_id(data, pieces, role.name);
    if (!id && (role.use == Use::Words || (role.use == Use::Ends && !data.post_processor))) {
      return make_error(ErrorCode::NotFound, "tokenizer.vocabulary",
                        {"the vocabulary has no ", role.name, " token"});
    }
    const auto has_id = [&](const model::AddedToken& token) { return token.id == *id; };
    if (id && *id >= pieces.vocabulary().size() &&
        std::none_of(data.added_tokens.begin(), data.added_tokens.end(), has_id)) {
      return make_error(ErrorCode::BadValue, "tokenizer.special",
                        {"the id ", *id, " of ", role.name, " is outside the vocabulary of ",
                         pieces.vocabulary().size()});
    }
  }
  return {};
}

// For a bare vocabulary: its special tokens become added tokens, as in BertTokenizerFast.
void add_specials(model::TokenizerData& data, const PieceTable& pieces) {
  for (const Role& role : kRoles) {
    const std::optional<uint32_t> id = data.*role.id;
    if (!id) continue;
    model::AddedToken token;
    token.id = *id;
    token.content = pieces.vocabulary()[*id];
    data.added_tokens.push_back(std::move(token));
  }
}

std::vector<std::string> normalized_contents(const std::vector<model::AddedToken>& tokens,
                                             const NormalizerOptions& options) {
  BertNormalizer normalizer(options);
  std::vector<std::string> contents;
  for (const model::AddedToken& token : tokens) {
    std::string& content = contents.emplace_back();
    normalizer.start(token.content, {});
    for (NormalizedChar c; normalizer.next(c);) append_utf8(content, c.code_point);
  }
  return contents;
}

class WordPieceStream final : public TokenDecoder {
 public:
  WordPieceStream(const WordPiece& tokenizer, std::string_view prefix, bool skip_special)
      : tokenizer_(tokenizer), prefix_(prefix), skip_special_(skip_special), decoder_(prefix) {}

  void push(uint32_t id, std::string& out) override {
    const std::string_view piece = tokenizer_.token(id);
    if (piece.empty() || (skip_special_ && tokenizer_.is_special(id))) return;
    decoder_.add(piece);
    out += decoder_.take();
  }
  void finish(std::string& /*out*/) override { decoder_ = WordPieceDecoder(prefix_); }

 private:
  const WordPiece& tokenizer_;
  std::string_view prefix_;
  bool skip_special_;
  WordPieceDecoder decoder_;
};

}  // namespace

Result<std::unique_ptr<Tokenizer>> WordPiece::create(model::TokenizerData data) {
  const size_t n_pieces = count_pieces(data);
  PieceTable pieces(std::move(data.vocabulary), n_pieces,
                    std::move(data.continuing_subword_prefix));
  AMBRY_RETURN_IF_ERROR(resolve_added_tokens(data, pieces));
  AMBRY_RETURN_IF_ERROR(resolve_special_ids(data, pieces));
  if (data.added_tokens.empty() && !data.lists_added_tokens) add_specials(data, pieces);
  const uint32_t cls = data.cls_id.value_or(0);
  const uint32_t sep = data.sep_id.value_or(0);
  std::vector<uint32_t> ends = {sep};
  for (const uint32_t id : model::end_ids(data)) {
    if (id != sep) ends.push_back(id);
  }
  model::PostProcessor post =
      data.post_processor ? std::move(*data.post_processor) : model::bert_post_processor(cls, sep);
  if (post.pair.empty()) {
    return make_error(ErrorCode::Unsupported, "tokenizer.post_processor",
                      "a WordPiece tokenizer needs a template for pairs");
  }

  NormalizerOptions normalizer;
  normalizer.clean_text = data.clean_text;
  normalizer.handle_chinese_chars = data.handle_chinese_chars;
  normalizer.strip_accents = data.strip_accents.value_or(data.lowercase);
  normalizer.lowercase = data.lowercase;
  auto contents = normalized_contents(data.added_tokens, normalizer);
  AddedTokens added(std::move(data.added_tokens), std::move(contents));
  WordPieceParts parts{std::move(pieces), std::move(added), normalizer, data.unk_id.value_or(0),
                       data.max_input_chars_per_word};
  return std::unique_ptr<Tokenizer>(
      new WordPiece(std::move(parts), cls, std::move(ends), std::move(post)));
}

Encoding WordPiece::encode(std::string_view text, const EncodeOptions& options) const {
  Encoding content;
  WordPieceJob(parts_, content).run(text);
  const TextLengths kept = kept_lengths({content.ids.size(), 0}, post_.single, options);
  return fill_template(post_.single, content, {}, kept, options.add_special);
}

Result<Encoding> WordPiece::encode_pair(std::string_view first, std::string_view second,
                                        const EncodeOptions& options) const {
  // Hugging Face stops reading a text after the word that reaches `max_length` tokens. It truncates
  // by the lengths at that point.
  const size_t enough = options.max_length.value_or(UINT32_MAX);
  Encoding contents[2];
  WordPieceJob jobs[2] = {{parts_, contents[0], enough}, {parts_, contents[1], enough}};
  jobs[0].run(first);
  jobs[1].run(second);
  const TextLengths kept =
      kept_lengths({jobs[0].length_read(), jobs[1].length_read()}, post_.pair, options);
  return fill_template(post_.pair, contents[0], contents[1], kept, options.add_special);
}

std::unique_ptr<TokenDecoder> WordPiece::decoder(bool skip_special) const {
  return std::make_unique<WordPieceStream>(*this, parts_.pieces.continuing_prefix(), skip_special);
}

size_t WordPiece::size() const {
  return std::max(parts_.pieces.vocabulary().size(), parts_.added.id_limit());
}

std::string_view WordPiece::token(uint32_t id) const {
  if (const auto added = parts_.added.text(id)) return *added;
  const model::Vocabulary& vocabulary = parts_.pieces.vocabulary();
  return id < vocabulary.size() ? vocabulary[id] : std::string_view();
}

std::optional<uint32_t> WordPiece::id(std::string_view token) const {
  if (const model::AddedToken* added = parts_.added.find(token)) return added->id;
  return parts_.pieces.find(token);
}

bool WordPiece::is_special(uint32_t id) const { return parts_.added.is_special(token(id)); }

}  // namespace ambry::text
