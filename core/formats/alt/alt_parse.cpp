#include "formats/alt/alt_parse.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "formats/alt/alt_tokenizer_section.h"
#include "formats/alt/parameters.h"
#include "formats/alt/section_walk.h"
#include "formats/alt/tensor_section.h"

namespace ambry::formats::alt {
namespace {

// Everything before the tokens of an ordinary file, so that one request is enough.
constexpr uint64_t kUsualFileHead = 512;
constexpr uint64_t kStartBytesV1 = 32;
constexpr uint64_t kStartBytesV2 = 24;

class Parser {
 public:
  Parser(const io::Source& source, io::Diagnostics& diagnostics, const model::ReadOptions& options)
      : source_(source), diagnostics_(diagnostics), options_(options), walk_(source, diagnostics) {}

  Result<model::Model> parse() {
    AMBRY_TRY(const Bytes head, source_.view(0, std::min(kUsualFileHead, source_.size()), "start"));
    SectionHead here;
    AMBRY_TRY(uint64_t end, read_start(head, here));
    for (;;) {
      AMBRY_TRY(const SectionHead next, find_next(here, end));
      // The tokens must be read to find the tokenizer's end.
      if (here.section != Section::Tokenizer) {
        AMBRY_RETURN_IF_ERROR(walk_.check_gap(here, end, next.at));
      } else {
        after_tokenizer_ = next.at;
      }
      if (next.section == Section::End) {
        AMBRY_RETURN_IF_ERROR(walk_.check_end(next.at));
        add_region(next, source_.size());
        break;
      }
      AMBRY_RETURN_IF_ERROR(enter(next));
      here = next;
      AMBRY_TRY(end, read_section(here));
    }
    AMBRY_RETURN_IF_ERROR(finish_tokenizer());
    report_absent();
    return finish();
  }

 private:
  // The bytes after v1's magic are padding. v2 has a section of its own there.
  Result<uint64_t> read_start(Bytes head, SectionHead& here) {
    const std::string_view magic = as_text(head.first(std::min<size_t>(head.size(), kMagicBytes)));
    if (magic == kMagicV2) return read_start_v2(head, here);
    if (magic != kMagicV1 && magic != kMagicSwapped) {
      return error_at(ErrorCode::BadMagic, 0, "start.magic",
                      "not ALT: expected 63 74 6C 61 (v1) or 00 74 6C 61 (v2)");
    }
    if (magic == kMagicSwapped) {
      diagnostics_.tolerate(error_at(ErrorCode::BadValue, 0, "start.magic",
                                     "61 6C 74 63, the magic in the other byte order"));
    }
    model_.regions.push_back({"start", 0, std::min(kStartBytesV1, source_.size())});
    return kMagicBytes;
  }

  Result<uint64_t> read_start_v2(Bytes head, SectionHead& here) {
    version_ = Version::V2;
    if (head.size() < kStartBytesV2) {
      return error_at(ErrorCode::Truncated, 0, "start",
                      {"24 bytes expected, ", head.size(), " left before the end of the file"});
    }
    if (load_le<uint32_t>(head.data() + 4) != 0) {
      return error_at(ErrorCode::Unsupported, 4, "start.marker",
                      "a 4-byte magic with the version after it, a draft of December 2024 that no "
                      "writer uses");
    }
    here.size = load_le<int64_t>(head.data() + 8);
    const auto version = load_le<int32_t>(head.data() + 16);
    if (version != kVersionV2) {
      return error_at(ErrorCode::UnsupportedVersion, 16, "start.version",
                      "version " + std::to_string(version) + ", supported are 1 and 2");
    }
    const auto alignment = load_le<uint32_t>(head.data() + 20);
    if (alignment == 0 || alignment > kMaxAlignment || (alignment & (alignment - 1)) != 0) {
      return error_at(ErrorCode::BadValue, 20, "start.alignment",
                      {"an alignment of ", alignment, " bytes"});
    }
    if (alignment != kAlignment) {
      diagnostics_.tolerate(error_at(ErrorCode::BadValue, 20, "start.alignment",
                                     {alignment, " bytes, every other file has 32"}));
    }
    walk_.set_version(version_, alignment);
    walk_.check_size(here, kStartBytesV2);
    model_.regions.push_back({"start", 0, kStartBytesV2});
    return kStartBytesV2;
  }

  Result<void> enter(const SectionHead& head) {
    const char* path = facts(head.section).marker_path;
    auto& seen = seen_[static_cast<size_t>(head.section)];
    if (seen) return error_at(ErrorCode::BadValue, head.at, path, "the section occurs twice");
    seen = true;
    if (head.section == Section::General && version_ == Version::V1) {
      diagnostics_.tolerate(
          error_at(ErrorCode::BadValue, head.at, path, "a section that only v2 has"));
    }
    if (head.section < latest_) {
      diagnostics_.tolerate(
          error_at(ErrorCode::BadValue, head.at, path, {"stands after ", facts(latest_).name}));
    }
    latest_ = std::max(latest_, head.section);
    return {};
  }

