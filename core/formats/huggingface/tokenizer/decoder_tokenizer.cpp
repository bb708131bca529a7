#include "formats/huggingface/tokenizer/decoder_tokenizer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "base/concat.h"
#include "base/utf8.h"
#include "formats/foreign_text.h"
#include "formats/huggingface/side_files/file_values.h"
#include "formats/huggingface/tokenizer/bpe_json.h"
#include "formats/huggingface/tokenizer/bpe_steps.h"
#include "formats/huggingface/tokenizer/merge_order.h"
#include "formats/huggingface/tokenizer/special_names.h"
#include "formats/huggingface/tokenizer/stated_ends.h"
#include "formats/huggingface/tokenizer/template_files.h"
#include "model/metadata/metadata_value.h"
#include "model/tokenizer/added_token_ids.h"
#include "model/tokenizer/end_switches.h"
#include "model/tokenizer/end_tokens.h"
#include "model/tokenizer/files/sentencepiece_model.h"
#include "model/tokenizer/files/tiktoken_file.h"
#include "model/tokenizer/post_processor_json.h"
#include "model/tokenizer/tokenizer_metadata.h"
#include "model/tokenizer/tokenizer_options.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using model::TokenizerData;
using Id = std::optional<uint32_t> TokenizerData::*;

struct SpecialToken {
  const char* text_key;    // key in tokenizer_config.json
  const char* number_key;  // key in config.json
  const char* name;        // name in AMB
  Id id;
};
constexpr std::array<SpecialToken, 4> kSpecial = {
    {{"bos_token", "bos_token_id", "bos_id", &TokenizerData::bos_id},
     {"eos_token", "eos_token_id", "eos_id", &TokenizerData::eos_id},
     {"pad_token", "pad_token_id", "pad_id", &TokenizerData::pad_id},
     {"unk_token", "unk_token_id", "unk_id", &TokenizerData::unk_id}}};

// Reads `{"32000": {"content": "<|endoftext|>", …}}` of tokenizer_config.json as a list with ids.
Result<Json> added_tokens_decoder(const Json& options) {
  Json list = Json::array();
  const Json* decoder = options.find("added_tokens_decoder");
  if (decoder == nullptr || !decoder->is_object()) return list;
  for (const auto& [number, token] : decoder->members()) {
    uint32_t id = 0;
    const char* end = number.data() + number.size();
    const auto [stopped, problem] = std::from_chars(number.data(), end, id);
    if (problem != std::errc() || stopped != end || !token.is_object()) {
      return error_at(ErrorCode::BadValue, token.byte_offset(),
                      {"tokenizer_config.json.added_tokens_decoder.", number},
                      "not an id with an object");
    }
    Json item = token;
    item.set("id", id);
    list.append(std::move(item));
  }
  return list;
}

// Reads `{"<pad>": 32000}` as a list of objects.
Json added_tokens_of_map(const Json& map) {
  Json list = Json::array();
  for (const auto& [content, id] : map.members()) {
    Json& item = list.append(Json::object());
    item.set("id", id);
    item.set("content", content);
    item.set("special", false);
  }
  return list;
}

class TokenizerReader {
 public:
  TokenizerReader(const SideFiles& files, const Json& config) : files_(files), config_(config) {}

  Result<std::optional<DecoderTokenizer>> read();

 private:
  Result<bool> read_own();
  Result<void> read_whole();
  Result<void> keep_whole_if_needed();
  Result<void> read_pair(const std::string& vocab);
  Result<void> read_ranks(std::string_view file);
  Result<void> read_added();
  Result<void> read_special();
  Result<void> read_ends(std::vector<uint32_t> ends);
  [[nodiscard]] std::optional<uint32_t> id_of(std::string_view text) const;
  void read_options();
  void settle_ends();

  // The file tokenizer.model, unless it is tiktoken's.
  [[nodiscard]] const std::string* sentencepiece_file() const;

  const SideFiles& files_;
  const Json& config_;  // config.json
  Json whole_;          // tokenizer.json where it is the tokenizer, or null
  // What `whole_` adds around texts. Nothing where that cannot be read.
  std::optional<model::PostProcessor> post_processor_;
  Json settings_ = Json::object();
  DecoderTokenizer made_;
};

