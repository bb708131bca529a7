#include "io/zip_directory.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/order.h"
#include "base/utf8.h"
#include "io/byte_reader.h"

namespace ambry::io {
namespace {

constexpr uint32_t kEndMagic = 0x06054B50;
constexpr uint32_t kEnd64Magic = 0x06064B50;
constexpr uint32_t kLocatorMagic = 0x07064B50;
constexpr uint32_t kEntryMagic = 0x02014B50;
constexpr uint32_t kHeaderMagic = 0x04034B50;
constexpr uint64_t kEndBytes = 22;
constexpr uint64_t kEnd64Bytes = 56;
constexpr uint64_t kLocatorBytes = 20;
constexpr uint64_t kEntryBytes = 46;
constexpr uint64_t kHeaderBytes = 30;
constexpr uint64_t kMaxComment = 0xFFFF;
constexpr uint64_t kMaxMembers = 1 << 20;
constexpr uint16_t kEncrypted = 1;
constexpr uint16_t kZip64Extra = 1;
// The value of a 32-bit field whose real value is in the ZIP64 extra field.
constexpr uint32_t kInZip64Extra = 0xFFFFFFFF;

struct End {
  uint64_t offset = 0;  // of the first record after the directory
  uint64_t n_members = 0;
  uint64_t directory_bytes = 0;
  uint64_t directory_offset = 0;
};

template <class T>
T field(Bytes record, size_t at) {
  return load_le<T>(record.data() + at);
}

// The last record ends with a comment of unknown length, so search for it from the end.
Result<uint64_t> find_end(const Source& source) {
  for (const uint64_t comment : {uint64_t{0}, kMaxComment}) {
    const uint64_t size = std::min(source.size(), kEndBytes + comment);
    const uint64_t begin = source.size() - size;
    AMBRY_TRY(const Bytes tail, source.view(begin, size, "zip.end"));
    for (size_t at = tail.size() + 1; at-- > 0;) {
      if (tail.size() - at < kEndBytes || field<uint32_t>(tail, at) != kEndMagic) continue;
      if (at + kEndBytes + field<uint16_t>(tail, at + 20) == tail.size()) return begin + at;
    }
  }
  return error_at(ErrorCode::Truncated, source.size(), "zip.end",
                  "the file ends without a ZIP directory: it is cut off or not a ZIP archive");
}

Failure split_archive(uint64_t offset) {
  return error_at(ErrorCode::Unsupported, offset, "zip.end.disk",
                  "ZIP archives in several parts are not supported");
}

// Returns nothing when the archive has no ZIP64 record. Writers may add one without need.
Result<std::optional<End>> read_end64(const Source& source, uint64_t end_offset) {
  if (end_offset < kLocatorBytes) return std::optional<End>();
  const uint64_t locator = end_offset - kLocatorBytes;
  ByteReader reader(source, locator);
  auto scope = reader.enter("zip.end64");
  AMBRY_TRY(const auto locator_magic, reader.read<uint32_t>("locator"));
  if (locator_magic != kLocatorMagic) return std::optional<End>();
  AMBRY_RETURN_IF_ERROR(reader.skip(4, "disk"));
  AMBRY_TRY(const auto offset, reader.read<uint64_t>("offset"));
  if (offset >= locator) {
    return reader.fail(ErrorCode::BadValue, locator + 8, "offset",
                       "the offset of the ZIP64 record points behind its locator");
  }
  reader.seek(offset);
  AMBRY_TRY(const Bytes record, reader.read_bytes(kEnd64Bytes, "record"));
  if (field<uint32_t>(record, 0) != kEnd64Magic) {
    return reader.fail(ErrorCode::BadMagic, offset, "magic", "expected a ZIP64 record here");
  }
  if (field<uint32_t>(record, 16) != 0 || field<uint32_t>(record, 20) != 0) {
    return split_archive(offset + 16);
  }
  return std::optional(End{offset, field<uint64_t>(record, 32), field<uint64_t>(record, 40),
                           field<uint64_t>(record, 48)});
}

Result<End> read_end(const Source& source) {
  AMBRY_TRY(const uint64_t at, find_end(source));
  AMBRY_TRY(const Bytes record, source.view(at, kEndBytes, "zip.end"));
  End end{at, field<uint16_t>(record, 10), field<uint32_t>(record, 12),
          field<uint32_t>(record, 16)};
  AMBRY_TRY(const auto end64, read_end64(source, at));
  if (end64) {
    end = *end64;
  } else if (field<uint32_t>(record, 4) != 0) {
    return split_archive(at + 4);
  }
  if (end.directory_offset > end.offset ||
      end.directory_bytes != end.offset - end.directory_offset) {
    return error_at(ErrorCode::BadValue, at + 12, "zip.end.directory",
                    {end.directory_bytes, " bytes at ", end.directory_offset,
                     " do not end where the directory ends, at ", end.offset});
  }
  return end;
}

// Reads the entries of the directory one after another.
class EntryReader {
 public:
  EntryReader(Bytes bytes, uint64_t offset) : bytes_(bytes), offset_(offset) {}

