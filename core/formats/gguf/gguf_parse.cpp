#include "formats/gguf/gguf_parse.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>

#include "base/checked.h"
#include "base/cut_off.h"
#include "formats/gguf/config.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "formats/gguf/metadata/metadata.h"
#include "formats/gguf/parts.h"
#include "io/byte_reader.h"
#include "io/limits.h"
#include "model/file/tensor_table.h"

namespace ambry::formats::gguf {
namespace {

// The length of the header is not stated. Requests this much at once, or as much as the counts
// imply.
constexpr uint64_t kReadAhead = 256 << 10;
constexpr uint64_t kUsualTensorInfo = 96;
// Longer padding is not checked.
constexpr uint64_t kMaxCheckedPadding = 4096;
// One mistake of a writer can affect every tensor. No more problems than this are listed.
constexpr size_t kMaxProblems = 64;

class Parser {
 public:
  Parser(const io::Source& source, io::Diagnostics& diagnostics, const model::ReadOptions& options)
      : source_(source), reader_(source), diagnostics_(diagnostics), options_(options) {}

  Result<model::Model> parse() {
    AMBRY_RETURN_IF_ERROR(read_header());
    const uint64_t read_ahead = kReadAhead + n_tensors_ * kUsualTensorInfo;
    AMBRY_RETURN_IF_ERROR(
        read_metadata(source_, reader_, n_entries_, read_ahead, options_, diagnostics_, model_));
    model_.regions = {{"header", 0, kHeaderBytes},
                      {"metadata", kHeaderBytes, reader_.position() - kHeaderBytes}};
    AMBRY_RETURN_IF_ERROR(read_alignment());
    const uint64_t infos_at = reader_.position();
    AMBRY_RETURN_IF_ERROR(read_tensors());
    model_.regions.push_back({"tensor_infos", infos_at, reader_.position() - infos_at});
    AMBRY_RETURN_IF_ERROR(place_tensors());
    model::check_names_unique(model_.tensors, diagnostics_);
    model_.format = "gguf";
    model_.file_bytes = source_.size();
    model_.config = config_of(model_);
    return std::move(model_);
  }

 private:
  Result<void> read_header();
  Result<void> read_version();
  Result<void> read_alignment();
  Result<void> read_tensors();
  Result<void> read_tensor();
  Result<void> read_name(model::TensorEntry& tensor);
  Result<void> read_shape(model::TensorEntry& tensor);
  Result<void> read_dtype(model::TensorEntry& tensor);
  Result<void> check_padding(uint64_t begin, uint64_t end);
  Result<void> place_tensors();
  Result<void> place_tensor(size_t index, uint64_t data_begin, uint64_t expected);
  Result<void> check_end(uint64_t end);
  Result<void> complain(Failure problem);
  void report_cut();