const std::string* TokenizerReader::sentencepiece_file() const {
  const std::string* file = files_.find("tokenizer.model");
  return file != nullptr && is_tiktoken(*file) ? nullptr : file;
}

Result<std::optional<DecoderTokenizer>> TokenizerReader::read() {
  AMBRY_TRY(auto settings, read_json_file(files_, "tokenizer_config.json"));
  if (settings) settings_ = std::move(*settings);
  AMBRY_RETURN_IF_ERROR(refuse_pointer(files_, "tokenizer.model"));
  AMBRY_TRY(auto whole, read_json_file(files_, "tokenizer.json"));
  if (whole) whole_ = std::move(*whole);
  AMBRY_TRY(const bool found, read_own());
  if (!found) return std::optional<DecoderTokenizer>();
  AMBRY_RETURN_IF_ERROR(read_added());
  AMBRY_RETURN_IF_ERROR(read_special());
  read_options();
  settle_ends();
  AMBRY_TRY(const auto templates, read_chat_template_files(files_, settings_, made_.warnings));
  model::put_chat_templates(templates, made_.options);
  // As a reader of the AMB file will see it.
  AMBRY_RETURN_IF_ERROR(
      model::read_tokenizer_options(made_.options, "tokenizer_config.json", made_.tokenizer));
  return std::optional(std::move(made_));
}

// tokenizer.json decides, as in the libraries that the model was published for. A tokenizer.model
// beside it has the same pieces, but not the steps before them.
Result<bool> TokenizerReader::read_own() {
  const std::string* proto = sentencepiece_file();
  if (!whole_.is_null()) AMBRY_RETURN_IF_ERROR(read_whole());
  if (made_.refusal && proto != nullptr) {
    Error why = std::move(*made_.refusal);
    why.message += "; tokenizer.model is read instead";
    made_ = {};
    made_.warnings.push_back(std::move(why));
    whole_ = {};
    post_processor_.reset();
  }
  if (!whole_.is_null()) return true;
  if (proto != nullptr) {
    AMBRY_TRY(made_.tokenizer,
              model::sentencepiece_tokenizer(as_bytes(*proto), 0, "tokenizer.model"));
    return true;
  }
  const std::string* vocab = files_.find("vocab.json");
  const std::string* ranks = files_.find("tokenizer.model");
  if (vocab == nullptr && ranks != nullptr) {
    AMBRY_RETURN_IF_ERROR(read_ranks(*ranks));
    return true;
  }
  if (vocab == nullptr) return false;
  AMBRY_RETURN_IF_ERROR(read_pair(*vocab));
  return true;
}

Result<void> TokenizerReader::read_whole() {
  AMBRY_RETURN_IF_ERROR(read_tokenizer_json(whole_, made_));
  post_processor_ = std::move(made_.tokenizer.post_processor);
  made_.tokenizer.post_processor.reset();
  AMBRY_RETURN_IF_ERROR(keep_whole_if_needed());
  // AMB's file has the scores that the merges give.
  if (made_.tokenizer.kind == model::TokenizerKind::SentencePieceBpe) made_.tokenizer.merges = {};
  if (made_.tokenizer.kind == model::TokenizerKind::Custom) {
    made_.tokenizer.payload = *files_.find("tokenizer.json");
  }
  return {};
}

// Whether each segment gets U+2581 unless it starts with a space (Metaspace, `always`).
Result<bool> marks_always(const DecoderTokenizer& made) {
  const TokenizerData& tokenizer = made.tokenizer;
  if (tokenizer.marks_before_added != false || made.options.find("legacy") != nullptr) return false;
  AMBRY_TRY(const auto file,
            model::parse_sentencepiece_model(as_bytes(tokenizer.payload), 0, "tokenizer.json"));
  return file.add_dummy_prefix;
}

