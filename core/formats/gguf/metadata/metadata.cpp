#include "formats/gguf/metadata/metadata.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "formats/gguf/metadata/gguf_layout.h"
#include "formats/gguf/metadata/gguf_tokenizer.h"
#include "formats/gguf/metadata/values.h"

namespace ambry::formats::gguf {
namespace {

// The maximum size of Model::metadata_text. Files with more can be inspected but not rewritten.
constexpr uint64_t kMaxStoredForm = 16 << 20;

// Texts that decide how the file is read. Any other one only describes it.
bool is_strict_text(std::string_view key) {
  return key == kArchitectureKey || key == kTypeKey || key.starts_with("tokenizer.");
}

class MetadataReader {
 public:
  MetadataReader(const io::Source& source, io::ByteReader& reader,
                 const model::ReadOptions& options, io::Diagnostics& diagnostics,
                 model::Model& model)
      : source_(source),
        reader_(reader),
        options_(options),
        values_(reader, diagnostics),
        tokenizer_(source, reader, values_, options, diagnostics),
        diagnostics_(diagnostics),
        model_(model) {}

  Result<void> read(uint64_t count, uint64_t read_ahead) {
    read_ahead_ = read_ahead;
    values_.set_read_ahead(read_ahead);
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t start = reader_.position();
      AMBRY_TRY(const std::string key, read_key(i));
      const auto outer = reader_.enter("metadata");
      const auto inner = reader_.enter(key);
      AMBRY_RETURN_IF_ERROR(read_entry(key, start));
    }
    tokenizer_.finish(model_);
    return options_.vocabulary ? keep_stored_form() : Result<void>();
  }

 private:
  // The stored part of an entry, and whether its text or array is stored without elements.
  struct Stored {
    uint64_t begin = 0;
    uint64_t end = 0;
    bool emptied = false;

    [[nodiscard]] uint64_t size() const { return end - begin + (emptied ? sizeof(uint64_t) : 0); }
  };

  Result<std::string> read_key(uint64_t index) {
    const auto scope = reader_.enter("metadata", index);
    const uint64_t start = reader_.position();
    AMBRY_TRY(const auto length, reader_.read<uint64_t>("key"));
    if (length == 0) return reader_.fail(ErrorCode::BadValue, start, "key", "an empty key");
    if (length > kMaxKeyBytes) {
      return reader_.fail(ErrorCode::LimitExceeded, start, "key",
                          {length, " bytes, at most ", kMaxKeyBytes});
    }
    AMBRY_TRY(const auto text, reader_.read_utf8(length, "key"));
    if (!std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7F'; })) {
      diagnostics_.tolerate(reader_.fail(ErrorCode::BadValue, start, "key",
                                         {"\"", text, "\": keys are visible ASCII characters"}));
    }
    if (model_.metadata.find(text) != nullptr) {
      diagnostics_.error(
          reader_.fail(ErrorCode::BadValue, start, "key", {"the key \"", text, "\" occurs twice"}));
    }
    return std::string(text);
  }

  Result<void> read_entry(const std::string& key, uint64_t start) {
    AMBRY_TRY(const ValueType type, values_.read_type("value_type"));
    const uint64_t at = reader_.position();
    AMBRY_TRY(const bool taken, tokenizer_.take(key, type, read_ahead_));
    io::Json value;
    if (taken) {
      value = tokenizer_.summary();
    } else {
      values_.set_lenient_texts(!is_strict_text(key));
      AMBRY_TRY(value, values_.read_value(type));
    }
    model_.metadata.append_member(key, std::move(value)).set_byte_offset(at);
    const uint64_t elements_at = at + (key == kTokenizerJsonKey ? 0 : sizeof(ValueType));
    stored_.push_back({start, taken ? elements_at : reader_.position(), taken});
    if (key == kTokensKey || key == kTokenTypesKey) {
      words_.emplace_back(stored_.size() - 1, reader_.position());
    }
    return {};
  }

  // For rewriting the file, because JSON has neither number types nor long arrays. Values that the
  // tokenizer holds are left out, except word pieces, which files store in either of two forms.
  Result<void> keep_stored_form() {
    const bool either =
        model_.tokenizer && model_.tokenizer->kind == model::TokenizerKind::WordPiece;
    for (const auto& [entry, end] : words_) {
      if (either) stored_[entry] = {stored_[entry].begin, end, false};
    }
    uint64_t size = 0;
    std::erase_if(stored_, [&](const Stored& entry) {
      const bool too_long = entry.size() > kMaxStoredForm - size;
      if (!too_long) size += entry.size();
      return too_long;
    });
    std::string& text = model_.metadata_text;
    text.reserve(static_cast<size_t>(size));
    for (const Stored& entry : stored_) {
      AMBRY_TRY(const Bytes bytes, source_.view(entry.begin, entry.end - entry.begin, "metadata"));
      text += as_text(bytes);
      if (entry.emptied) text.append(sizeof(uint64_t), '\0');
    }
    return {};
  }

  const io::Source& source_;
  io::ByteReader& reader_;
  const model::ReadOptions& options_;
  ValueReader values_;
  TokenizerReader tokenizer_;
  io::Diagnostics& diagnostics_;
  model::Model& model_;
  uint64_t read_ahead_ = 0;
  std::vector<Stored> stored_;
  // The entries of tokens and of their types, and where they end.
  std::vector<std::pair<size_t, uint64_t>> words_;
};

}  // namespace

Result<void> read_metadata(const io::Source& source, io::ByteReader& reader, uint64_t count,
                           uint64_t read_ahead, const model::ReadOptions& options,
                           io::Diagnostics& diagnostics, model::Model& model) {
  return MetadataReader(source, reader, options, diagnostics, model).read(count, read_ahead);
}

}  // namespace ambry::formats::gguf
