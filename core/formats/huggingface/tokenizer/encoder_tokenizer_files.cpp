#include "formats/huggingface/tokenizer/encoder_tokenizer_files.h"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "formats/huggingface/side_files/file_values.h"
#include "formats/huggingface/tokenizer/bpe_json.h"
#include "formats/huggingface/tokenizer/sentencepiece_files.h"
#include "formats/huggingface/tokenizer/siglip_steps.h"
#include "formats/huggingface/tokenizer/special_names.h"
#include "formats/huggingface/tokenizer/tokenizer_files.h"
#include "model/metadata/metadata_value.h"
#include "model/tokenizer/files/model_type.h"
#include "model/tokenizer/files/unigram_file.h"
#include "model/tokenizer/tokenizer_metadata.h"
#include "model/tokenizer/tokenizer_options.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using model::TokenizerData;
using model::TokenizerKind;

// Options that a loader passes to WordPiece in addition to the tokenizer's own file.
Result<void> read_wordpiece_options(const Json& options, TokenizerData& tokenizer) {
  bool basic = true;
  if (model::has_value(options, "do_lower_case")) tokenizer.lowercase_assumed = false;
  AMBRY_RETURN_IF_ERROR(
      model::read_values(options, {{"do_lower_case", tokenizer.lowercase},
                                   {"strip_accents", tokenizer.strip_accents},
                                   {"tokenize_chinese_chars", tokenizer.handle_chinese_chars},
                                   {"do_basic_tokenize", basic}}));
  if (!basic) {
    return error_at(ErrorCode::Unsupported, options.byte_offset(),
                    "tokenizer_config.json.do_basic_tokenize", "turned off");
  }
  return {};
}

class EncoderTokenizer {
 public:
  EncoderTokenizer(const SideFiles& files, std::string_view folder, std::string_view model_type)
      : files_(files), folder_(folder), model_type_(model_type) {}

  Result<TokenizerData> read();

 private:
  // Nullptr for a file that is absent.
  [[nodiscard]] Result<const std::string*> content_of(std::string_view name) const {
    const std::string path = folder_ + std::string(name);
    AMBRY_RETURN_IF_ERROR(refuse_pointer(files_, path));
    return files_.find(path);
  }
  [[nodiscard]] std::string class_name() const;
  [[nodiscard]] Result<void> refuse_jieba() const;
  Result<void> read_files();
  Result<TokenizerData> read_json(const std::string& text);
  Result<TokenizerData> read_words(const std::string& text);
  Result<TokenizerData> read_pairs(const std::string& vocab);
  Result<void> add_names();
  Result<void> set_ends_of_words();
  Result<void> set_ends_of_pairs();

  const SideFiles& files_;
  std::string folder_;
  std::string_view model_type_;
  Json options_ = Json::object();  // tokenizer_config.json
  std::optional<Json> names_;      // special_tokens_map.json
  std::vector<model::AddedToken> added_;
  TokenizerData made_;
  bool whole_ = false;  // from a tokenizer.json
};

// Without `Fast` at its end.
std::string EncoderTokenizer::class_name() const {
  std::string name(model::metadata_text(options_, "tokenizer_class").value_or(""));
  if (name.ends_with("Fast")) name.resize(name.size() - 4);
  return name;
}

// RoFormer's class, which is also that of a model without one, cuts texts into words first. Its
// tokenizer.json does not say so.
Result<void> EncoderTokenizer::refuse_jieba() const {
  const std::string name = class_name();
  if (name != "RoFormerTokenizer" && (!name.empty() || model_type_ != "roformer")) return {};
  return make_error(ErrorCode::Unsupported, {folder_, "tokenizer_config.json.tokenizer_class"},
                    "RoFormerTokenizer cuts texts into words with a dictionary of Chinese (jieba), "
                    "which is not supported; RoFormer with BertTokenizer is");
}

Result<TokenizerData> EncoderTokenizer::read() {
  AMBRY_TRY(auto options, read_json_file(files_, folder_ + "tokenizer_config.json"));
  if (options) options_ = std::move(*options);
  AMBRY_TRY(names_, read_json_file(files_, folder_ + "special_tokens_map.json"));
  AMBRY_RETURN_IF_ERROR(refuse_jieba());
  AMBRY_RETURN_IF_ERROR(read_files());
  AMBRY_RETURN_IF_ERROR(add_names());
  return std::move(made_);
}

Result<void> EncoderTokenizer::read_files() {
  AMBRY_TRY(const std::string* whole, content_of("tokenizer.json"));
  if (whole != nullptr) {
    whole_ = true;
    AMBRY_TRY(made_, read_json(*whole));
    return {};
  }
  AMBRY_TRY(const std::string* words, content_of("vocab.txt"));
  if (words != nullptr) {
    AMBRY_TRY(made_, read_words(*words));
    return {};
  }
  AMBRY_TRY(const std::string* vocab, content_of("vocab.json"));
  if (vocab != nullptr) {
    AMBRY_TRY(made_, read_pairs(*vocab));
    return {};
  }
  for (const char* name :
       {"sentencepiece.bpe.model", "spiece.model", "spm.model", "tokenizer.model"}) {
    AMBRY_TRY(const std::string* pieces, content_of(name));
    if (pieces == nullptr) continue;
    AMBRY_TRY(made_, read_unigram_pieces(*pieces, name, class_name(), model_type_, options_));
    return {};
  }
  return make_error(ErrorCode::NotFound, {folder_, "tokenizer.json"},
                    "there is no tokenizer.json, vocab.txt, vocab.json or SentencePiece model");
}

