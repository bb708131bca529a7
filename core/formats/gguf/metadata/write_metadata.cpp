#include "formats/gguf/metadata/write_metadata.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/shortest.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "formats/gguf/metadata/metadata.h"
#include "formats/gguf/metadata/tokenizer_keys.h"
#include "formats/gguf/metadata/write_gguf_tokenizer.h"
#include "io/limits.h"

namespace ambry::formats::gguf {
namespace {

using io::Json;

// The stored type of a new value. Fractions become f32, which readers of the common keys expect,
// unless they need more precision. String when the value has no type here.
ValueType number_type(const Json& value) {
  if (value.is_uint()) return value.uint() <= UINT32_MAX ? ValueType::U32 : ValueType::U64;
  if (value.kind() == Json::Kind::Int) {
    return value.integer() >= INT32_MIN ? ValueType::I32 : ValueType::I64;
  }
  const auto narrow = static_cast<float>(value.number());
  const bool fits = !std::isfinite(value.number()) || shortest_double(narrow) == value.number();
  return fits ? ValueType::F32 : ValueType::F64;
}

ValueType type_of(const Json& value) {
  if (value.is_number()) return number_type(value);
  if (value.is_bool()) return ValueType::Bool;
  return value.is_array() ? ValueType::Array : ValueType::String;
}

bool is_number_type(ValueType type) {
  return type != ValueType::Bool && type != ValueType::String && type != ValueType::Array;
}

// One type for all elements. Mixed numbers get a type that holds them all.
ValueType element_type(const Json& array) {
  const std::vector<Json>& items = array.items();
  if (items.empty()) return ValueType::String;
  const ValueType first = type_of(items.front());
  const auto any = [&](auto is) { return std::ranges::any_of(items, is); };
  if (!any([&](const Json& item) { return type_of(item) != first; })) return first;
  if (any([](const Json& item) { return !item.is_number(); })) return first;
  const bool fraction = any([](const Json& item) { return item.kind() == Json::Kind::Double; });
  const bool negative = any([](const Json& item) { return item.kind() == Json::Kind::Int; });
  const bool large =
      any([](const Json& item) { return item.is_uint() && item.uint() > INT64_MAX; });
  if (fraction || (negative && large)) return ValueType::F64;
  return negative ? ValueType::I64 : ValueType::U64;
}

void put_number(ValueType type, const Json& value, io::ByteWriter& writer) {
  switch (type) {
    case ValueType::U32:
      return writer.put(static_cast<uint32_t>(value.uint()));
    case ValueType::U64:
      return writer.put(value.uint());
    case ValueType::I32:
      return writer.put(static_cast<int32_t>(value.integer()));
    case ValueType::I64:
      return writer.put(value.is_uint() ? static_cast<int64_t>(value.uint()) : value.integer());
    case ValueType::F32:
      return writer.put(static_cast<float>(value.number()));
    default:
      return writer.put(value.number());
  }
}

class MetadataWriter {
 public:
  MetadataWriter(const model::Model& model, io::ByteWriter& writer)
      : model_(model), writer_(writer) {}

  Result<void> write() {
    read_stored();
    const uint64_t count_at = writer_.position();
    writer_.put(uint64_t{0});
    for (const auto& [key, value] : model_.metadata.members()) {
      AMBRY_RETURN_IF_ERROR(put_entry(key, value));
    }
    if (model_.tokenizer) AMBRY_RETURN_IF_ERROR(put_rest_of_tokenizer(*model_.tokenizer));
    if (count_ > io::kMaxMetadataEntries) {
      return make_error(ErrorCode::LimitExceeded, "metadata", "too many entries");
    }
    writer_.put_at(count_at, count_);
    return {};
  }

 private:
  void read_stored();
  [[nodiscard]] std::string_view stored_value(std::string_view key, const Json& value) const;
  [[nodiscard]] bool same_vocabulary(std::string_view key) const;
  Result<void> put_key(std::string_view key);
  Result<void> put_entry(std::string_view key, const Json& value);
  Result<void> put_value(std::string_view key, ValueType type, const Json& value);
  Result<void> put_rest_of_tokenizer(const model::TokenizerData& tokenizer);
  Failure unsupported(std::string_view key, const Json& value) const {
    return make_error(ErrorCode::Unsupported, {"metadata.", key},
                      {"GGUF cannot hold ", value.dump()});
  }

