#include "formats/safetensors/safetensors_parse.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/checked.h"
#include "base/order.h"
#include "formats/safetensors/safetensors_layout.h"
#include "io/json/json_reader.h"
#include "io/limits.h"
#include "model/file/tensor_table.h"

namespace ambry::formats::safetensors {
namespace {

using io::JsonEvent;

Result<uint64_t> read_header_length(const io::Source& source) {
  AMBRY_TRY(const Bytes bytes, source.view(0, kLengthBytes, "header_length"));
  const auto length = load_le<uint64_t>(bytes.data());
  if (length > source.size() - kLengthBytes) {
    return error_at(ErrorCode::Truncated, 0, "header_length",
                    {"a header of ", length, " bytes in a file of ", source.size()});
  }
  if (length > kMaxHeaderBytes) {
    return error_at(ErrorCode::LimitExceeded, 0, "header_length",
                    {"a header of ", length, " bytes, at most 100 MB"});
  }
  if (length < 2) return error_at(ErrorCode::BadValue, 0, "header_length", "an empty header");
  return length;
}

// Counts the tensors in the header, so that the table is allocated once and exactly. Bounds their
// names before anything is copied.
Result<uint64_t> count_tensors(std::string_view header) {
  io::JsonReader reader(header, kLengthBytes, "header");
  uint64_t count = 0;
  for (size_t depth = 0;;) {
    AMBRY_TRY(const JsonEvent event, reader.next());
    if (event == JsonEvent::End) return count;
    if (event == JsonEvent::ObjectBegin || event == JsonEvent::ArrayBegin) ++depth;
    if (event == JsonEvent::ObjectEnd || event == JsonEvent::ArrayEnd) --depth;
    if (event != JsonEvent::Key || depth != 1 || reader.string() == kMetadataKey) continue;
    if (const uint64_t size = reader.string().size(); size > io::kMaxTensorNameBytes) {
      return error_at(ErrorCode::LimitExceeded, reader.byte_offset(), {"tensors[", count, "].name"},
                      {size, " bytes, at most ", io::kMaxTensorNameBytes});
    }
    ++count;
  }
}

// Reads the header as a stream of events. As a tree, it could be many times the size of the file.
class Parser {
 public:
  Parser(const io::Source& source, std::string_view header, io::Diagnostics& diagnostics)
      : source_(source),
        reader_(header, kLengthBytes, "header"),
        data_begin_(kLengthBytes + header.size()),
        diagnostics_(diagnostics) {}

  Result<model::Model> parse(uint64_t n_tensors) {
    model_.tensors.reserve(static_cast<size_t>(std::min(n_tensors, io::kMaxTensors)));
    AMBRY_RETURN_IF_ERROR(expect(JsonEvent::ObjectBegin, "an object"));
    for (;;) {
      AMBRY_TRY(const JsonEvent event, reader_.next());
      if (event == JsonEvent::ObjectEnd) break;
      const std::string name(reader_.string());
      if (name == kMetadataKey) {
        AMBRY_RETURN_IF_ERROR(read_metadata());
      } else {
        AMBRY_RETURN_IF_ERROR(read_tensor(name));
      }
    }
    AMBRY_RETURN_IF_ERROR(expect(JsonEvent::End, "the end"));
    model::check_names_unique(model_.tensors, diagnostics_);
    AMBRY_RETURN_IF_ERROR(check_coverage());
    model_.format = "safetensors";
    model_.file_bytes = source_.size();
    model_.regions = {{"header_length", 0, kLengthBytes},
                      {"header", kLengthBytes, data_begin_ - kLengthBytes}};
    return std::move(model_);
  }

 private:
  Failure fail(ErrorCode code, std::string_view field, const Text& message) const {
    Failure error = reader_.fail(code, message);
    error->path = field.empty() ? path_ : concat({path_, ".", field});
    return error;
  }

  Result<void> expect(JsonEvent wanted, std::string_view what, std::string_view field = {}) {
    AMBRY_TRY(const JsonEvent event, reader_.next());
    if (event == wanted) return {};
    return fail(ErrorCode::BadValue, field, {"expected ", what});
  }