Result<TokenizerData> EncoderTokenizer::read_json(const std::string& text) {
  AMBRY_TRY(const Json root, io::parse_json(text, 0, "tokenizer.json"));
  const std::string_view type = model::tokenizer_model_type(root);
  if (type == "Unigram") {
    if (const Json* list = root.find("added_tokens")) {
      AMBRY_TRY(added_, model::added_tokens_from_json(*list, "tokenizer.json.added_tokens"));
    }
    AMBRY_TRY(auto file, model::read_unigram_file(text));
    // The class has its own steps, whatever the file says.
    if (class_name() == kSiglipTokenizer) {
      file.root.set("normalizer", siglip_normalizer(!file.charsmap.empty()));
    }
    return model::unigram_tokenizer(std::move(file));
  }
  if (type != "BPE") return parse_tokenizer_json(text);
  AMBRY_TRY(TokenizerData data, parse_bpe_json(root, false));
  // RoBERTa's loader sets this again.
  if (data.kind == TokenizerKind::Bpe) {
    AMBRY_RETURN_IF_ERROR(model::read_values(
        options_, {{"add_prefix_space", data.add_prefix_space}}, "tokenizer_config.json"));
  }
  return data;
}

Result<TokenizerData> EncoderTokenizer::read_words(const std::string& text) {
  AMBRY_TRY(const auto added, read_json_file(files_, folder_ + "added_tokens.json"));
  if (added && added->is_object() && !added->members().empty()) {
    return make_error(ErrorCode::Unsupported, {folder_, "added_tokens.json"},
                      "added tokens are read from tokenizer.json only, which is missing");
  }
  return parse_vocab_txt(text);
}

Result<TokenizerData> EncoderTokenizer::read_pairs(const std::string& vocab) {
  AMBRY_TRY(const std::string* merges, content_of("merges.txt"));
  if (merges == nullptr) {
    return make_error(ErrorCode::NotFound, {folder_, "merges.txt"},
                      "vocab.json is of no use without it");
  }
  TokenizerData data;
  data.kind = TokenizerKind::Bpe;
  data.pretokenizer = "gpt2";
  AMBRY_TRY(const Json tokens, io::parse_json(vocab, 0, "vocab.json"));
  AMBRY_RETURN_IF_ERROR(read_bpe_vocabulary(tokens, "vocab.json", data));
  AMBRY_RETURN_IF_ERROR(read_merges_txt(*merges, data));
  data.add_prefix_space = false;
  AMBRY_RETURN_IF_ERROR(model::read_values(options_, {{"add_prefix_space", data.add_prefix_space}},
                                           "tokenizer_config.json"));
  return data;
}

Result<void> EncoderTokenizer::add_names() {
  if (made_.kind == TokenizerKind::Bpe || made_.kind == TokenizerKind::SentencePieceBpe) {
    added_ = made_.added_tokens;
  }
  // The post-processor's own ids stay, whatever the tokens are called.
  const auto stated = std::pair(made_.cls_id, made_.sep_id);
  if (names_) read_special_names(*names_, added_, made_);
  read_special_names(options_, added_, made_);
  if (made_.kind == TokenizerKind::WordPiece) {
    AMBRY_RETURN_IF_ERROR(read_wordpiece_options(options_, made_));
    if (!whole_) return set_ends_of_words();
    if (!made_.post_processor) std::tie(made_.cls_id, made_.sep_id) = stated;
    return {};
  }
  return whole_ || made_.kind != TokenizerKind::Bpe ? Result<void>() : set_ends_of_pairs();
}

// A vocab.txt says nothing of the ends of texts. MPNet's are RoBERTa's.
Result<void> EncoderTokenizer::set_ends_of_words() {
  if (class_name() == "MPNetTokenizer" || (class_name().empty() && model_type_ == "mpnet")) {
    const auto find_or = [&](std::optional<uint32_t>& id, std::string_view usual) {
      if (!id) id = find_token(made_, {}, usual);
    };
    find_or(made_.cls_id, "<s>");
    find_or(made_.sep_id, "</s>");
    find_or(made_.pad_id, "<pad>");
    find_or(made_.mask_id, "<mask>");
    if (!made_.cls_id || !made_.sep_id) {
      return make_error(ErrorCode::NotFound, {folder_, "vocab.txt"},
                        "the tokens <s> and </s> are missing");
    }
    made_.post_processor = model::roberta_post_processor(*made_.cls_id, *made_.sep_id);
  }
  made_.added_tokens = model::special_added_tokens(made_);
  if (!made_.post_processor) return {};
  for (model::AddedToken& token : made_.added_tokens) token.lstrip = token.id == made_.mask_id;
  return {};
}

