#include "formats/embd/embd_write.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "formats/embd/embd_layout.h"
#include "formats/embd/tokenizer/write_embd_tokenizer.h"
#include "io/byte_writer.h"
#include "io/crc32.h"
#include "io/limits.h"
#include "model/file/tensor_table.h"
#include "model/static_encoder/static_config.h"
#include "model/tokenizer/tokenizer_kind.h"

namespace ambry::formats::embd {
namespace {

Failure too_long(const Text& path, size_t length) {
  return make_error(ErrorCode::LimitExceeded, path, {length, " bytes, EMBD can hold 65535"});
}

bool fits_u16(size_t length) { return length <= std::numeric_limits<uint16_t>::max(); }

Result<void> put_metadata(const io::Json& metadata, io::ByteWriter& writer) {
  const uint64_t start = writer.position();
  if (metadata.members().size() > io::kMaxMetadataEntries) {
    return make_error(ErrorCode::LimitExceeded, "metadata", "too many entries");
  }
  writer.put(static_cast<uint32_t>(metadata.members().size()));
  writer.put(uint32_t{0});
  for (const auto& [key, value] : metadata.members()) {
    const std::string path = "metadata." + key;
    if (!value.is_string()) return make_error(ErrorCode::BadValue, path, "not a text");
    if (key.empty()) return make_error(ErrorCode::BadValue, path, "an empty key");
    if (!fits_u16(key.size())) return too_long("metadata", key.size());
    if (!fits_u16(value.string().size())) return too_long(path, value.string().size());
    writer.put(static_cast<uint16_t>(key.size()));
    writer.put(static_cast<uint16_t>(value.string().size()));
    writer.put_text(key);
    writer.put_text(value.string());
  }
  if (writer.position() - start > io::kMaxMetadataBytes) {
    return make_error(ErrorCode::LimitExceeded, "metadata", "more than 64 MiB");
  }
  writer.put_at(start + 4, static_cast<uint32_t>(writer.position() - start - kMetadataHeaderBytes));
  return {};
}

Result<void> put_vocabulary(const model::TokenizerData& tokenizer, io::ByteWriter& writer) {
  const uint64_t start = writer.position();
  AMBRY_TRY(const model::Vocabulary tokens, tokens_by_id(tokenizer));
  const size_t n_tokens = tokens.size();
  if (tokens.text_bytes() + n_tokens * kTokenEntryBytes > io::kMaxVocabularyBytes) {
    return make_error(ErrorCode::LimitExceeded, "vocabulary", "more than 64 MiB of tokens");
  }
  writer.put(static_cast<uint32_t>(n_tokens));
  writer.put(uint32_t{0});
  writer.put(uint32_t{0});
  for (size_t id = 0; id < n_tokens; ++id) {
    const std::string_view token = tokens[id];
    if (!fits_u16(token.size())) {
      return too_long("vocabulary[" + std::to_string(id) + "]", token.size());
    }
    writer.put(static_cast<uint16_t>(token.size()));
    writer.put_text(token);
  }
  const uint64_t entries = writer.position() - start - kVocabularyHeaderBytes;
  writer.align(4);
  writer.put_at(start + 4, static_cast<uint32_t>(entries));
  writer.put_at(start + 8, static_cast<uint32_t>(writer.position()));
  for (const auto& id : {tokenizer.pad_id, tokenizer.unk_id, tokenizer.cls_id, tokenizer.sep_id,
                         tokenizer.mask_id}) {
    // An added token may lie behind the vocabulary. Then the settings state it.
    writer.put(id && *id < n_tokens ? *id : kNoToken);
  }
  return {};
}

// What the file's tensor index lists: the parts of the tokenizer, then the weights.
using Entries = std::vector<model::TensorEntry*>;

// Sets offsets relative to the tensor data, and sizes. Returns the end of the data.
Result<uint64_t> place_tensors(const Entries& tensors) {
  uint64_t position = 0;
  for (model::TensorEntry* entry : tensors) {
    model::TensorEntry& tensor = *entry;
    const auto bytes = model::byte_size(tensor.shape, tensor.dtype);
    const auto end = bytes ? checked_add(position, *bytes) : std::nullopt;
    const auto padded = end ? checked_align_up(*end, kDataAlignment) : std::nullopt;
    if (!padded) return make_error(ErrorCode::Overflow, tensor.name, "the size passes 64 bits");
    tensor.offset = position;
    tensor.bytes = *bytes;
    position = *padded;
  }
  return position;
}

Result<void> put_index(const Entries& tensors, io::ByteWriter& writer) {
  for (const model::TensorEntry* entry : tensors) {
    const model::TensorEntry& tensor = *entry;
    const auto code = dtype_code(tensor.dtype);
    if (!code) {
      return make_error(ErrorCode::Unsupported, tensor.name,
                        {"EMBD cannot store ", dtype_name(tensor.dtype)});
    }
    if (tensor.shape.rank() == 0 || tensor.shape.rank() > kMaxRank) {
      return make_error(ErrorCode::Unsupported, tensor.name,
                        {"EMBD stores 1 to 4 dimensions, not ", to_string(tensor.shape)});
    }
    if (tensor.name.empty() || !fits_u16(tensor.name.size())) {
      return too_long("tensor name", tensor.name.size());
    }
    writer.put(name_hash(tensor.name));
    writer.put(*code);
    writer.put(static_cast<uint8_t>(tensor.shape.rank()));
    writer.put(static_cast<uint16_t>(tensor.name.size()));
    for (size_t axis = 0; axis < kMaxRank; ++axis) {
      const uint64_t extent = axis < tensor.shape.rank() ? tensor.shape[axis] : 0;
      if (extent > UINT32_MAX || (extent == 0 && axis < tensor.shape.rank())) {
        return make_error(ErrorCode::Unsupported, tensor.name,
                          {"EMBD cannot hold the shape ", to_string(tensor.shape)});
      }
      writer.put(static_cast<uint32_t>(extent));
    }
    writer.put(tensor.offset);
  }
  for (const model::TensorEntry* tensor : tensors) writer.put_text(tensor->name);
  return {};
}

// Assembles the whole file and sets the tensors' offsets in it.
model::FileLayout assemble(std::vector<model::TensorEntry>& tensors,
                           std::vector<TokenizerPart> parts, std::vector<uint8_t> head,
                           uint64_t data_end) {
  const uint64_t data_at = head.size();
  model::FileLayout layout;
  layout.add_bytes(std::move(head));
  for (TokenizerPart& part : parts) {
    layout.add_zeros(data_at + part.entry.offset - layout.total_bytes);
    layout.add_bytes(std::move(part.bytes));
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    tensors[i].offset += data_at;
    layout.add_zeros(tensors[i].offset - layout.total_bytes);
    layout.add_tensor(i, tensors[i].bytes);
  }
  layout.add_zeros(data_end - layout.total_bytes);
  io::ByteWriter footer;
  footer.put_zeros(8);
  footer.put_text(kEndMagic);
  footer.put_zeros(4);
  layout.add_bytes(footer.take());
  layout.checksums = {{data_at, data_end, 0, data_end, "footer.data_checksum"},
                      {0, data_end, 0, data_end + 4, "footer.file_checksum"}};
  return layout;
}

}  // namespace

Result<model::FileLayout> lay_out(model::Model& model) {
  std::vector<TokenizerPart> parts;
  if (model.tokenizer) {
    AMBRY_TRY(const model::TokenizerKind stated, model::tokenizer_kind_in(model.metadata));
    if (stated != model.tokenizer->kind) {
      return make_error(
          ErrorCode::Mismatch, {"metadata.", model::kTokenizerKindKey},
          {"the tokenizer is of the kind ", model::tokenizer_kind_name(model.tokenizer->kind)});
    }
    model::TokenizerData stored = *model.tokenizer;
    // All static encoders have the same one, so their files do not state it.
    if (model::is_static(model)) stored.post_processor.reset();
    AMBRY_TRY(parts, make_tokenizer_parts(stored));
  }
  Entries entries;
  for (TokenizerPart& part : parts) entries.push_back(&part.entry);
  for (model::TensorEntry& tensor : model.tensors) entries.push_back(&tensor);
  if (entries.size() > io::kMaxTensors) {
    return make_error(ErrorCode::LimitExceeded, "tensors", "too many tensors");
  }
  io::ByteWriter writer;
  writer.put_zeros(kHeaderBytes);
  const uint64_t metadata_at = writer.position();
  AMBRY_RETURN_IF_ERROR(put_metadata(model.metadata, writer));
  const uint64_t metadata_end = writer.position();
  writer.align(8);
  const uint64_t vocabulary_at = writer.position();
  if (model.tokenizer) AMBRY_RETURN_IF_ERROR(put_vocabulary(*model.tokenizer, writer));
  const uint64_t vocabulary_end = writer.position();
  writer.align(8);
  const uint64_t index_at = writer.position();
  AMBRY_TRY(const uint64_t data_size, place_tensors(entries));
  AMBRY_RETURN_IF_ERROR(put_index(entries, writer));
  writer.align(kDataAlignment);
  const uint64_t data_at = writer.position();
  const auto data_end = checked_add(data_at, data_size);
  const auto total = data_end ? checked_add(*data_end, kFooterBytes) : std::nullopt;
  if (!total || data_at > UINT32_MAX) {
    return make_error(ErrorCode::LimitExceeded, "header.tensor_data_offset",
                      "the tensor data would start past 4 GiB");
  }

  const uint32_t flags =
      kFlagTensorsAligned | kFlagChecksums | (model.tokenizer ? kFlagVocabEmbedded : 0U);
  for (size_t i = 0; i < kMagic.size(); ++i) writer.put_at(i, kMagic[i]);
  writer.put_at(kVersionAt, kVersionMajor);
  writer.put_at(kVersionAt + 2, kVersionMinor);
  writer.put_at(kFlagsAt, flags);
  writer.put_at(kMetadataOffsetAt, static_cast<uint32_t>(metadata_at));
  writer.put_at(kMetadataOffsetAt + 4, static_cast<uint32_t>(metadata_end - metadata_at));
  writer.put_at(kVocabularyOffsetAt, static_cast<uint32_t>(model.tokenizer ? vocabulary_at : 0));
  writer.put_at(kVocabularyOffsetAt + 4, static_cast<uint32_t>(vocabulary_end - vocabulary_at));
  writer.put_at(kIndexOffsetAt, static_cast<uint32_t>(index_at));
  writer.put_at(kIndexCountAt, static_cast<uint32_t>(entries.size()));
  writer.put_at(kDataOffsetAt, static_cast<uint32_t>(data_at));
  writer.put_at(kDataSizeAt, data_size);
  writer.put_at(kTotalSizeAt, *total);
  writer.put_at(kHeaderChecksumAt, io::crc32(writer.bytes().first(kHeaderChecksumAt)));
  model.file_bytes = *total;
  return assemble(model.tensors, std::move(parts), writer.take(), *data_end);
}

}  // namespace ambry::formats::embd
