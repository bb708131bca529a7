#include "formats/alt/section_walk.h"

#include <algorithm>
#include <array>

#include "base/checked.h"
#include "base/cut_off.h"

namespace ambry::formats::alt {
namespace {

// Padding, a section's header and the usual fields after it, so that one request for each section
// is enough.
constexpr uint64_t kUsualSectionHead = kAlignment + kSectionHeaderBytes + 128;
constexpr uint32_t kAllOnes = UINT32_MAX;  // the end marker, if its seven F's are read as eight

}  // namespace

Section SectionWalk::after(Section section) const {
  if (section == Section::Start && version_ == Version::V1) return Section::Parameters;
  if (section == Section::Tokenizer && version_ == Version::V2) return Section::End;
  return section == Section::End ? section : static_cast<Section>(static_cast<int>(section) + 1);
}

Result<std::optional<SectionWalk::Marker>> SectionWalk::marker_at(uint64_t at) const {
  using Found = std::optional<Marker>;
  const uint64_t size = source_.size();
  if (at > size || size - at < sizeof(uint32_t)) return Found();
  const uint64_t held = std::min(kSectionHeaderBytes, size - at);
  AMBRY_TRY(const Bytes head, source_.view(at, held, "marker"));
  const auto low = load_le<uint32_t>(head.data());
  if (low == facts(Section::End).marker) return Found({Section::End, -1, false});
  if (low == kAllOnes && held <= 8) return Found({Section::End, -1, false});
  if (held < kSectionHeaderBytes) return Found();
  const auto high = load_le<uint32_t>(head.data() + 4);
  if (high != 0 && high != kAllOnes) return Found();
  for (const Section section :
       {Section::General, Section::Parameters, Section::Tokenizer, Section::Tensors}) {
    if (low != facts(section).marker) continue;
    return Found({section, load_le<int64_t>(head.data() + 8), high != 0});
  }
  return Found();
}

Result<bool> SectionWalk::is_section_end(uint64_t end) const {
  if (end > source_.size()) return false;
  AMBRY_TRY(const auto aligned, marker_at(align(end)));
  if (aligned) return true;
  AMBRY_TRY(const auto unaligned, marker_at(end));
  return unaligned.has_value();
}

std::optional<uint64_t> SectionWalk::end_by_size(const SectionHead& head, uint64_t from) const {
  if (head.size < 0) return std::nullopt;
  const auto end = checked_add(from, static_cast<uint64_t>(head.size));
  if (!end || *end > source_.size()) return std::nullopt;
  return align(*end);
}

Result<SectionHead> SectionWalk::next(const SectionHead& previous, uint64_t fields_end) {
  AMBRY_RETURN_IF_ERROR(source_.view(fields_end,
                                     std::min(kUsualSectionHead, source_.size() - fields_end),
                                     facts(after(previous.section)).marker_path));
  const std::array<std::optional<uint64_t>, 4> candidates = {align(fields_end), fields_end,
                                                             end_by_size(previous, previous.body()),
                                                             end_by_size(previous, previous.at)};
  for (const auto& at : candidates) {
    if (!at || *at < fields_end) continue;
    AMBRY_TRY(const auto marker, marker_at(*at));
    if (!marker) continue;
    const char* path = facts(marker->section).marker_path;
    if (marker->sign_extended) {
      diagnostics_.tolerate(
          error_at(ErrorCode::BadValue, *at, path,
                   "the marker is sign-extended; zeros belong in its upper half"));
    }
    if (*at % alignment_ != 0) {
      diagnostics_.tolerate(error_at(ErrorCode::BadValue, *at, path,
                                     {"not at a multiple of ", alignment_, " bytes"}));
    }
    return SectionHead{marker->section, *at, marker->size};
  }
  return nothing_found(previous, fields_end);
}

Result<SectionHead> SectionWalk::nothing_found(const SectionHead& previous, uint64_t fields_end) {
  const uint64_t size = source_.size();
  const uint64_t aligned = align(fields_end);
  if (aligned >= size) {
    diagnostics_.error(error_at(ErrorCode::Truncated, size, facts(Section::End).marker_path,
                                "the file ends without its end marker"));
    return SectionHead{Section::End, size, -1};
  }
  const char* path = facts(after(previous.section)).marker_path;
  if (size - aligned < kSectionHeaderBytes) {
    return error_at(ErrorCode::Truncated, aligned, path,
                    {size - aligned, " bytes left, no section and no end marker"});
  }
  return error_at(ErrorCode::BadMagic, aligned, path,
                  {"no section starts here, after the fields of ", facts(previous.section).name,
                   ", nor where its size leads"});
}

void SectionWalk::check_size(const SectionHead& head, uint64_t fields_end,
                             std::optional<int64_t> by_writer) {
  const auto payload = static_cast<int64_t>(fields_end - head.body());
  if (head.size == payload || head.size == by_writer) return;
  const char* path = facts(head.section).size_path;
  const uint64_t at = head.at + sizeof(int64_t);
  constexpr auto kHeader = static_cast<int64_t>(kSectionHeaderBytes);
  const auto pad = static_cast<int64_t>(align(fields_end) - fields_end);
  for (const int64_t known : {payload + kHeader, payload + pad, payload + kHeader + pad}) {
    if (head.size != known) continue;
    diagnostics_.tolerate(error_at(ErrorCode::BadValue, at, path,
                                   "counts the section's header or padding too; its fields take " +
                                       std::to_string(payload) + " bytes"));
    return;
  }
  Failure problem = error_at(
      ErrorCode::Mismatch, at, path,
      std::to_string(head.size) + " bytes stated, the fields take " + std::to_string(payload));
  // Jumping by a size that leads out of the file is not possible.
  if (head.size < 0 || static_cast<uint64_t>(head.size) > source_.size() - head.at) {
    diagnostics_.error(std::move(problem));
  } else {
    diagnostics_.tolerate(std::move(problem));
  }
}

Result<void> SectionWalk::check_gap(const SectionHead& previous, uint64_t fields_end,
                                    uint64_t next_at) {
  if (next_at <= fields_end) return {};
  if (next_at - fields_end >= alignment_) {
    const uint64_t left = next_at - fields_end;
    // Whole uncounted tensors mean damage. Fields of a later draft do not.
    if (previous.section == Section::Tensors) {
      diagnostics_.error(error_at(ErrorCode::Mismatch, previous.body(), "tensors.tensor_count",
                                  {left, " bytes follow the tensors that are counted"}));
    } else {
      diagnostics_.tolerate(error_at(ErrorCode::Mismatch, fields_end, facts(previous.section).name,
                                     {left, " bytes of the section follow its fields"}));
    }
    return {};
  }
  AMBRY_TRY(const Bytes gap, source_.view(fields_end, next_at - fields_end, "padding"));
  const auto dirty = std::ranges::find_if(gap, [](uint8_t byte) { return byte != 0; });
  if (dirty == gap.end()) return {};
  diagnostics_.tolerate(error_at(ErrorCode::BadValue,
                                 fields_end + static_cast<uint64_t>(dirty - gap.begin()),
                                 {facts(previous.section).name, ".padding"}, "not zero"));
  return {};
}

Result<void> SectionWalk::check_end(uint64_t at) {
  const uint64_t left = source_.size() - at;
  if (left == 0) return {};  // already reported as absent
  const char* path = facts(Section::End).marker_path;
  AMBRY_TRY(const Bytes marker, source_.view(at, std::min<uint64_t>(left, 8), path));
  const auto low = load_le<uint32_t>(marker.data());
  if (version_ == Version::V2 && left > 4 && left < 8) {
    diagnostics_.recover(cut_off(at + 8, error_at(ErrorCode::Truncated, at, path,
                                                  {left, " bytes are left of the marker's 8"})));
    return {};
  }
  if (low == kAllOnes) {
    diagnostics_.tolerate(error_at(ErrorCode::BadValue, at, path, "FF FF FF FF, not FF FF FF 0F"));
  }
  const bool eight_bytes =
      left >= 8 && (load_le<uint32_t>(marker.data() + 4) == 0 || low == kAllOnes);
  if (eight_bytes != (version_ == Version::V2)) {
    diagnostics_.tolerate(error_at(ErrorCode::BadValue, at, path,
                                   version_ == Version::V2 ? "4 bytes, which v2 writes as 8"
                                                           : "8 bytes, which v1 writes as 4"));
  }
  const uint64_t end = at + (eight_bytes ? 8 : 4);
  if (end < source_.size()) {
    diagnostics_.tolerate(error_at(ErrorCode::BadValue, end, "end.trailing",
                                   {source_.size() - end, " bytes follow the end marker"}));
  }
  return {};
}

}  // namespace ambry::formats::alt