  [[nodiscard]] bool at_end() const { return position_ == bytes_.size(); }

  Result<ZipMember> next(uint64_t index) {
    index_ = index;
    start_ = position_;
    const Bytes rest = bytes_.subspan(position_);
    if (rest.size() < kEntryBytes) return fail(ErrorCode::Truncated, 0, "", "the entry is cut off");
    if (field<uint32_t>(rest, 0) != kEntryMagic) {
      return fail(ErrorCode::BadMagic, 0, ".magic", "expected a directory entry here");
    }
    const size_t name_bytes = field<uint16_t>(rest, 28);
    const size_t extra_bytes = field<uint16_t>(rest, 30);
    const size_t entry_bytes = kEntryBytes + name_bytes + extra_bytes + field<uint16_t>(rest, 32);
    if (entry_bytes > rest.size())
      return fail(ErrorCode::Truncated, 28, "", "the entry is cut off");
    position_ += entry_bytes;
    ZipMember member;
    member.name = as_text(rest.subspan(kEntryBytes, name_bytes));
    member.entry_offset = offset_ + start_;
    AMBRY_RETURN_IF_ERROR(check_name(member.name));
    AMBRY_RETURN_IF_ERROR(check_kind(rest, member.name));
    member.header_offset = field<uint32_t>(rest, 42);
    member.crc = field<uint32_t>(rest, kZipCrcAt);
    member.bytes = field<uint32_t>(rest, 24);
    AMBRY_RETURN_IF_ERROR(
        read_extra(rest, rest.subspan(kEntryBytes + name_bytes, extra_bytes), member));
    return member;
  }

 private:
  Failure fail(ErrorCode code, size_t at, const char* what, const Text& message) const {
    return error_at(code, offset_ + start_ + at, {"zip.members[", index_, "]", what}, message);
  }

  // Names are only looked up, never written. Still, a name that leads outside its folder is an
  // attack.
  Result<void> check_name(std::string_view name) const {
    const auto has_part = [&](std::string_view part) {
      return concat({"/", name, "/"}).find(concat({"/", part, "/"})) != std::string::npos;
    };
    const char* reason = name.empty()                                ? "the name is empty"
                         : find_invalid_utf8(name)                   ? "the name is not valid UTF-8"
                         : name.find('\0') != std::string_view::npos ? "the name holds a zero byte"
                         : name.front() == '/' ? "the name is an absolute path"
                         : name.find('\\') != std::string_view::npos ? "the name holds a backslash"
                         : name.size() > 1 && name[1] == ':' ? "the name starts with a drive letter"
                         : has_part("..") || has_part(".")   ? "the name leads out of the archive"
                                                             : nullptr;
    if (reason == nullptr) return {};
    return fail(ErrorCode::BadValue, kEntryBytes, ".name", reason);
  }

  Result<void> check_kind(Bytes entry, std::string_view name) const {
    if ((field<uint16_t>(entry, 8) & kEncrypted) != 0) {
      return fail(ErrorCode::Unsupported, 8, ".flags", {name, " is encrypted"});
    }
    const auto method = field<uint16_t>(entry, 10);
    if (method == 0) return {};
    return fail(ErrorCode::Unsupported, 10, ".method",
                {name, " is compressed (", method == 8 ? "deflate" : "method ",
                 method == 8 ? std::string() : std::to_string(method),
                 "); only stored members can be read"});
  }

  // Reads the 64-bit values of the fields that refer to the ZIP64 extra field, in this order.
  Result<void> read_extra(Bytes entry, Bytes extra, ZipMember& member) const {
    uint64_t packed = field<uint32_t>(entry, 20);
    while (extra.size() >= 4) {
      const size_t size = field<uint16_t>(extra, 2);
      if (size > extra.size() - 4) break;
      Bytes values = extra.subspan(4, size);
      if (field<uint16_t>(extra, 0) == kZip64Extra) {
        for (uint64_t* value : {&member.bytes, &packed, &member.header_offset}) {
          if (*value != kInZip64Extra || values.size() < sizeof(uint64_t)) continue;
          *value = field<uint64_t>(values, 0);
          values = values.subspan(sizeof(uint64_t));
        }
      }
      extra = extra.subspan(4 + size);
    }
    if (packed == member.bytes) return {};
    return fail(ErrorCode::BadValue, 20, ".size",
                {packed, " bytes stored without compression have the size ", member.bytes});
  }

