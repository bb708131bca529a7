#include "text/tokenizer_json/decode_steps.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "io/json/json.h"
#include "model/metadata/metadata_value.h"
#include "model/tokenizer/bpe/byte_alphabet.h"
#include "text/unicode/utf8_stream.h"
#include "text/wordpiece/wordpiece_decoder.h"

namespace ambry::text {
namespace {

using io::Json;
using model::metadata_text;

constexpr const char* kPath = "tokenizer.json.decoder";
// A Sequence may hold Sequences.
constexpr int kMaxDepth = 16;
// Limits of what a hostile file costs: steps, and how many times as long all replacements together
// make a text.
constexpr size_t kMaxSteps = 64;
constexpr size_t kMaxGrowth = 64;

std::string well_formed(std::string_view bytes) {
  std::string text;
  Utf8Stream stream(Utf8Stream::IllFormed::Subpart);
  stream.push(bytes, text);
  stream.finish(text);
  return text;
}

// Without a component.
class JoinStep final : public DecodeStep {
 public:
  void run(TokenTexts& texts) const override {
    for (size_t i = 1; i < texts.size(); ++i) texts[i].insert(0, 1, ' ');
  }
};

class FuseStep final : public DecodeStep {
 public:
  void run(TokenTexts& texts) const override { texts.assign(1, joined(texts)); }
};

// A token with any other character than those of the alphabet stands for itself.
class ByteLevelStep final : public DecodeStep {
 public:
  void run(TokenTexts& texts) const override {
    std::string bytes;
    for (const std::string& text : texts) model::ByteAlphabet::instance().append_bytes(text, bytes);
    texts.assign(1, well_formed(bytes));
  }
};

// Pieces such as <0x0A> are bytes. Each byte of an ill-formed run becomes U+FFFD.
class ByteFallbackStep final : public DecodeStep {
 public:
  void run(TokenTexts& texts) const override {
    TokenTexts made;
    std::string bytes;
    const auto flush = [&] {
      if (bytes.empty()) return;
      std::string& text = made.emplace_back();
      if (!find_invalid_utf8(bytes)) {
        text = bytes;
      } else {
        for (size_t i = 0; i < bytes.size(); ++i) append_utf8(text, U'\uFFFD');
      }
      bytes.clear();
    };
    for (std::string& text : texts) {
      if (const auto byte = byte_of(text)) {
        bytes += *byte;
        continue;
      }
      flush();
      made.push_back(std::move(text));
    }
    flush();
    texts = std::move(made);
  }

 private:
  static std::optional<char> byte_of(std::string_view text) {
    if (text.size() != 6 || !text.starts_with("<0x") || !text.ends_with('>')) return std::nullopt;
    int byte = 0;
    for (const char c : text.substr(3, 2)) {
      const bool digit = c >= '0' && c <= '9';
      const int letter = (c | 0x20) - 'a';
      if (!digit && (letter < 0 || letter > 5)) return std::nullopt;
      byte = byte * 16 + (digit ? c - '0' : letter + 10);
    }
    return static_cast<char>(byte);
  }
};

// Metaspace. With a prepended mark, the marks of the first token are dropped.
class MarkStep final : public DecodeStep {
 public:
  MarkStep(std::string_view mark, bool drops_first) : mark_(mark), drops_first_(drops_first) {}

  void run(TokenTexts& texts) const override {
    for (size_t i = 0; i < texts.size(); ++i) {
      replace_all(texts[i], mark_, i == 0 && drops_first_ ? "" : " ");
    }
  }

 private:
  std::string mark_;
  bool drops_first_;
};

class ReplaceStep final : public DecodeStep {
 public:
  ReplaceStep(std::string_view from, std::string_view to) : from_(from), to_(to) {}

  void run(TokenTexts& texts) const override {
    for (std::string& text : texts) replace_all(text, from_, to_);
  }