  // Returns where the section's fields end.
  Result<uint64_t> read_section(const SectionHead& head) {
    switch (head.section) {
      case Section::General:
        return placed(head, read_general(source_, walk_, head, diagnostics_, model_));
      case Section::Parameters:
        return placed(head, version_ == Version::V1
                                ? read_parameters_v1(source_, walk_, head, diagnostics_, model_)
                                : read_parameters_v2(source_, walk_, head, diagnostics_, model_));
      case Section::Tokenizer:
        tokenizer_.emplace(source_, diagnostics_, walk_, version_, head);
        return placed(head, tokenizer_->locate());
      default:
        return read_tensor_section(head);
    }
  }

  Result<uint64_t> placed(const SectionHead& head, Result<uint64_t> end) {
    if (end) add_region(head, *end);
    return end;
  }

  void add_region(const SectionHead& head, uint64_t end) {
    if (head.at >= end) return;
    model_.regions.push_back({facts(head.section).name, head.at, end - head.at});
  }

  Result<uint64_t> read_tensor_section(const SectionHead& head) {
    if (version_ == Version::V2) {
      return error_at(ErrorCode::Unsupported, head.at, "tensors",
                      "tensors of ALT v2, whose numbers no document assigns and no program writes");
    }
    AMBRY_TRY(const TensorsRead tensors, read_tensors(source_, walk_, head, diagnostics_, model_));
    first_qint8_ = tensors.first_qint8;
    const size_t problems = diagnostics_.errors.size() + diagnostics_.warnings.size();
    walk_.check_size(head, tensors.end);
    exact_size_ = problems == diagnostics_.errors.size() + diagnostics_.warnings.size();
    return tensors.end;
  }

  // Our reading of qint8 is used only if the section's size confirms it exactly.
  Result<SectionHead> find_next(const SectionHead& here, uint64_t end) {
    if (here.section == Section::Tensors && first_qint8_ != kNoOffset) {
      AMBRY_RETURN_IF_ERROR(check_extension(end));
    }
    return walk_.next(here, end);
  }

  Result<void> check_extension(uint64_t end) {
    AMBRY_TRY(const bool followed, walk_.is_section_end(end));
    if (!exact_size_ || !(followed || end == source_.size())) return other_qint8(first_qint8_);
    diagnostics_.warn(error_at(ErrorCode::BadValue, first_qint8_, "tensors.data_type",
                               "qint8 read as blocks of 32 with a float16 scale, an extension"));
    return {};
  }

  Result<void> finish_tokenizer() {
    if (!tokenizer_) return {};
    if (options_.vocabulary) {
      AMBRY_TRY(const uint64_t end, tokenizer_->read_tokens(after_tokenizer_));
      AMBRY_RETURN_IF_ERROR(walk_.check_gap(tokenizer_->head(), end, after_tokenizer_));
      const auto region =
          std::ranges::find(model_.regions, tokenizer_->head().at, &model::Region::offset);
      region->bytes = end - region->offset;
    }
    const uint32_t n_tokens = tokenizer_->n_tokens();
    model_.tokenizer = tokenizer_->take();
    if (!options_.vocabulary) model_.tokenizer->n_tokens = n_tokens;
    if (model_.config.is_object()) model_.config.append_member("vocab_size", n_tokens);
    return {};
  }

  void report_absent() {
    for (const Section section : {Section::General, Section::Parameters, Section::Tokenizer}) {
      if (seen_[static_cast<size_t>(section)]) continue;
      if (section == Section::General && version_ == Version::V1) continue;
      diagnostics_.tolerate(error_at(ErrorCode::NotFound, source_.size(), facts(section).name,
                                     "the file has no such section"));
    }
  }

  Result<model::Model> finish() {
    const io::Json* model_type = model_.metadata.find("model_type");
    if (model_type != nullptr && model_.config.is_object()) {
      model_.config.set("model_type", *model_type);
    }
    model_.format = "alt";
    model_.version = version_ == Version::V1 ? "v1" : "v2";
    model_.file_bytes = source_.size();
    return std::move(model_);
  }

  const io::Source& source_;
  io::Diagnostics& diagnostics_;
  const model::ReadOptions& options_;
  SectionWalk walk_;
  Version version_ = Version::V1;
  std::array<bool, kSections.size()> seen_{};
  Section latest_ = Section::Start;
  std::optional<TokenizerSection> tokenizer_;
  uint64_t after_tokenizer_ = 0;
  uint64_t first_qint8_ = kNoOffset;
  bool exact_size_ = false;
  model::Model model_;
};

}  // namespace

Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                           const model::ReadOptions& options) {
  return Parser(source, diagnostics, options).parse();
}

}  // namespace ambry::formats::alt
