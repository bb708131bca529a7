#include "formats/embd/embd_parse.h"

#include <algorithm>
#include <optional>

#include "base/checked.h"
#include "formats/embd/embd_layout.h"
#include "io/crc32.h"

namespace ambry::formats::embd {
namespace {

// Magic and version are the same in both layouts. F0 is recognized by its footer and size, or by
// the checksum of its header. Either is enough, so that a damaged field is still reported as such.
// In a sequential source, sizes that add up replace the footer.
Result<bool> is_f0(const io::Source& source) {
  if (source.size() < kMinFileBytes) return false;
  AMBRY_TRY(const Bytes header, source.view(0, kHeaderBytes, "header"));
  const uint32_t header_crc = io::crc32(header.first(kHeaderChecksumAt));
  if (header_crc == load_le<uint32_t>(header.data() + kHeaderChecksumAt)) return true;
  const auto total_size = load_le<uint64_t>(header.data() + kTotalSizeAt);
  if (source.size_known() && total_size != source.size()) return false;
  if (source.sequential_only()) {
    const auto data_size = load_le<uint64_t>(header.data() + kDataSizeAt);
    const uint64_t before = load_le<uint32_t>(header.data() + kDataOffsetAt) + kFooterBytes;
    return checked_add(data_size, before) == total_size;
  }
  AMBRY_TRY(const Bytes footer, source.view(source.size() - kFooterBytes, kFooterBytes, "footer"));
  return as_text(footer.subspan(8, 4)) == kEndMagic;
}

// F1 has the length of the first tensor's name where F0 has an offset, then the name itself.
Result<bool> looks_like_f1(const io::Source& source) {
  AMBRY_TRY(const Bytes head, source.view(0, kF1HeaderBytes + 4, "header"));
  const auto name_length = load_le<uint32_t>(head.data() + kF1HeaderBytes);
  if (name_length == 0 || name_length > kF1MaxFirstName) return false;
  const uint64_t at = kF1HeaderBytes + 4;
  const uint64_t held = std::min<uint64_t>(name_length, source.size() - at);
  AMBRY_TRY(const Bytes name, source.view(at, held, "tensors[0].name"));
  return std::ranges::all_of(name, [](uint8_t c) { return c >= 0x20 && c < 0x7F; });
}

Result<bool> looks_like_f2(const io::Source& source) {
  AMBRY_TRY(const Bytes head, source.view(0, kF2HeaderBytes, "header"));
  const uint64_t n_entries = load_le<uint32_t>(head.data() + 8);
  return load_le<uint32_t>(head.data() + 12) == kF2HeaderBytes + kF2EntryBytes * n_entries;
}

Failure f2_error() {
  return error_at(ErrorCode::Unsupported, 0, "header",
                  "EMBD layout F2 (16-byte header, 100-byte entries), a draft that no program "
                  "writes; convert the original model again");
}

}  // namespace

Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                           const model::ReadOptions& options) {
  AMBRY_TRY(const Bytes magic, source.view(0, kMagic.size(), "header.magic"));
  if (as_text(magic) != kMagic) {
    return error_at(ErrorCode::BadMagic, 0, "header.magic", "not EMBD: expected 45 4D 42 44");
  }
  AMBRY_TRY(const bool f0, is_f0(source));
  if (f0) return parse_f0(source, diagnostics, options);
  if (!source.size_known()) return io::Source::need_size();

  AMBRY_TRY(const bool f2, looks_like_f2(source));
  AMBRY_TRY(const bool f1, looks_like_f1(source));
  if (f1) {
    auto model = parse_f1(source, diagnostics, options);
    if (!model && model.error().code != ErrorCode::NeedBytes && f2) return f2_error();
    return model;
  }
  if (f2) return f2_error();
  // Neither: most likely a damaged or truncated F0. Its parser reports the place.
  return parse_f0(source, diagnostics, options);
}

}  // namespace ambry::formats::embd