  Result<void> read_metadata() {
    path_ = kMetadataKey;
    if (seen_metadata_) return fail(ErrorCode::BadValue, {}, "occurs twice");
    seen_metadata_ = true;
    AMBRY_RETURN_IF_ERROR(expect(JsonEvent::ObjectBegin, "an object of texts"));
    for (;;) {
      AMBRY_TRY(const JsonEvent event, reader_.next());
      if (event == JsonEvent::ObjectEnd) return {};
      std::string key(reader_.string());
      if (model_.metadata.find(key) != nullptr) {
        return fail(ErrorCode::BadValue, key, "the key occurs twice");
      }
      if (model_.metadata.members().size() == io::kMaxMetadataEntries) {
        return fail(ErrorCode::LimitExceeded, {}, "too many entries");
      }
      AMBRY_RETURN_IF_ERROR(expect(JsonEvent::String, "a text", key));
      model_.metadata.append_member(std::move(key), reader_.string())
          .set_byte_offset(reader_.byte_offset());
    }
  }

  Result<void> read_tensor(const std::string& name) {
    path_ = "tensors[" + std::to_string(model_.tensors.size()) + "]";
    if (model_.tensors.size() == io::kMaxTensors) {
      return fail(ErrorCode::LimitExceeded, {}, {"more than ", io::kMaxTensors, " tensors"});
    }
    if (name.empty()) return fail(ErrorCode::BadValue, "name", "an empty name");
    model::TensorEntry tensor;
    tensor.name = name;
    tensor.index_offset = reader_.byte_offset();
    AMBRY_RETURN_IF_ERROR(expect(JsonEvent::ObjectBegin, "an object"));
    const uint64_t place = reader_.byte_offset();
    bool has_dtype = false;
    bool has_shape = false;
    bool has_offsets = false;
    for (;;) {
      AMBRY_TRY(const JsonEvent event, reader_.next());
      if (event == JsonEvent::ObjectEnd) break;
      const std::string key(reader_.string());
      bool* seen = key == "dtype"          ? &has_dtype
                   : key == "shape"        ? &has_shape
                   : key == "data_offsets" ? &has_offsets
                                           : nullptr;
      if (seen == nullptr) return fail(ErrorCode::BadValue, key, "an unknown key");
      if (*seen) return fail(ErrorCode::BadValue, key, "occurs twice");
      *seen = true;
      if (seen == &has_dtype) AMBRY_RETURN_IF_ERROR(read_dtype(tensor));
      if (seen == &has_shape) AMBRY_RETURN_IF_ERROR(read_shape(tensor));
      if (seen == &has_offsets) AMBRY_RETURN_IF_ERROR(read_offsets(tensor));
    }
    if (!has_dtype || !has_shape || !has_offsets) {
      return error_at(ErrorCode::BadValue, place, path_,
                      "dtype, shape and data_offsets are required");
    }
    const uint64_t together = tensor::block_of(tensor.dtype).elements;
    if (tensor.shape.count().value_or(0) % together != 0) {
      return error_at(ErrorCode::BadValue, place, {path_, ".shape"},
                      {to_string(tensor.shape), " of ", dtype_name(tensor.dtype),
                       " does not fill whole bytes"});
    }
    const auto size = model::byte_size(tensor.shape, tensor.dtype);
    if (!size) return error_at(ErrorCode::Overflow, place, {path_, ".shape"}, "passes 64 bits");
    if (*size != tensor.bytes) {
      return error_at(ErrorCode::Mismatch, place, {path_, ".data_offsets"},
                      {tensor.bytes, " bytes for ", to_string(tensor.shape), " of ",
                       dtype_name(tensor.dtype), ", expected ", *size});
    }
    model_.tensors.push_back(std::move(tensor));
    return {};
  }

  Result<void> read_dtype(model::TensorEntry& tensor) {
    AMBRY_RETURN_IF_ERROR(expect(JsonEvent::String, "the name of a type", "dtype"));
    const auto dtype = dtype_by_name(reader_.string());
    if (!dtype) {
      return fail(ErrorCode::Unsupported, "dtype",
                  {"the type \"", reader_.string(), "\" is not supported"});
    }
    tensor.dtype = *dtype;
    return {};
  }

