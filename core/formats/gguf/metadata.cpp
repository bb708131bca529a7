#include "formats/gguf/metadata.h"

#include <algorithm>
#include <string>
#include <utility>

#include "formats/gguf/layout.h"
#include "formats/gguf/tokenizer.h"
#include "formats/gguf/values.h"

namespace ambry::formats::gguf {
namespace {

class MetadataReader {
 public:
  MetadataReader(const io::Source& source, io::ByteReader& reader,
                 const model::ReadOptions& options, io::Diagnostics& diagnostics,
                 model::Model& model)
      : reader_(reader),
        values_(reader, diagnostics),
        tokenizer_(source, reader, values_, options, diagnostics),
        diagnostics_(diagnostics),
        model_(model) {}

  Result<void> read(uint64_t count, uint64_t read_ahead) {
    read_ahead_ = read_ahead;
    values_.set_read_ahead(read_ahead);
    for (uint64_t i = 0; i < count; ++i) {
      AMBRY_TRY(const std::string key, read_key(i));
      const auto outer = reader_.enter("metadata");
      const auto inner = reader_.enter(key);
      AMBRY_CHECK(read_entry(key));
    }
    tokenizer_.finish(model_);
    return {};
  }

 private:
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

  Result<void> read_entry(const std::string& key) {
    AMBRY_TRY(const ValueType type, values_.read_type("value_type"));
    const uint64_t at = reader_.position();
    AMBRY_TRY(const bool taken, tokenizer_.take(key, type, read_ahead_));
    io::Json value;
    if (taken) {
      value = tokenizer_.summary();
    } else {
      AMBRY_TRY(value, values_.read_value(type));
    }
    model_.metadata.append_member(key, std::move(value)).set_byte_offset(at);
    return {};
  }

  io::ByteReader& reader_;
  ValueReader values_;
  TokenizerReader tokenizer_;
  io::Diagnostics& diagnostics_;
  model::Model& model_;
  uint64_t read_ahead_ = 0;
};

}  // namespace

Result<void> read_metadata(const io::Source& source, io::ByteReader& reader, uint64_t count,
                           uint64_t read_ahead, const model::ReadOptions& options,
                           io::Diagnostics& diagnostics, model::Model& model) {
  return MetadataReader(source, reader, options, diagnostics, model).read(count, read_ahead);
}

}  // namespace ambry::formats::gguf
