#include "formats/amb/amb_parse.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/checked.h"
#include "base/cut_off.h"
#include "formats/amb/amb_layout.h"
#include "formats/amb/amb_tokenizer_section.h"
#include "formats/amb/checksums.h"
#include "formats/amb/weights_section.h"
#include "io/limits.h"
#include "model/decoder/decoder_config.h"

namespace ambry::formats::amb {
namespace {

class Parser {
 public:
  Parser(const io::Source& source, io::Diagnostics& diagnostics, const model::ReadOptions& options)
      : source_(source), diagnostics_(diagnostics), options_(options) {}

  Result<model::Model> parse() {
    AMBRY_RETURN_IF_ERROR(read_header());
    AMBRY_RETURN_IF_ERROR(view_texts());
    // The sections are independent, so a fault in one does not hide faults in others.
    AMBRY_RETURN_IF_ERROR(keep(read_metadata()));
    AMBRY_RETURN_IF_ERROR(keep(read_config()));
    AMBRY_RETURN_IF_ERROR(keep(read_checksums()));
    if (sections_.tokenizer < sections_.weights) AMBRY_RETURN_IF_ERROR(keep(read_tokenizer()));
    AMBRY_RETURN_IF_ERROR(keep(read_weights_section(source_, sections_, diagnostics_, model_)));
    model_.format = "amb";
    model_.version = "1";
    model_.file_bytes = source_.size();
    return std::move(model_);
  }

 private:
  Result<void> keep(Result<void> result) {
    if (result || result.error().code == ErrorCode::NeedBytes) return result;
    diagnostics_.error(result.take_error());
    return {};
  }

  Result<void> read_header();
  void check_flags(uint16_t flags);
  Result<void> place_sections(const uint8_t* header);
  void check_alignment();
  Result<void> view_texts();
  Result<void> read_metadata();
  Result<void> read_config();
  Result<void> read_checksums();
  Result<void> read_tokenizer();
  Result<io::Json> read_json(uint64_t begin, uint64_t end, const char* path, std::string& text);

