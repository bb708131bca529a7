#include "formats/embd/write.h"

#include <limits>
#include <string>

#include "base/checked.h"
#include "formats/embd/layout.h"
#include "io/limits.h"
#include "model/tensor_table.h"

namespace ambry::formats::embd {
namespace {

class HeadWriter {
 public:
  explicit HeadWriter(std::vector<uint8_t>& out) : out_(out) {}

  template <class T>
  void put(T value) {
    const size_t at = out_.size();
    out_.resize(at + sizeof(T));
    store_le(out_.data() + at, value);
  }
  template <class T>
  void put_at(uint64_t at, T value) {
    store_le(out_.data() + at, value);
  }
  void put_text(std::string_view text) { out_.insert(out_.end(), text.begin(), text.end()); }
  void align(uint64_t alignment) {
    while (out_.size() % alignment != 0) out_.push_back(0);
  }
  [[nodiscard]] uint64_t position() const { return out_.size(); }

 private:
  std::vector<uint8_t>& out_;
};

Failure too_long(const Text& path, size_t length) {
  return make_error(ErrorCode::LimitExceeded, path, {length, " bytes, EMBD can hold 65535"});
}

bool fits_u16(size_t length) { return length <= std::numeric_limits<uint16_t>::max(); }

Result<void> put_metadata(const io::Json& metadata, HeadWriter& writer) {
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

Result<void> put_vocabulary(const model::TokenizerData& tokenizer, HeadWriter& writer) {
  const uint64_t start = writer.position();
  const size_t n_tokens = tokenizer.vocabulary.size();
  if (tokenizer.vocabulary.text_bytes() + n_tokens * kTokenEntryBytes > io::kMaxVocabularyBytes) {
    return make_error(ErrorCode::LimitExceeded, "vocabulary", "more than 64 MiB of tokens");
  }
  writer.put(static_cast<uint32_t>(n_tokens));
  writer.put(uint32_t{0});
  writer.put(uint32_t{0});
  for (size_t id = 0; id < n_tokens; ++id) {
    const std::string_view token = tokenizer.vocabulary[id];
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
    writer.put(id.value_or(kNoToken));
  }
  return {};
}

// Offsets relative to the tensor data; sets `bytes` as well. The end of the data is the result.
Result<uint64_t> place_tensors(std::vector<model::TensorEntry>& tensors) {
  uint64_t position = 0;
  for (model::TensorEntry& tensor : tensors) {
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

Result<void> put_index(const std::vector<model::TensorEntry>& tensors, HeadWriter& writer) {
  for (const model::TensorEntry& tensor : tensors) {
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
  for (const model::TensorEntry& tensor : tensors) writer.put_text(tensor.name);
  return {};
}

}  // namespace

Result<Layout> lay_out(model::Model& model) {
  if (model.tensors.size() > io::kMaxTensors) {
    return make_error(ErrorCode::LimitExceeded, "tensors", "too many tensors");
  }
  Layout layout;
  layout.head.resize(kHeaderBytes);
  HeadWriter writer(layout.head);
  const uint64_t metadata_at = writer.position();
  AMBRY_CHECK(put_metadata(model.metadata, writer));
  const uint64_t metadata_end = writer.position();
  writer.align(8);
  const uint64_t vocabulary_at = writer.position();
  if (model.tokenizer) AMBRY_CHECK(put_vocabulary(*model.tokenizer, writer));
  const uint64_t vocabulary_end = writer.position();
  writer.align(8);
  const uint64_t index_at = writer.position();
  AMBRY_TRY(const uint64_t data_size, place_tensors(model.tensors));
  AMBRY_CHECK(put_index(model.tensors, writer));
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
  for (size_t i = 0; i < kMagic.size(); ++i) layout.head[i] = static_cast<uint8_t>(kMagic[i]);
  writer.put_at(kVersionAt, kVersionMajor);
  writer.put_at(kVersionAt + 2, kVersionMinor);
  writer.put_at(kFlagsAt, flags);
  writer.put_at(kMetadataOffsetAt, static_cast<uint32_t>(metadata_at));
  writer.put_at(kMetadataOffsetAt + 4, static_cast<uint32_t>(metadata_end - metadata_at));
  writer.put_at(kVocabularyOffsetAt, static_cast<uint32_t>(model.tokenizer ? vocabulary_at : 0));
  writer.put_at(kVocabularyOffsetAt + 4, static_cast<uint32_t>(vocabulary_end - vocabulary_at));
  writer.put_at(kIndexOffsetAt, static_cast<uint32_t>(index_at));
  writer.put_at(kIndexCountAt, static_cast<uint32_t>(model.tensors.size()));
  writer.put_at(kDataOffsetAt, static_cast<uint32_t>(data_at));
  writer.put_at(kDataSizeAt, data_size);
  writer.put_at(kTotalSizeAt, *total);
  writer.put_at(kHeaderChecksumAt, io::crc32(Bytes(layout.head).first(kHeaderChecksumAt)));

  for (model::TensorEntry& tensor : model.tensors) tensor.offset += data_at;
  layout.data_end = *data_end;
  layout.total_bytes = *total;
  model.file_bytes = *total;
  return layout;
}

void Footer::update(Bytes bytes) {
  file_.update(bytes);
  const uint64_t head_left = position_ < data_begin_ ? data_begin_ - position_ : 0;
  if (bytes.size() > head_left) data_.update(bytes.subspan(static_cast<size_t>(head_left)));
  position_ += bytes.size();
}

std::array<uint8_t, 16> Footer::finish() const {
  std::array<uint8_t, 16> bytes{};
  store_le(bytes.data(), data_.value());
  store_le(bytes.data() + 4, file_.value());
  for (size_t i = 0; i < kEndMagic.size(); ++i) bytes[8 + i] = static_cast<uint8_t>(kEndMagic[i]);
  return bytes;
}

}  // namespace ambry::formats::embd