  const model::Model& model_;
  io::ByteWriter& writer_;
  model::Model stored_;  // metadata and tokens as stored in metadata_text
  uint64_t count_ = 0;
};

// Parses metadata_text if it is GGUF's.
void MetadataWriter::read_stored() {
  if (model_.format != "gguf") return;
  const io::MemorySource source(as_bytes(model_.metadata_text));
  io::ByteReader reader(source);
  io::Diagnostics ignored;
  const size_t count = model_.metadata.members().size();
  // Entries that were too long to store are absent, so the end may come early.
  (void)read_metadata(source, reader, count, 0, {}, ignored, stored_);
}

// The stored value with its type, if the value is unchanged. Otherwise empty.
std::string_view MetadataWriter::stored_value(std::string_view key, const Json& value) const {
  const auto& members = stored_.metadata.members();
  const auto found = std::ranges::find(members, key, &Json::Member::first);
  if (found == members.end()) return {};
  const bool vocabulary = is_vocabulary_key(key) && value.is_object();
  if (vocabulary ? !same_vocabulary(key) : found->second.dump() != value.dump()) return {};
  const std::string_view text = model_.metadata_text;
  const auto begin = static_cast<size_t>(found->second.byte_offset() - sizeof(ValueType));
  const auto next = found + 1;
  const auto end = next == members.end()
                       ? text.size()
                       : static_cast<size_t>(next->second.byte_offset()) - sizeof(ValueType) -
                             next->first.size() - sizeof(uint64_t);
  return text.substr(begin, end - begin);
}

// Whether the stored vocabulary can be kept under `key`. Only lists of word pieces can.
bool MetadataWriter::same_vocabulary(std::string_view key) const {
  if (!model_.tokenizer || !stored_.tokenizer || stored_.tokenizer->vocabulary.empty()) {
    return false;
  }
  return (key == kTokensKey || key == kTokenTypesKey) &&
         stored_.tokenizer->vocabulary == model_.tokenizer->vocabulary &&
         stored_.tokenizer->types == model_.tokenizer->types;
}

Result<void> MetadataWriter::put_key(std::string_view key) {
  const bool plain = std::ranges::all_of(key, [](char c) { return c > ' ' && c < '\x7F'; });
  if (key.empty() || key.size() > kMaxKeyBytes || !plain) {
    return make_error(ErrorCode::Unsupported, {"metadata.", key},
                      "GGUF's keys are 1 to 65,535 visible ASCII characters");
  }
  writer_.put(static_cast<uint64_t>(key.size()));
  writer_.put_text(key);
  ++count_;
  return {};
}

Result<void> MetadataWriter::put_entry(std::string_view key, const Json& value) {
  AMBRY_RETURN_IF_ERROR(put_key(key));
  const std::string_view stored = stored_value(key, value);
  if (!stored.empty()) {
    writer_.put_text(stored);
    return {};
  }
  const bool vocabulary = is_vocabulary_key(key) && value.is_object();
  if (vocabulary && model_.tokenizer) {
    // Token types keep their stored type.
    const Json* before = stored_.metadata.find(key);
    const Json* element = before == nullptr ? nullptr : before->find("array");
    const bool is_unsigned = element != nullptr && element->string() == "u32";
    return put_vocabulary_value(*model_.tokenizer, key,
                                is_unsigned ? ValueType::U32 : ValueType::I32, writer_);
  }
  const ValueType type = type_of(value);
  writer_.put(static_cast<uint32_t>(type));
  return put_value(key, type, value);
}

Result<void> MetadataWriter::put_value(std::string_view key, ValueType type, const Json& value) {
  if (value.is_number()) {
    put_number(type, value, writer_);
  } else if (value.is_bool()) {
    writer_.put(static_cast<uint8_t>(value.boolean()));
  } else if (value.is_string()) {
    writer_.put(static_cast<uint64_t>(value.string().size()));
    writer_.put_text(value.string());
  } else if (value.is_array()) {
    const ValueType element = element_type(value);
    writer_.put(static_cast<uint32_t>(element));
    writer_.put(static_cast<uint64_t>(value.items().size()));
    for (const Json& item : value.items()) {
      const bool fits = item.is_number() ? is_number_type(element) : type_of(item) == element;
      if (!fits) return unsupported(key, value);
      AMBRY_RETURN_IF_ERROR(put_value(key, element, item));
    }
  } else {
    return unsupported(key, value);
  }
  return {};
}

// The metadata does not mention a tokenizer from another format.
Result<void> MetadataWriter::put_rest_of_tokenizer(const model::TokenizerData& tokenizer) {
  const Json& metadata = model_.metadata;
  if (metadata.find(kTokenizerModelKey) == nullptr) {
    const auto name = tokenizer_model_name(tokenizer.kind);
    if (!name) {
      return make_error(
          ErrorCode::Unsupported, "tokenizer",
          {"GGUF has no tokenizer of the kind ", tokenizer_kind_name(tokenizer.kind)});
    }
    AMBRY_RETURN_IF_ERROR(put_entry(kTokenizerModelKey, *name));
  }
  for (const std::string_view key : kVocabularyKeys) {
    if (metadata.find(key) != nullptr || !has_vocabulary_value(tokenizer, key)) continue;
    AMBRY_RETURN_IF_ERROR(put_key(key));
    AMBRY_RETURN_IF_ERROR(put_vocabulary_value(tokenizer, key, ValueType::I32, writer_));
  }
  TokenId last = nullptr;
  for (const auto& [key, id] : kTokenIds) {
    const bool other_spelling = id == last;
    last = id;
    if (other_spelling || !(tokenizer.*id) || metadata.find(key) != nullptr) continue;
    AMBRY_RETURN_IF_ERROR(put_entry(key, *(tokenizer.*id)));
  }
  return {};
}

}  // namespace

Result<void> put_metadata(const model::Model& model, io::ByteWriter& writer) {
  return MetadataWriter(model, writer).write();
}

}  // namespace ambry::formats::gguf