  Bytes bytes_;
  uint64_t offset_;
  uint64_t index_ = 0;
  size_t position_ = 0;
  size_t start_ = 0;
};

std::string path_of(uint32_t index, const char* what) {
  return concat({"zip.members[", index, "].", what});
}

// Sets where each member ends. Its header and content must lie before the next member, or before
// the directory for the last one.
Result<void> set_ends(std::vector<ZipMember>& members, uint64_t directory) {
  const auto order = sorted_order(members.size(), [&](uint32_t a, uint32_t b) {
    return members[a].header_offset < members[b].header_offset;
  });
  for (size_t i = 0; i < order.size(); ++i) {
    ZipMember& member = members[order[i]];
    const bool last = i + 1 == order.size();
    member.end = last ? directory : members[order[i + 1]].header_offset;
    const uint64_t head = kHeaderBytes + member.name.size();
    if (member.header_offset <= member.end && member.end - member.header_offset >= head &&
        member.end - member.header_offset - head >= member.bytes) {
      continue;
    }
    return error_at(ErrorCode::BadValue, member.entry_offset, path_of(order[i], "offset"),
                    {member.name, ": ", member.bytes, " bytes at ", member.header_offset, " pass ",
                     last ? "the directory" : "the start of another member", " at ", member.end});
  }
  return {};
}

}  // namespace

Result<ZipDirectory> ZipDirectory::read(const Source& source) {
  AMBRY_TRY(const End end, read_end(source));
  if (end.n_members > end.directory_bytes / kEntryBytes || end.n_members > kMaxMembers) {
    return error_at(ErrorCode::BadValue, end.offset, "zip.end.members",
                    {end.n_members, " members in a directory of ", end.directory_bytes, " bytes"});
  }
  AMBRY_TRY(const Bytes bytes,
            source.view(end.directory_offset, end.directory_bytes, "zip.directory"));
  ZipDirectory directory;
  directory.offset_ = end.directory_offset;
  std::vector<ZipMember>& members = directory.members_;
  members.reserve(static_cast<size_t>(end.n_members));
  EntryReader reader(bytes, end.directory_offset);
  for (uint64_t i = 0; i < end.n_members; ++i) {
    AMBRY_TRY(const ZipMember member, reader.next(i));
    members.push_back(member);
  }
  if (!reader.at_end()) {
    return error_at(ErrorCode::BadValue, end.offset, "zip.end.members",
                    "the directory is longer than its entries");
  }
  directory.by_name_ = sorted_order(
      members.size(), [&](uint32_t a, uint32_t b) { return members[a].name < members[b].name; });
  for (size_t i = 1; i < members.size(); ++i) {
    const uint32_t at = directory.by_name_[i];
    if (members[at].name != members[directory.by_name_[i - 1]].name) continue;
    return error_at(ErrorCode::BadValue, members[at].entry_offset, path_of(at, "name"),
                    {"the name ", members[at].name, " occurs twice"});
  }
  AMBRY_RETURN_IF_ERROR(set_ends(members, end.directory_offset));
  return directory;
}

const ZipMember* ZipDirectory::find(std::string_view name) const {
  const auto found =
      std::ranges::lower_bound(by_name_, name, {}, [&](uint32_t at) { return members_[at].name; });
  if (found == by_name_.end() || members_[*found].name != name) return nullptr;
  return &members_[*found];
}

Result<uint64_t> find_content(const Source& source, const ZipMember& member) {
  const uint64_t size = kHeaderBytes + member.name.size();
  AMBRY_TRY(const Bytes header, source.view(member.header_offset, size, "zip.header"));
  if (field<uint32_t>(header, 0) != kHeaderMagic) {
    return error_at(ErrorCode::BadMagic, member.header_offset, "zip.header",
                    {member.name, ": expected a member's header here"});
  }
  if (field<uint16_t>(header, 8) != 0 || field<uint16_t>(header, 26) != member.name.size() ||
      as_text(header.subspan(kHeaderBytes)) != member.name) {
    return error_at(ErrorCode::Mismatch, member.header_offset, "zip.header",
                    {member.name, ": the member's header and the directory disagree"});
  }
  const uint64_t content = member.header_offset + size + field<uint16_t>(header, 28);
  if (content <= member.end && member.end - content >= member.bytes) return content;
  return error_at(ErrorCode::BadValue, member.header_offset + 28, "zip.header.extra",
                  {member.name, ": the content passes what follows it at ", member.end});
}

}  // namespace ambry::io