// AMB's SentencePiece merges by scores, looks for added tokens in the raw text, and has no
// Metaspace of the kind `always`. The whole file can say more.
Result<void> TokenizerReader::keep_whole_if_needed() {
  TokenizerData& tokenizer = made_.tokenizer;
  AMBRY_TRY(const bool always, marks_always(made_));
  bool fits = !always && (tokenizer.kind != model::TokenizerKind::SentencePieceBpe ||
                          scores_say_merges(tokenizer));
  const Json* list = whole_.find("added_tokens");
  if (tokenizer.marks_before_added && list != nullptr) {
    AMBRY_TRY(const auto added,
              model::added_tokens_from_json(*list, "tokenizer.json.added_tokens"));
    fits = fits && std::ranges::none_of(added, &model::AddedToken::normalized);
  }
  tokenizer.marks_before_added.reset();
  if (fits) return {};
  made_ = {};
  made_.tokenizer.kind = model::TokenizerKind::Custom;
  return {};
}

Result<void> TokenizerReader::read_pair(const std::string& vocab) {
  const std::string* merges = files_.find("merges.txt");
  if (merges == nullptr) {
    return make_error(ErrorCode::NotFound, "merges.txt", "vocab.json is of no use without it");
  }
  for (const char* name : {"vocab.json", "merges.txt"}) {
    AMBRY_RETURN_IF_ERROR(refuse_pointer(files_, name));
  }
  AMBRY_TRY(const Json tokens, io::parse_json(vocab, 0, "vocab.json"));
  AMBRY_RETURN_IF_ERROR(read_bpe_vocabulary(tokens, "vocab.json", made_.tokenizer));
  AMBRY_RETURN_IF_ERROR(read_merges_txt(*merges, made_.tokenizer));
  made_.tokenizer.kind = model::TokenizerKind::Bpe;
  made_.options.set("pretokenizer", "gpt2");
  return {};
}

// A file of tiktoken, as Meta has it. The number of its ranks tells the rest.
Result<void> TokenizerReader::read_ranks(std::string_view file) {
  auto read = model::parse_tiktoken(file, nullptr);
  if (!read) {
    Failure error = read.take_error();
    error->path = concat({"tokenizer.model.", error->path});
    error->message += "; put the model's tokenizer.json beside it";
    return error;
  }
  made_.tokenizer = std::move(read->data);
  made_.options = model::tokenizer_options_json(made_.tokenizer);
  const std::string& others = read->encoding.others;
  if (others.empty()) return {};
  made_.warnings.push_back(
      std::move(*make_error(ErrorCode::NotFound, "tokenizer.model",
                            {"does not list its special tokens; assuming those of ",
                             read->encoding.name, ". A file of ", others, " has the same ranks"})));
  return {};
}

Result<void> TokenizerReader::read_added() {
  const Json* list = whole_.find("added_tokens");
  AMBRY_TRY(const Json decoder, added_tokens_decoder(settings_));
  AMBRY_TRY(const auto map, read_json_file(files_, "added_tokens.json"));
  Json from_map;
  std::string path = "tokenizer.json.added_tokens";
  if (list == nullptr) {
    path = "tokenizer_config.json.added_tokens_decoder";
    list = &decoder;
    if (decoder.items().empty() && map && map->is_object()) {
      path = "added_tokens.json";
      from_map = added_tokens_of_map(*map);
      list = &from_map;
    }
    // A file of tiktoken has its own.
    if (list->items().empty()) return {};
  }
  TokenizerData& tokenizer = made_.tokenizer;
  AMBRY_TRY(tokenizer.added_tokens, model::added_tokens_from_json(*list, path));
  const bool states_all = list == whole_.find("added_tokens") && !tokenizer.vocabulary.empty();
  if (!states_all) return {};
  return model::resolve_added_ids(tokenizer.vocabulary, tokenizer.ids, *list, path,
                                  tokenizer.added_tokens);
}

std::optional<uint32_t> TokenizerReader::id_of(std::string_view text) const {
  const TokenizerData& tokenizer = made_.tokenizer;
  const auto added = std::ranges::find(tokenizer.added_tokens, text, &model::AddedToken::content);
  if (added != tokenizer.added_tokens.end()) return added->id;
  for (size_t i = 0; i < tokenizer.vocabulary.size(); ++i) {
    if (tokenizer.vocabulary[i] != text) continue;
    return tokenizer.ids.empty() ? static_cast<uint32_t>(i) : tokenizer.ids[i];
  }
  return std::nullopt;
}