// RoBERTa's special tokens.
Result<void> EncoderTokenizer::set_ends_of_pairs() {
  using Id = std::optional<uint32_t> TokenizerData::*;
  constexpr std::pair<std::string_view, Id> kUsual[] = {{"<s>", &TokenizerData::cls_id},
                                                        {"<pad>", &TokenizerData::pad_id},
                                                        {"</s>", &TokenizerData::sep_id},
                                                        {"<unk>", nullptr},
                                                        {"<mask>", &TokenizerData::mask_id}};
  for (const auto& [usual, id] : kUsual) {
    std::optional<uint32_t> found = id != nullptr ? made_.*id : std::nullopt;
    if (!found) found = find_token(made_, {}, usual);
    if (!found) continue;
    if (id != nullptr) made_.*id = found;
    model::AddedToken token;
    token.id = *found;
    const auto at =
        made_.ids.empty()
            ? size_t{*found}
            : static_cast<size_t>(std::ranges::find(made_.ids, *found) - made_.ids.begin());
    token.content = made_.vocabulary[at];
    token.lstrip = id == &TokenizerData::mask_id;
    made_.added_tokens.push_back(std::move(token));
  }
  if (!made_.cls_id || !made_.sep_id) {
    return make_error(ErrorCode::NotFound, {folder_, "vocab.json"},
                      "the tokens <s> and </s> are missing");
  }
  made_.bos_id = made_.bos_id ? made_.bos_id : made_.cls_id;
  made_.eos_id = made_.eos_id ? made_.eos_id : made_.sep_id;
  made_.post_processor = model::roberta_post_processor(*made_.cls_id, *made_.sep_id);
  return {};
}

// The file of a tokenizer without what it says of the lengths of texts.
Result<std::string> without_lengths(const std::string& payload) {
  if (payload.empty()) return payload;
  AMBRY_TRY(Json root, io::parse_json(payload, 0, "tokenizer.json"));
  for (const char* name : {"padding", "truncation"}) root.set(name, Json());
  return root.dump();
}

// What decides which tokens a text has, without those that are added around it.
Result<TokenizerData> tokens_alone(TokenizerData data) {
  for (auto id : {&TokenizerData::bos_id, &TokenizerData::eos_id, &TokenizerData::pad_id,
                  &TokenizerData::unk_id, &TokenizerData::cls_id, &TokenizerData::sep_id,
                  &TokenizerData::mask_id}) {
    data.*id = {};
  }
  data.eos_ids = {};
  data.post_processor = {};
  data.add_bos = {};
  data.add_eos = {};
  data.lists_added_tokens = false;
  data.lowercase_assumed = false;
  data.payload_offset = 0;
  AMBRY_TRY(data.payload, without_lengths(data.payload));
  return data;
}

}  // namespace

Result<void> check_same_tokens(const SideFiles& files, std::string_view folder,
                               std::string_view model_type, const TokenizerData& other) {
  auto own = read_tokenizer(files, folder, model_type);
  if (!own) {
    if (own.error().code == ErrorCode::NotFound) return {};
    return own.take_error();
  }
  AMBRY_TRY(const TokenizerData a, tokens_alone(std::move(*own)));
  AMBRY_TRY(const TokenizerData b, tokens_alone(other));
  if (a == b) return {};
  const char* const name =
      files.find(concat({folder, "tokenizer.json"})) != nullptr ? "tokenizer.json" : "vocab.txt";
  return make_error(ErrorCode::Mismatch, {folder, name},
                    a.vocabulary == b.vocabulary
                        ? "this tokenizer cuts texts in another way than that of documents"
                        : "this tokenizer has another vocabulary than that of documents");
}

Result<TokenizerData> read_tokenizer(const SideFiles& files, std::string_view folder,
                                     std::string_view model_type) {
  return EncoderTokenizer(files, folder, model_type).read();
}

Result<void> lower_texts_first(TokenizerData& tokenizer) {
  switch (tokenizer.kind) {
    case TokenizerKind::WordPiece:
      if (tokenizer.lowercase) return {};
      if (!tokenizer.strip_accents) tokenizer.strip_accents = false;
      tokenizer.lowercase = true;
      return {};
    case TokenizerKind::Bpe: {
      std::vector<model::TextChange> changes = model::text_changes_of(tokenizer);
      changes.insert(changes.begin(), model::TextChange::Lowercase);
      tokenizer.normalizer = std::move(changes);
      return {};
    }
    case TokenizerKind::Unigram:
      return model::lower_unigram_texts(tokenizer);
    default:
      return make_error(ErrorCode::Unsupported, "sentence_bert_config.json.do_lower_case",
                        {"tokenizers of the kind ", tokenizer_kind_name(tokenizer.kind),
                         " do not lower-case texts"});
  }
}

}  // namespace ambry::formats::huggingface
