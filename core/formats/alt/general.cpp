#include <string>

#include "formats/alt/parameters.h"

namespace ambry::formats::alt {
namespace {

// The format author's examples store other networks in v2's sections: an element type, then name,
// author and id, each with a NUL.
Result<void> refuse_other_networks(const io::Source& source, const SectionHead& head) {
  io::ByteReader reader(source, head.body());
  const auto scope = reader.enter("general");
  AMBRY_TRY(const auto element_type, reader.read<int32_t>("model_type"));
  if (element_type < 0 || element_type >= static_cast<int32_t>(kDataTypes.size())) return {};
  AMBRY_TRY(const auto length, reader.read<int32_t>("model_type"));
  if (length < 2 || length > 256) return {};
  const auto name = reader.read_utf8(static_cast<uint64_t>(length), "model_type");
  if (!name && name.error().code == ErrorCode::NeedBytes) return name.error();
  if (!name || !name->ends_with('\0')) return {};
  return error_at(ErrorCode::Unsupported, head.body(), "general.model_type",
                  {"a network of another kind (\"", name->substr(0, name->size() - 1),
                   "\"), not a language model"});
}

Result<uint64_t> read_texts(const io::Source& source, const SectionHead& head, Counting counting,
                            io::Diagnostics* diagnostics, io::Json& metadata) {
  io::ByteReader reader(source, head.body());
  const auto scope = reader.enter("general");
  for (const char* field : kGeneralFields) {
    const uint64_t at = reader.position();
    AMBRY_TRY(const auto text, read_text(reader, field, counting, diagnostics));
    metadata.append_member(field, text).set_byte_offset(at + sizeof(int32_t));
  }
  return reader.position();
}

// The number of characters in the texts, as the author's writer counts them into the size.
int64_t size_in_characters(const io::Json& metadata) {
  int64_t size = 0;
  for (const auto& [key, value] : metadata.members()) {
    size += static_cast<int64_t>(sizeof(int32_t));
    for (const char c : value.string()) size += (static_cast<uint8_t>(c) & 0xC0U) != 0x80 ? 1 : 0;
  }
  return size;
}

bool needs_bytes(const Result<uint64_t>& result) {
  return !result && result.error().code == ErrorCode::NeedBytes;
}

}  // namespace

Result<uint64_t> read_general(const io::Source& source, SectionWalk& walk, const SectionHead& head,
                              io::Diagnostics& diagnostics, model::Model& model) {
  AMBRY_RETURN_IF_ERROR(refuse_other_networks(source, head));
  io::Json texts = io::Json::object();
  auto end = read_texts(source, head, Counting::Bytes, nullptr, texts);
  if (needs_bytes(end)) return end;
  bool fits = false;
  if (end) AMBRY_TRY(fits, walk.is_section_end(*end));
  if (!fits) {
    io::Json counted = io::Json::object();
    auto other = read_texts(source, head, Counting::Characters, nullptr, counted);
    if (needs_bytes(other)) return other;
    bool other_fits = false;
    if (other) AMBRY_TRY(other_fits, walk.is_section_end(*other));
    if (other_fits) {
      diagnostics.tolerate(error_at(ErrorCode::BadValue, head.body(), "general",
                                    "the lengths of texts count characters, not bytes"));
      walk.check_size(head, *other, size_in_characters(counted));
      model.metadata = std::move(counted);
      return other;
    }
  }
  if (!end) return end;
  texts = io::Json::object();
  AMBRY_RETURN_IF_ERROR(read_texts(source, head, Counting::Bytes, &diagnostics, texts));
  walk.check_size(head, *end, size_in_characters(texts));
  model.metadata = std::move(texts);
  return end;
}

}  // namespace ambry::formats::alt