 private:
  std::string from_;
  std::string to_;
};

// Cuts a character off the two ends, so many times at most.
class StripStep final : public DecodeStep {
 public:
  StripStep(std::string_view content, uint32_t start, uint32_t stop)
      : content_(content), start_(start), stop_(stop) {}

  void run(TokenTexts& texts) const override {
    for (std::string& text : texts) {
      std::string_view left = text;
      for (uint32_t i = 0; i < start_ && left.starts_with(content_); ++i) {
        left.remove_prefix(content_.size());
      }
      for (uint32_t i = 0; i < stop_ && left.ends_with(content_); ++i) {
        left.remove_suffix(content_.size());
      }
      text = std::string(left);
    }
  }

 private:
  std::string content_;
  uint32_t start_;
  uint32_t stop_;
};

// The suffix becomes a space, but not in the last token.
class BpeStep final : public DecodeStep {
 public:
  explicit BpeStep(std::string_view suffix) : suffix_(suffix) {}

  void run(TokenTexts& texts) const override {
    for (size_t i = 0; i < texts.size(); ++i) {
      replace_all(texts[i], suffix_, i + 1 == texts.size() ? "" : " ");
    }
  }

 private:
  std::string suffix_;
};

class WordPieceStep final : public DecodeStep {
 public:
  WordPieceStep(std::string_view prefix, bool cleanup) : prefix_(prefix), cleanup_(cleanup) {}

  void run(TokenTexts& texts) const override {
    WordPieceDecoder decoder(prefix_, cleanup_);
    for (std::string& text : texts) {
      decoder.add(text);
      text = decoder.take();
    }
  }

 private:
  std::string prefix_;
  bool cleanup_;
};

// CTC: repeated tokens count once, and a token between words becomes a space.
class CtcStep final : public DecodeStep {
 public:
  CtcStep(std::string_view pad, std::string_view between, bool cleanup)
      : pad_(pad), between_(between), cleanup_(cleanup) {}

  void run(TokenTexts& texts) const override {
    const auto repeated = std::ranges::unique(texts);
    texts.erase(repeated.begin(), repeated.end());
    for (std::string& text : texts) {
      replace_all(text, pad_, "");
      if (!cleanup_) continue;
      clean_up(text);
      replace_all(text, between_, " ");
    }
  }

 private:
  std::string pad_;
  std::string between_;
  bool cleanup_;
};

// Reads one component into steps.
class StepReader {
 public:
  Result<void> read(const Json& part, int depth);
  DecodeSteps take() { return std::move(steps_); }

 private:
  template <class Step, class... Given>
  Result<void> add(Given... given) {
    steps_.push_back(std::make_unique<Step>(given...));
    return {};
  }
  Result<void> read_sequence(const Json& part, int depth);
  Result<void> read_metaspace(const Json& part);
  Result<void> read_replace(const Json& part);
  Result<void> read_strip(const Json& part);
  Result<void> read_words(const Json& part, std::string_view type);