  const io::Source& source_;
  io::ByteReader reader_;
  io::Diagnostics& diagnostics_;
  const model::ReadOptions& options_;
  model::Model model_;
  uint64_t n_tensors_ = 0;
  Failure cut_;           // of the first tensor that the file ends before
  uint64_t cut_end_ = 0;  // where the last one would end
  size_t n_cut_ = 0;
  uint64_t n_entries_ = 0;
  uint64_t alignment_ = kDefaultAlignment;
};

// Collects a problem that does not stop reading, up to a limit.
Result<void> Parser::complain(Failure problem) {
  if (diagnostics_.errors.size() >= kMaxProblems) return problem;
  diagnostics_.error(std::move(problem));
  return {};
}

Result<void> Parser::read_version() {
  AMBRY_TRY(const auto version, reader_.read<uint32_t>("version"));
  if (version >= kOldestVersion && version <= kNewestVersion) {
    model_.version = "v" + std::to_string(version);
    return {};
  }
  if (version == 1) {
    return reader_.fail(ErrorCode::UnsupportedVersion, kVersionAt, "version",
                        "GGUF version 1, with counts of 32 bits, which was written for a few weeks "
                        "of 2023; convert the original model again");
  }
  const uint32_t swapped =
      version >> 24U | (version >> 8U & 0xFF00U) | (version << 8U & 0xFF'0000U) | version << 24U;
  if (swapped > 0 && swapped <= UINT16_MAX) {
    return reader_.fail(ErrorCode::Unsupported, kVersionAt, "version",
                        {"GGUF version ", swapped, " in big-endian byte order"});
  }
  return reader_.fail(ErrorCode::UnsupportedVersion, kVersionAt, "version",
                      {"GGUF version ", version, ", supported are 2 and 3"});
}

Result<void> Parser::read_header() {
  const auto scope = reader_.enter("header");
  reader_.set_read_ahead(kReadAhead);
  AMBRY_TRY(const Bytes magic, reader_.read_bytes(kMagic.size(), "magic"));
  if (as_text(magic) != kMagic) {
    return reader_.fail(ErrorCode::BadMagic, 0, "magic", "not GGUF: expected 47 47 55 46");
  }
  AMBRY_RETURN_IF_ERROR(read_version());
  const uint64_t tensors_at = reader_.position();
  AMBRY_TRY(n_tensors_, reader_.read<uint64_t>("tensor_count"));
  const uint64_t entries_at = reader_.position();
  AMBRY_TRY(n_entries_, reader_.read<uint64_t>("metadata_kv_count"));
  AMBRY_RETURN_IF_ERROR(
      reader_.check_count(n_tensors_, kMinTensorBytes, "tensor_count", tensors_at));
  AMBRY_RETURN_IF_ERROR(
      reader_.check_count(n_entries_, kMinEntryBytes, "metadata_kv_count", entries_at));
  if (n_tensors_ > io::kMaxTensors) {
    return reader_.fail(ErrorCode::LimitExceeded, tensors_at, "tensor_count",
                        {n_tensors_, " tensors, at most ", io::kMaxTensors});
  }
  if (n_entries_ > io::kMaxMetadataEntries) {
    return reader_.fail(ErrorCode::LimitExceeded, entries_at, "metadata_kv_count",
                        {n_entries_, " entries, at most ", io::kMaxMetadataEntries});
  }
  return {};
}

Result<void> Parser::read_alignment() {
  const io::Json* value = model_.metadata.find(kAlignmentKey);
  if (value == nullptr) return {};
  if (!value->is_uint() || value->uint() > UINT32_MAX || !std::has_single_bit(value->uint())) {
    return error_at(ErrorCode::BadValue, value->byte_offset(), {"metadata.", kAlignmentKey},
                    {value->dump(), " is not a power of two"});
  }
  alignment_ = value->uint();
  if (alignment_ % 8 != 0) {
    diagnostics_.tolerate(error_at(ErrorCode::BadValue, value->byte_offset(),
                                   {"metadata.", kAlignmentKey},
                                   {alignment_, " is not a multiple of 8"}));
  }
  return {};
}

// The first pass stores nothing: a table entry takes more memory than the 25 bytes that a false
// count needs.
Result<void> Parser::read_tensors() {
  reader_.set_read_ahead(kReadAhead + n_tensors_ * kUsualTensorInfo);
  const uint64_t start = reader_.position();
  for (uint64_t i = 0; i < n_tensors_; ++i) {
    const auto scope = reader_.enter("tensors", i);
    const uint64_t name_at = reader_.position();
    AMBRY_TRY(const auto name_length, reader_.read<uint64_t>("name"));
    AMBRY_RETURN_IF_ERROR(reader_.skip(name_length, "name"));
    if (name_length > io::kMaxTensorNameBytes) {
      return reader_.fail(ErrorCode::LimitExceeded, name_at, "name",
                          {name_length, " bytes, at most ", io::kMaxTensorNameBytes});
    }
    const uint64_t at = reader_.position();
    AMBRY_TRY(const auto rank, reader_.read<uint32_t>("n_dimensions"));
    if (rank > kMaxRank) {
      return reader_.fail(ErrorCode::Unsupported, at, "n_dimensions",
                          {rank, " dimensions, at most ", kMaxRank});
    }
    AMBRY_RETURN_IF_ERROR(reader_.skip(rank * sizeof(uint64_t) + sizeof(uint32_t), "dimensions"));
    AMBRY_RETURN_IF_ERROR(reader_.read<uint64_t>("offset"));
  }
  reader_.seek(start);
  model_.tensors.reserve(static_cast<size_t>(n_tensors_));
  for (uint64_t i = 0; i < n_tensors_; ++i) {
    const auto scope = reader_.enter("tensors", i);
    AMBRY_RETURN_IF_ERROR(read_tensor());
  }
  return {};
}

Result<void> Parser::read_tensor() {
  model::TensorEntry tensor;
  tensor.index_offset = reader_.position();
  AMBRY_RETURN_IF_ERROR(read_name(tensor));
  AMBRY_RETURN_IF_ERROR(read_shape(tensor));
  AMBRY_RETURN_IF_ERROR(read_dtype(tensor));
  AMBRY_TRY(tensor.offset, reader_.read<uint64_t>("offset"));  // relative to the data's start
  model_.tensors.push_back(std::move(tensor));
  return {};
}

Result<void> Parser::read_name(model::TensorEntry& tensor) {
  const uint64_t at = reader_.position();
  AMBRY_TRY(const auto length, reader_.read<uint64_t>("name"));
  if (length == 0) return reader_.fail(ErrorCode::BadValue, at, "name", "an empty name");
  AMBRY_TRY(const auto name, reader_.read_utf8(length, "name"));
  if (length > kMaxNameBytes) {
    diagnostics_.tolerate(reader_.fail(ErrorCode::LimitExceeded, at, "name",
                                       {length, " bytes, at most ", kMaxNameBytes}));
  }
  tensor.name = name;
  return {};
}

// The file stores the fastest dimension first.
Result<void> Parser::read_shape(model::TensorEntry& tensor) {
  AMBRY_TRY(const auto rank, reader_.read<uint32_t>("n_dimensions"));
  std::array<uint64_t, kMaxRank> extents{};
  for (uint32_t i = 0; i < rank; ++i) {
    AMBRY_TRY(extents[i], reader_.read<uint64_t>("dimensions"));
  }
  for (uint32_t i = rank; i-- > 0;) tensor.shape.push_back(extents[i]);
  return {};
}

Result<void> Parser::read_dtype(model::TensorEntry& tensor) {
  const uint64_t at = reader_.position();
  AMBRY_TRY(const auto number, reader_.read<uint32_t>("type"));
  if (const auto dtype = dtype_of(number)) {
    tensor.dtype = *dtype;
    return {};
  }
  for (const RemovedType& removed : kRemovedTypes) {
    if (removed.number != number) continue;
    return reader_.fail(ErrorCode::Unsupported, at, "type",
                        {"ggml type ", number, " (", removed.name, "), which ggml gave up"});
  }
  return reader_.fail(ErrorCode::Unsupported, at, "type",
                      {"ggml type ", number, " of \"", tensor.name, "\" is unknown here"});
}

Result<void> Parser::check_padding(uint64_t begin, uint64_t end) {
  if (end - begin > kMaxCheckedPadding) return {};
  AMBRY_TRY(const Bytes padding, source_.view(begin, end - begin, "padding"));
  const auto found = std::ranges::find_if(padding, [](uint8_t byte) { return byte != 0; });
  if (found == padding.end()) return {};
  diagnostics_.tolerate(error_at(ErrorCode::BadValue,
                                 begin + static_cast<uint64_t>(found - padding.begin()), "padding",
                                 "the padding is not zero"));
  return {};
}

Result<void> Parser::place_tensors() {
  const uint64_t end = reader_.position();
  if (!source_.size_known()) return io::Source::need_size();
  if (model_.tensors.empty()) return check_end(end);
  const auto data_begin = checked_align_up(end, alignment_);
  if (!data_begin || *data_begin > source_.size()) {
    return error_at(ErrorCode::Truncated, end, "data",
                    {"the tensor data should start at the next multiple of ", alignment_,
                     ", past the end of the file"});
  }
  AMBRY_RETURN_IF_ERROR(check_padding(end, *data_begin));
  uint64_t expected = 0;
  uint64_t last = *data_begin;
  for (size_t i = 0; i < model_.tensors.size(); ++i) {
    const size_t n_cut = n_cut_;
    AMBRY_RETURN_IF_ERROR(place_tensor(i, *data_begin, expected));
    const model::TensorEntry& tensor = model_.tensors[i];
    last = std::max(last, tensor.offset + tensor.bytes);
    const uint64_t end = n_cut_ > n_cut ? cut_end_ : tensor.offset + tensor.bytes;
    expected = checked_align_up(end - *data_begin, alignment_).value_or(UINT64_MAX);
  }
  report_cut();
  // Faulty tensors have no reliable offsets.
  if (!diagnostics_.errors.empty()) return {};
  model::check_regions_disjoint(model_.tensors, diagnostics_);
  return check_end(last);
}

// One problem, however many tensors are missing.
void Parser::report_cut() {
  if (n_cut_ == 0) return;
  cut_->need_size = checked_align_up(cut_end_, alignment_).value_or(0);
  if (n_cut_ > 1) {
    cut_->message += concat({", and so do those of ", n_cut_ - 1,
                             n_cut_ == 2 ? " tensor behind it" : " tensors behind it"});
  }
  diagnostics_.error(std::move(cut_));
}

// ggml's own reader accepts tensors only in the order of their infos, each at the next multiple of
// the alignment.
Result<void> Parser::place_tensor(size_t index, uint64_t data_begin, uint64_t expected) {
  model::TensorEntry& tensor = model_.tensors[index];
  const auto scope = reader_.enter("tensors", index);
  const auto fail = [&](ErrorCode code, const char* field, const Text& message) {
    return reader_.fail(code, tensor.index_offset, field, message);
  };
  const uint64_t stated = std::exchange(tensor.offset, data_begin);
  const tensor::Block block = tensor::block_of(tensor.dtype);
  const uint64_t row = tensor.shape.rank() == 0 ? 1 : tensor.shape[tensor.shape.rank() - 1];
  if (row % block.elements != 0) {
    return complain(fail(ErrorCode::BadValue, "dimensions",
                         {"rows of ", row, ", but ", dtype_name(tensor.dtype), " stores ",
                          block.elements, " elements together"}));
  }
  const auto bytes = model::byte_size(tensor.shape, tensor.dtype);
  if (!bytes) {
    return complain(
        fail(ErrorCode::Overflow, "dimensions", {to_string(tensor.shape), " passes 64 bits"}));
  }
  const auto end = checked_add(stated, *bytes);
  const uint64_t data_size = source_.size() - data_begin;
  if (!end || *end > data_size) {
    // Where the tensors follow each other, the file was longer. Else the offset is wrong.
    const bool cut = end && stated == expected && checked_add(data_begin, *end);
    Failure problem = fail(cut ? ErrorCode::Truncated : ErrorCode::BadValue, "offset",
                           {"\"", tensor.name, "\": ", *bytes, " bytes from ", stated,
                            " on pass the ", data_size, " bytes of tensor data"});
    if (!cut) return complain(std::move(problem));
    cut_end_ = data_begin + *end;
    if (n_cut_++ == 0) cut_ = std::move(problem);
    return {};
  }
  tensor.offset = data_begin + stated;
  tensor.bytes = *bytes;
  if (stated % alignment_ != 0) {
    return complain(fail(ErrorCode::BadValue, "offset",
                         {stated, " is not a multiple of the alignment ", alignment_}));
  }
  if (stated != expected) {
    diagnostics_.tolerate(fail(ErrorCode::BadValue, "offset",
                               {stated, ", expected ", expected, " behind the tensor before"}));
  }
  return {};
}

Result<void> Parser::check_end(uint64_t end) {
  const auto padded = checked_align_up(end, alignment_).value_or(UINT64_MAX);
  const uint64_t size = source_.size();
  if (size == end || size == padded) {
    const bool missing = size != padded && !model_.tensors.empty();
    if (missing) {
      diagnostics_.tolerate(error_at(ErrorCode::Truncated, end, "padding",
                                     "the last tensor is not padded to the alignment"));
    }
    return {};
  }
  if (size > padded) {
    diagnostics_.tolerate(error_at(ErrorCode::BadValue, padded, "data",
                                   {size - padded, " bytes follow after the last tensor"}));
  } else {
    diagnostics_.recover(cut_off(padded, error_at(ErrorCode::Truncated, end, "padding",
                                                  "the last tensor's padding is cut off")));
  }
  return {};
}

}  // namespace

Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                           const model::ReadOptions& options) {
  if (source.part_ends().empty()) return parse_file(source, diagnostics, options);
  return parse_parts(source, diagnostics, options);
}

Result<model::Model> parse_file(const io::Source& source, io::Diagnostics& diagnostics,
                                const model::ReadOptions& options) {
  return Parser(source, diagnostics, options).parse();
}

}  // namespace ambry::formats::gguf
