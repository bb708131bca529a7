#include "text/tokenizer_json/unigram_json.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "model/metadata/metadata_value.h"
#include "model/tokenizer/added_token_ids.h"
#include "model/tokenizer/end_tokens.h"
#include "model/tokenizer/files/model_type.h"
#include "model/tokenizer/post_processor_json.h"
#include "model/tokenizer/tokenizer_metadata.h"
#include "text/sentencepiece/sentencepiece_normalizer.h"

namespace ambry::text {
namespace {

using io::Json;

constexpr const char* kVocabularyPath = "tokenizer.json.model.vocab";

Failure bad_json(ErrorCode code, const Json& at, const char* path, const Text& message) {
  return error_at(code, at.byte_offset(), path, message);
}

// The file states everything that is added to a text, unless the model it belongs to does.
Result<SpecialTokens> read_special_tokens(const Json& root, const model::TokenizerData& data,
                                          const std::vector<model::AddedToken>& added) {
  SpecialTokens special_tokens;
  AMBRY_TRY(special_tokens.post, model::read_post_processor(root));
  if (data.post_processor) special_tokens.post = *data.post_processor;
  special_tokens.bos = data.bos_id;
  special_tokens.ends = model::end_ids(data, added);
  return special_tokens;
}

// The ids that the template adds must be those of pieces or added tokens.
Result<void> check_template(const Json& root, const model::PostProcessor& post, size_t n_pieces,
                            const std::vector<model::AddedToken>& added) {
  size_t limit = n_pieces;
  for (const model::AddedToken& token : added) limit = std::max(limit, size_t{token.id} + 1);
  for (const model::Template* parts : {&post.single, &post.pair}) {
    for (const model::TemplatePart& part : *parts) {
      for (const uint32_t id : part.ids) {
        if (id < limit) continue;
        const Json* place = root.find("post_processor");
        return bad_json(ErrorCode::BadValue, place != nullptr ? *place : root,
                        "tokenizer.json.post_processor",
                        {"the id ", id, " is not below the ", limit, " tokens"});
      }
    }
  }
  return {};
}

}  // namespace

UnigramJson::UnigramJson(Vocabulary vocabulary, Steps steps, AddedTokens added,
                         SpecialTokens special_tokens)
    : SegmentTokenizer(std::move(added), std::move(special_tokens)),
      pieces_(std::move(vocabulary.pieces), vocabulary.scores.size(), {}),
      trie_(std::move(vocabulary.trie)),
      unigram_(trie_, vocabulary.scores,
               *std::min_element(vocabulary.scores.begin(), vocabulary.scores.end()) -
                   double{kUnknownPenalty}),
      unk_(vocabulary.unk),
      bytes_(vocabulary.bytes),
      steps_(std::move(steps)) {}

Result<UnigramJson::Vocabulary> UnigramJson::read_vocabulary(model::UnigramFile& file) {
  const Json& model = *file.root.find("model");
  for (size_t id = 0; id < file.pieces.size(); ++id) {
    if (file.pieces[id].size() <= kMaxPieceBytes) continue;
    return bad_json(ErrorCode::LimitExceeded, model, kVocabularyPath,
                    {"piece ", id, " has ", file.pieces[id].size(), " bytes, but at most ",
                     kMaxPieceBytes, " are supported"});
  }
  Vocabulary made;
  made.pieces = std::move(file.pieces);
  made.scores = std::move(file.scores);
  std::vector<uint32_t> ids(made.scores.size());
  std::iota(ids.begin(), ids.end(), 0U);
  AMBRY_TRY(made.trie, PieceTrie::build(made.pieces, ids));
  const Json* unk = model.find("unk_id");
  if (unk != nullptr && unk->is_uint() && unk->uint() < ids.size()) {
    made.unk = static_cast<uint32_t>(unk->uint());
  }
  const Json* fallback = model.find("byte_fallback");
  if (fallback != nullptr && fallback->is_bool() && fallback->boolean()) {
    made.bytes.emplace().fill(PieceMatch::kUnknown);
    for (const uint32_t id : ids) {
      if (const auto byte = byte_of_piece(made.pieces[id])) (*made.bytes)[*byte] = id;
    }
    if (std::ranges::count(*made.bytes, PieceMatch::kUnknown) > 0) made.bytes.reset();
  }
  if (!made.unk && !made.bytes) {
    return bad_json(ErrorCode::NotFound, model, kVocabularyPath,
                    "the vocabulary needs an unknown piece or a piece for every byte");
  }
  return made;
}

Result<UnigramJson::Steps> UnigramJson::read_steps(const model::UnigramFile& file) {
  Steps steps;
  AMBRY_TRY(steps.normalizer,
            NormalizerSteps::read(file.root.find("normalizer"), as_bytes(file.charsmap)));
  AMBRY_TRY(steps.words, WordRules::read(file.root.find("pre_tokenizer")));
  steps.decoding = JsonDecoding(file.root);
  return steps;
}

Result<std::unique_ptr<Tokenizer>> UnigramJson::create(model::TokenizerData data) {
  AMBRY_TRY(model::UnigramFile file, data.kind == model::TokenizerKind::Unigram
                                         ? model::open_unigram(data)
                                         : model::read_unigram_file(data.payload));
  const Json& root = file.root;
  AMBRY_TRY(Vocabulary vocabulary, read_vocabulary(file));
  AMBRY_TRY(Steps steps, read_steps(file));
  std::vector<model::AddedToken> added;
  if (const Json* list = root.find("added_tokens")) {
    constexpr const char* kPath = "tokenizer.json.added_tokens";
    AMBRY_TRY(added, model::added_tokens_from_json(*list, kPath));
    AMBRY_RETURN_IF_ERROR(model::resolve_added_ids(vocabulary.pieces, {}, *list, kPath, added));
  }
  AMBRY_TRY(SpecialTokens special_tokens, read_special_tokens(root, data, added));
  AMBRY_RETURN_IF_ERROR(check_template(root, special_tokens.post, vocabulary.scores.size(), added));
  std::vector<std::string> contents;
  contents.reserve(added.size());
  for (const model::AddedToken& token : added) {
    contents.push_back(steps.normalizer.apply(token.content).text());
  }
  return std::unique_ptr<Tokenizer>(new UnigramJson(
      std::move(vocabulary), std::move(steps), AddedTokens(std::move(added), std::move(contents)),
      std::move(special_tokens)));
}

Result<void> UnigramJson::can_decode() const {
  const std::optional<Error>& refusal = steps_.decoding.refusal();
  return refusal ? Failure(*refusal) : Result<void>();
}

std::unique_ptr<TokenDecoder> UnigramJson::decoder(bool skip_special) const {
  return steps_.decoding.decoder(*this, added(), skip_special);
}

std::optional<std::string> UnigramJson::text_bytes(uint32_t id) const {
  if (is_special(id) || id == unk_) return std::nullopt;
  return steps_.decoding.bytes_of(token(id));
}

void UnigramJson::encode_segment(std::string_view text, bool first,
                                 std::vector<SegmentToken>& out) const {
  for (const AlignedText& word : steps_.words.words(text, first)) encode_word(word, out);
}

void UnigramJson::encode_word(const AlignedText& word, std::vector<SegmentToken>& out) const {
  std::vector<PieceMatch> matches;
  unigram_.encode(word.text(), matches);
  size_t at = 0;
  size_t unknown_from = 0;  // start of the run of unknown characters before `at`
  for (const PieceMatch& match : matches) {
    const size_t end = at + match.n_bytes;
    const bool is_unk = match.id == PieceMatch::kUnknown || (match.id == unk_ && !bytes_);
    if (!is_unk) {
      push_unknown(word, unknown_from, at, out);
      const ByteRange range = word.origin(at, end);
      out.push_back({match.id, range.begin, range.end});
      unknown_from = end;
    }
    at = end;
  }
  push_unknown(word, unknown_from, at, out);
  if (!matches.empty()) out.back().ends_word = true;
}

void UnigramJson::push_unknown(const AlignedText& word, size_t begin, size_t end,
                               std::vector<SegmentToken>& out) const {
  if (begin == end) return;
  const ByteRange range = word.origin(begin, end);
  if (!bytes_) return out.push_back({*unk_, range.begin, range.end});
  for (size_t i = begin; i < end; ++i) {
    const uint32_t id = (*bytes_)[static_cast<uint8_t>(word.text()[i])];
    out.push_back({id, range.begin, range.end});
  }
}

}  // namespace ambry::text
