// Goes from section to section: markers, alignment, padding, and the sizes that writers count
// differently (README.md#sections).
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "formats/alt/alt_layout.h"
#include "io/diagnostics.h"
#include "io/source.h"

namespace ambry::formats::alt {

struct SectionHead {
  Section section = Section::Start;
  uint64_t at = 0;    // offset of the marker
  int64_t size = -1;  // as stated; -1: not stated

  [[nodiscard]] uint64_t body() const { return at + kSectionHeaderBytes; }
};

class SectionWalk {
 public:
  SectionWalk(const io::Source& source, io::Diagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics) {}

  // Call when the start of the file is read. Until then, the version is v1.
  void set_version(Version version, uint64_t alignment) {
    version_ = version;
    alignment_ = alignment;
  }
  // The next multiple of the alignment at or after `position`, which is inside the file.
  [[nodiscard]] uint64_t align(uint64_t position) const {
    return (position + alignment_ - 1) / alignment_ * alignment_;
  }

  // Whether another section can follow one whose fields end at `end`.
  [[nodiscard]] Result<bool> is_section_end(uint64_t end) const;

  // The section after `previous`, whose fields end at `fields_end`: at the next multiple of the
  // alignment, else directly after them, else where the stated size leads. At the end of a file
  // without an end marker, returns End at that position and adds an error.
  [[nodiscard]] Result<SectionHead> next(const SectionHead& previous, uint64_t fields_end);

  // Compares the stated size with the fields, counted in every known way. `by_writer` is the size
  // that a known faulty writer states for these fields. It is accepted, because the caller has
  // reported the fault.
  void check_size(const SectionHead& head, uint64_t fields_end,
                  std::optional<int64_t> by_writer = std::nullopt);

  // Reports bytes between the fields and the next section that are not zero or are too many.
  [[nodiscard]] Result<void> check_gap(const SectionHead& previous, uint64_t fields_end,
                                       uint64_t next_at);

  // Checks the end marker at `at` and the bytes after it.
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