  Result<void> read_shape(model::TensorEntry& tensor) {
    AMBRY_RETURN_IF_ERROR(expect(JsonEvent::ArrayBegin, "a list", "shape"));
    for (;;) {
      AMBRY_TRY(const JsonEvent event, reader_.next());
      if (event == JsonEvent::ArrayEnd) return {};
      const std::string field = "shape[" + std::to_string(tensor.shape.rank()) + "]";
      if (event != JsonEvent::Uint) {
        return fail(ErrorCode::BadValue, field, "not a whole number of 64 bits");
      }
      if (tensor.shape.rank() == tensor::Shape::kMaxRank) {
        return fail(ErrorCode::Unsupported, field, "more than 8 dimensions");
      }
      tensor.shape.push_back(reader_.uint());
    }
  }

  Result<void> read_offsets(model::TensorEntry& tensor) {
    constexpr std::string_view kField = "data_offsets";
    const uint64_t data_size = source_.size() - data_begin_;
    AMBRY_RETURN_IF_ERROR(expect(JsonEvent::ArrayBegin, "a list of two numbers", kField));
    AMBRY_RETURN_IF_ERROR(expect(JsonEvent::Uint, "a whole number", kField));
    const uint64_t begin = reader_.uint();
    AMBRY_RETURN_IF_ERROR(expect(JsonEvent::Uint, "a whole number", kField));
    const uint64_t end = reader_.uint();
    if (begin > end) return fail(ErrorCode::BadValue, kField, "the end lies before the start");
    if (end > data_size && !cut_.is_set()) {
      cut_ = fail(ErrorCode::Truncated, kField,
                  {end, " passes the ", data_size, " bytes of tensor data"});
    }
    AMBRY_RETURN_IF_ERROR(expect(JsonEvent::ArrayEnd, "two numbers", kField));
    tensor.offset = data_begin_ + begin;
    tensor.bytes = end - begin;
    return {};
  }

  // The tensors must fill the data without holes or overlaps, as in the reference reader.
  Result<void> check_coverage() {
    const auto& tensors = model_.tensors;
    const auto order = sorted_order(tensors.size(), [&](uint32_t a, uint32_t b) {
      return tensors[a].offset != tensors[b].offset ? tensors[a].offset < tensors[b].offset
                                                    : tensors[a].bytes < tensors[b].bytes;
    });
    uint64_t end = data_begin_;
    for (const uint32_t i : order) {
      if (tensors[i].offset != end) {
        return error_at(
            ErrorCode::BadValue, tensors[i].index_offset, {"tensors[", i, "].data_offsets"},
            {"\"", tensors[i].name, "\" ",
             (tensors[i].offset < end ? "overlaps the tensor" : "leaves a hole after the tensor"),
             " before it"});
      }
      end += tensors[i].bytes;
    }
    if (cut_.is_set()) {
      cut_->need_size = end;
      return std::move(cut_);
    }
    if (end == source_.size()) return {};
    return error_at(ErrorCode::BadValue, end, "data",
                    {source_.size() - end, " bytes belong to no tensor"});
  }

  const io::Source& source_;
  io::JsonReader reader_;
  uint64_t data_begin_;
  io::Diagnostics& diagnostics_;
  std::string path_ = "header";
  bool seen_metadata_ = false;
  Failure cut_;  // of the first tensor that the file ends before
  model::Model model_;
};

}  // namespace

Result<bool> probe(const io::Source& source) {
  if (source.size() < kLengthBytes + 2) return false;
  AMBRY_TRY(const Bytes head, source.view(0, kLengthBytes + 1, "header_length"));
  const auto length = load_le<uint64_t>(head.data());
  // A header that passes the end of the file is accepted here. parse() then reports a truncated
  // download.
  return length >= 2 && length <= kMaxHeaderBytes && head[kLengthBytes] == '{';
}

Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                           const model::ReadOptions& /*options*/) {
  AMBRY_TRY(const uint64_t length, read_header_length(source));
  AMBRY_TRY(const Bytes header, source.view(kLengthBytes, length, "header"));
  if (header[0] != '{') {
    return error_at(ErrorCode::BadMagic, kLengthBytes, "header", "does not start with a brace");
  }
  AMBRY_TRY(const uint64_t n_tensors, count_tensors(as_text(header)));
  return Parser(source, as_text(header), diagnostics).parse(n_tensors);
}

void check(const model::Model& /*model*/, io::Diagnostics& /*diagnostics*/) {}

}  // namespace ambry::formats::safetensors
