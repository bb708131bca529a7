// From one section to the next: markers, alignment, padding and the sizes that nobody agrees about
// (README.md#sections).
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "formats/alt/layout.h"
#include "io/diagnostics.h"
#include "io/source.h"

namespace ambry::formats::alt {

struct SectionHead {
  Section section = Section::Start;
  uint64_t at = 0;    // of the marker
  int64_t size = -1;  // as stated; -1: none

  [[nodiscard]] uint64_t body() const { return at + kSectionHeaderBytes; }
};

class SectionWalk {
 public:
  SectionWalk(const io::Source& source, io::Diagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics) {}

  // Once the start of the file is read; v1 until then.
  void set_version(Version version, uint64_t alignment) {
    version_ = version;
    alignment_ = alignment;
  }
  // The multiple of the alignment at or after `position`, which lies in the file.
  [[nodiscard]] uint64_t align(uint64_t position) const {
    return (position + alignment_ - 1) / alignment_ * alignment_;
  }

  // Whether a section whose fields end at `end` is followed by another one.
  [[nodiscard]] Result<bool> is_section_end(uint64_t end) const;

  // The section after `previous`, whose fields end at `fields_end`: at the next multiple of the
  // alignment, else right there, else where the stated size leads. At the end of a file that stops
  // without its end marker: End, placed there, and an error.
  [[nodiscard]] Result<SectionHead> next(const SectionHead& previous, uint64_t fields_end);

  // Compares the stated size with the fields, in every way in which it was ever counted.
  // `by_writer`, the size that a known faulty writer states for these fields, is let pass: the
  // caller has reported the fault.
  void check_size(const SectionHead& head, uint64_t fields_end,
                  std::optional<int64_t> by_writer = std::nullopt);

  // Complains about bytes between fields and next section that are not zero or too many.
  [[nodiscard]] Result<void> check_gap(const SectionHead& previous, uint64_t fields_end,
                                       uint64_t next_at);

  // The end marker at `at` and what follows it.
  [[nodiscard]] Result<void> check_end(uint64_t at);

 private:
  struct Marker {
    Section section;
    int64_t size;
    bool sign_extended;
  };

  [[nodiscard]] Section after(Section section) const;
  [[nodiscard]] Result<std::optional<Marker>> marker_at(uint64_t at) const;
  [[nodiscard]] std::optional<uint64_t> end_by_size(const SectionHead& head, uint64_t from) const;
  [[nodiscard]] Result<SectionHead> nothing_found(const SectionHead& previous, uint64_t fields_end);

  const io::Source& source_;
  io::Diagnostics& diagnostics_;
  Version version_ = Version::V1;
  uint64_t alignment_ = kAlignment;
};

}  // namespace ambry::formats::alt