// Special tokens by text, else by id.
Result<void> TokenizerReader::read_special() {
  AMBRY_TRY(std::vector<uint32_t> ends, read_stated_ends(files_, config_, made_.warnings));
  for (const auto& [text_key, number_key, name, id] : kSpecial) {
    const Json* text = settings_.find(text_key);
    if (text != nullptr && text->is_object()) text = text->find("content");
    const Json* number = config_.find(number_key);
    if (text != nullptr && text->is_string()) {
      if (const auto found = id_of(text->string())) made_.tokenizer.*id = found;
    } else if (id == &TokenizerData::eos_id) {
      made_.tokenizer.eos_id = ends.empty() ? made_.tokenizer.eos_id : ends.front();
    } else if (number != nullptr && number->is_uint() && number->uint() <= UINT32_MAX) {
      made_.tokenizer.*id = static_cast<uint32_t>(number->uint());
    }
    const bool listed = number != nullptr && number->is_array();
    if (listed && id != &TokenizerData::eos_id) made_.options.set(name, *number);
  }
  return read_ends(std::move(ends));
}

// All ends of an answer: those of the files, and tokens known by their text.
Result<void> TokenizerReader::read_ends(std::vector<uint32_t> ends) {
  TokenizerData& tokenizer = made_.tokenizer;
  AMBRY_TRY(const auto names, read_json_file(files_, "special_tokens_map.json"));
  if (names) {
    if (const auto id = id_of(special_name(*names, "eos_token"))) ends.push_back(*id);
  }
  model::set_stated_ends(ends, tokenizer);
  model::put_end_ids(tokenizer, made_.options);
  return {};
}

void TokenizerReader::read_options() {
  if (!made_.tokenizer.added_tokens.empty()) {
    made_.options.set("added_tokens", model::added_tokens_to_json(made_.tokenizer.added_tokens));
  }
  // A tokenizer.json says where its spaces are marked. Hugging Face's loader sets the space before
  // a text again, if ByteLevel is the only step.
  const bool whole = !whole_.is_null();
  const bool spaces = !whole || type_of(whole_.find("pre_tokenizer")) == "ByteLevel";
  struct Flag {
    const char* key;
    const char* name;
    bool counts = true;
  };
  const std::array kFlags = {Flag{"add_bos_token", "add_bos"}, Flag{"add_eos_token", "add_eos"},
                             Flag{"legacy", "legacy", !whole},
                             Flag{"add_prefix_space", "add_prefix_space", spaces}};
  for (const auto& [key, name, counts] : kFlags) {
    const Json* value = settings_.find(key);
    if (counts && value != nullptr && value->is_bool()) made_.options.set(name, *value);
  }
  const bool sentencepiece = !whole && sentencepiece_file() != nullptr;
  if (sentencepiece && made_.options.find("add_bos") == nullptr) made_.options.set("add_bos", true);
}

// The post-processor adds its own ids, which may be others than those of bos_token and eos_token.
// add_bos_token and add_eos_token turn an end on or off.
void TokenizerReader::settle_ends() {
  if (!post_processor_) return;
  const auto flag = [&](const char* name) -> std::optional<bool> {
    const Json* value = made_.options.find(name);
    return value == nullptr ? std::nullopt : std::optional(value->boolean());
  };
  const auto post = model::with_ends(
      *post_processor_,
      {flag("add_bos"), flag("add_eos"), made_.tokenizer.bos_id, made_.tokenizer.eos_id});
  // Without the id of a wanted token, making the tokenizer says so.
  if (post) made_.options.set("post_processor", model::post_processor_json(*post));
}

}  // namespace

Result<std::optional<DecoderTokenizer>> read_decoder_tokenizer(const SideFiles& files,
                                                               const io::Json& config) {
  return TokenizerReader(files, config).read();
}

}  // namespace ambry::formats::huggingface