  const io::Source& source_;
  io::Diagnostics& diagnostics_;
  const model::ReadOptions& options_;
  bool has_checksums_ = false;
  bool metadata_read_ = false;
  Sections sections_;
  model::Model model_;
};

Result<void> Parser::read_header() {
  AMBRY_TRY(const Bytes magic, source_.view(0, kMagic.size(), "header.magic"));
  if (as_text(magic) != kMagic) {
    return error_at(ErrorCode::BadMagic, 0, "header.magic", "not AMB: expected 41 4D 42 45 45");
  }
  if (!source_.size_known()) return io::Source::need_size();
  AMBRY_TRY(const Bytes header, source_.view(0, kHeaderBytes, "header"));
  if (header[kVersionAt] != kVersion) {
    return error_at(ErrorCode::UnsupportedVersion, kVersionAt, "header.version",
                    {"version ", header[kVersionAt], ", supported is 1"});
  }
  check_flags(load_le<uint16_t>(header.data() + kFlagsAt));
  AMBRY_RETURN_IF_ERROR(place_sections(header.data()));
  check_alignment();
  return {};
}

void Parser::check_flags(uint16_t flags) {
  has_checksums_ = (flags & kFlagChecksums) != 0;
  if ((flags & ~kFlagChecksums) != 0) {
    diagnostics_.tolerate(
        error_at(ErrorCode::BadValue, kFlagsAt, "header.flags", "reserved flag bits are set"));
  }
}

// The header and the sections fill the file without gaps (README.md#section-sizes).
Result<void> Parser::place_sections(const uint8_t* header) {
  struct Section {
    const char* name;
    uint64_t size_at;
    uint64_t bytes;
    uint64_t limit;
    uint64_t* end;
  };
  const auto u32 = [&](uint64_t at) { return uint64_t{load_le<uint32_t>(header + at)}; };
  const std::array<Section, 4> kSections = {
      {{"metadata", kMetadataSizeAt, u32(kMetadataSizeAt), io::kMaxMetadataBytes,
        &sections_.config},
       {"config", kConfigSizeAt, u32(kConfigSizeAt), io::kMaxMetadataBytes, &sections_.tokenizer},
       {"tokenizer", kTokenizerSizeAt, u32(kTokenizerSizeAt), UINT32_MAX, &sections_.weights},
       {"weights", kWeightsSizeAt, load_le<uint64_t>(header + kWeightsSizeAt), UINT64_MAX,
        &sections_.end}}};
  model_.regions = {{"header", 0, kHeaderBytes}};
  uint64_t whole = kHeaderBytes;
  for (const Section& section : kSections) {
    whole = checked_add(whole, section.bytes).value_or(UINT64_MAX);
  }
  uint64_t begin = kHeaderBytes;
  for (const Section& section : kSections) {
    const std::string path = concat({"header.", section.name, "_size"});
    if (section.bytes > section.limit) {
      return error_at(ErrorCode::LimitExceeded, section.size_at, path,
                      {section.bytes, " bytes, at most ", section.limit});
    }
    const auto end = checked_add(begin, section.bytes);
    if (!end) return error_at(ErrorCode::Overflow, section.size_at, path, "passes 64 bits");
    if (*end > source_.size()) {
      return cut_off(whole,
                     error_at(ErrorCode::Truncated, section.size_at, path,
                              {"the ", section.name, " section of ", section.bytes, " bytes from ",
                               begin, " on passes the end of the file of ", source_.size()}));
    }
    *section.end = *end;
    if (section.bytes > 0 && section.end != &sections_.end) {
      model_.regions.push_back({section.name, begin, section.bytes});
    }
    begin = *end;
  }
  if (begin < source_.size()) {
    diagnostics_.tolerate(error_at(ErrorCode::BadValue, begin, "end",
                                   {source_.size() - begin, " bytes follow after the end"}));
  }
  return {};
}

// Writers pad the config so that both ways to count the padding agree
// (README.md#weights-alignment).
void Parser::check_alignment() {
  if (sections_.weights == sections_.end || sections_.weights % kWeightsAlignment == 0) return;
  diagnostics_.tolerate(
      error_at(ErrorCode::BadValue, kConfigSizeAt, "header.config_size",
               {"the weights start at ", sections_.weights, ", not at a multiple of 64"}));
}

// One request for everything that is read before the weights.
Result<void> Parser::view_texts() {
  uint64_t end = sections_.tokenizer;
  if (sections_.weights > end) {
    const bool whole = options_.vocabulary && sections_.weights - end <= io::kMaxVocabularyBytes;
    end = whole ? sections_.weights : std::min(sections_.weights, end + kTokenizerHeaderBytes);
  }
  AMBRY_RETURN_IF_ERROR(source_.view(kHeaderBytes, end - kHeaderBytes, "metadata"));
  return {};
}

Result<io::Json> Parser::read_json(uint64_t begin, uint64_t end, const char* path,
                                   std::string& text) {
  AMBRY_TRY(const Bytes bytes, source_.view(begin, end - begin, path));
  AMBRY_TRY(io::Json json, io::parse_json(as_text(bytes), begin, path));
  if (!json.is_object()) {
    return error_at(ErrorCode::BadValue, begin, path, "not a JSON object");
  }
  text = as_text(bytes);
  return json;
}

Result<void> Parser::read_metadata() {
  metadata_read_ = true;
  if (sections_.config == sections_.metadata) return {};
  metadata_read_ = false;
  AMBRY_TRY(model_.metadata,
            read_json(sections_.metadata, sections_.config, "metadata", model_.metadata_text));
  metadata_read_ = true;
  return {};
}

Result<void> Parser::read_config() {
  if (sections_.tokenizer == sections_.config) {
    model_.config = io::Json::object();
    diagnostics_.tolerate(error_at(ErrorCode::Truncated, kConfigSizeAt, "header.config_size",
                                   "there is no config section"));
    return {};
  }
  AMBRY_TRY(model_.config,
            read_json(sections_.config, sections_.tokenizer, "config", model_.config_text));
  AMBRY_TRY(model_.linear_layout, model::decoder_linear_layout(model_.config));
  return {};
}

Result<void> Parser::read_checksums() {
  if (!metadata_read_) return {};
  if (has_checksums_) {
    AMBRY_TRY(model_.checksums, amb::read_checksums(model_.metadata, sections_));
  } else if (const io::Json* unused = model_.metadata.find(kChecksumsKey)) {
    diagnostics_.tolerate(error_at(ErrorCode::BadValue, unused->byte_offset(), "metadata.checksums",
                                   "present although the CHECKSUMS flag is clear"));
  }
  return {};
}

Result<void> Parser::read_tokenizer() {
  AMBRY_TRY(model_.tokenizer,
            read_tokenizer_section(source_, sections_, model_.config, diagnostics_, options_));
  return {};
}

}  // namespace

Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                           const model::ReadOptions& options) {
  return Parser(source, diagnostics, options).parse();
}

}  // namespace ambry::formats::amb