  DecodeSteps steps_;
  size_t growth_ = 1;
};

Failure refuse(ErrorCode code, const Text& message) { return make_error(code, kPath, message); }

// A text that must not be empty.
Result<std::string_view> text_in(const Json& part, std::string_view key, std::string_view usual) {
  const std::string_view text = metadata_text(part, key).value_or(usual);
  if (!text.empty()) return text;
  return refuse(ErrorCode::BadValue, {key, " is missing"});
}

Result<void> StepReader::read(const Json& part, int depth) {
  if (steps_.size() == kMaxSteps) {
    return refuse(ErrorCode::LimitExceeded, {"there are more than ", kMaxSteps, " steps"});
  }
  if (part.is_null()) return add<JoinStep>();
  const std::string_view type = metadata_text(part, "type").value_or("");
  if (type == "Sequence") return read_sequence(part, depth);
  if (type == "ByteLevel") return add<ByteLevelStep>();
  if (type == "ByteFallback") return add<ByteFallbackStep>();
  if (type == "Fuse") return add<FuseStep>();
  if (type == "Metaspace") return read_metaspace(part);
  if (type == "Replace") return read_replace(part);
  if (type == "Strip") return read_strip(part);
  if (type == "BPEDecoder") {
    AMBRY_TRY(const auto suffix, text_in(part, "suffix", "</w>"));
    return add<BpeStep>(suffix);
  }
  if (type == "WordPiece" || type == "CTC") return read_words(part, type);
  return refuse(ErrorCode::Unsupported,
                {"the step ", type.empty() ? "without a type" : type,
                 " is not supported, so ids do not become text; texts become ids without it"});
}

Result<void> StepReader::read_sequence(const Json& part, int depth) {
  const Json* list = part.find("decoders");
  if (list == nullptr || !list->is_array() || depth == kMaxDepth) {
    return refuse(ErrorCode::BadValue, "a Sequence needs decoders, 16 deep at most");
  }
  for (const Json& each : list->items()) {
    if (each.is_null()) return refuse(ErrorCode::BadValue, "a decoder of a Sequence is null");
    AMBRY_RETURN_IF_ERROR(read(each, depth + 1));
  }
  return {};
}

Result<void> StepReader::read_metaspace(const Json& part) {
  bool adds = true;
  AMBRY_RETURN_IF_ERROR(model::read_values(part, {{"add_prefix_space", adds}}, kPath));
  AMBRY_TRY(const auto mark, text_in(part, "replacement", "\u2581"));
  const auto scheme = metadata_text(part, "prepend_scheme").value_or(adds ? "always" : "never");
  return add<MarkStep>(mark, scheme != "never");
}

Result<void> StepReader::read_replace(const Json& part) {
  const Json* pattern = part.find("pattern");
  const auto from = pattern != nullptr ? metadata_text(*pattern, "String") : std::nullopt;
  if (!from || from->empty()) {
    return refuse(ErrorCode::Unsupported,
                  "Replace by an expression is not supported, so ids do not become text; texts "
                  "become ids without it");
  }
  const std::string_view to = metadata_text(part, "content").value_or("");
  const size_t growth = std::max<size_t>(1, (to.size() + from->size() - 1) / from->size());
  if (growth > kMaxGrowth / growth_) {
    return refuse(ErrorCode::LimitExceeded,
                  {"the replacements make a text more than ", kMaxGrowth, " times as long"});
  }
  growth_ *= growth;
  return add<ReplaceStep>(*from, to);
}

Result<void> StepReader::read_strip(const Json& part) {
  uint32_t start = 0;
  uint32_t stop = 0;
  AMBRY_RETURN_IF_ERROR(model::read_values(part, {{"start", start}, {"stop", stop}}, kPath));
  AMBRY_TRY(const auto content, text_in(part, "content", " "));
  return add<StripStep>(content, start, stop);
}

Result<void> StepReader::read_words(const Json& part, std::string_view type) {
  bool cleanup = true;
  AMBRY_RETURN_IF_ERROR(model::read_values(part, {{"cleanup", cleanup}}, kPath));
  if (type == "WordPiece") {
    return add<WordPieceStep>(metadata_text(part, "prefix").value_or("##"), cleanup);
  }
  AMBRY_TRY(const auto pad, text_in(part, "pad_token", "<pad>"));
  AMBRY_TRY(const auto between, text_in(part, "word_delimiter_token", "|"));
  return add<CtcStep>(pad, between, cleanup);
}

}  // namespace

DecodeStep::~DecodeStep() = default;

std::string joined(const TokenTexts& texts) {
  std::string all;
  for (const std::string& text : texts) all += text;
  return all;
}

Result<DecodeSteps> read_decode_steps(std::string_view component) {
  AMBRY_TRY(const Json json, io::parse_json(component, 0, kPath));
  StepReader reader;
  auto read = reader.read(json, 0);
  if (read) return reader.take();
  Failure error = read.take_error();
  error->byte_offset = kNoOffset;  // `component` was written anew
  return error;
}

}  // namespace ambry::text
