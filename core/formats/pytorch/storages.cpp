#include "formats/pytorch/storages.h"

#include <utility>

#include "base/order.h"

namespace ambry::formats::pytorch {
namespace {

constexpr std::string_view kPickle = "data.pkl";
// The bytes that may come between a member's content and the next header: sizes and checksum.
constexpr uint64_t kDescriptorBytes = 24;

}  // namespace

Result<Archive> Archive::open(const io::Source& source) {
  AMBRY_TRY(io::ZipDirectory directory, io::ZipDirectory::read(source));
  Archive archive(source, std::move(directory));
  archive.content_.resize(archive.directory_.members().size());
  AMBRY_TRY(const io::ZipMember* pickle, archive.find_pickle());
  AMBRY_RETURN_IF_ERROR(archive.check_no_program());
  archive.prefix_ = pickle->name.substr(0, pickle->name.size() - kPickle.size());
  AMBRY_RETURN_IF_ERROR(archive.check_byte_order());
  AMBRY_TRY(archive.pickle_, archive.extent_of(*pickle));
  if (pickle->bytes > kMaxPickleBytes) {
    return error_at(ErrorCode::LimitExceeded, pickle->entry_offset, kPickle,
                    {"a pickle of ", pickle->bytes, " bytes, at most 16 MB"});
  }
  return archive;
}

// torch.jit.save writes the model's code beside its pickle, which then needs that code.
Result<void> Archive::check_no_program() const {
  for (const io::ZipMember& member : directory_.members()) {
    if (member.name.find("code/__torch__") == std::string_view::npos &&
        !member.name.ends_with("constants.pkl")) {
      continue;
    }
    return error_at(ErrorCode::Unsupported, member.entry_offset, member.name,
                    "this is a TorchScript archive, which holds a program; load it with "
                    "torch.jit.load and save its state_dict() with torch.save");
  }
  return {};
}

Result<const io::ZipMember*> Archive::find_pickle() const {
  const io::ZipMember* found = nullptr;
  for (const io::ZipMember& member : directory_.members()) {
    const bool in_folder = member.name.ends_with(concat({"/", kPickle}));
    if (member.name != kPickle && !in_folder) continue;
    if (found != nullptr) {
      return error_at(ErrorCode::Unsupported, member.entry_offset, kPickle,
                      {"two pickles, ", found->name, " and ", member.name});
    }
    found = &member;
  }
  if (found != nullptr) return found;
  return error_at(ErrorCode::NotFound, directory_.offset(), kPickle,
                  "the archive holds no pickle, so it is no checkpoint");
}

Result<Extent> Archive::extent_of(const io::ZipMember& member) {
  uint64_t& content = content_[static_cast<size_t>(&member - directory_.members().data())];
  if (content == 0) AMBRY_TRY(content, io::find_content(*source_, member));
  return Extent{content, member.bytes};
}

// Absent before PyTorch 2.1, when numbers were little-endian on every relevant machine.
Result<void> Archive::check_byte_order() {
  const io::ZipMember* member = directory_.find(prefix_ + "byteorder");
  if (member == nullptr) return {};
  AMBRY_TRY(const Extent extent, extent_of(*member));
  constexpr uint64_t kLongest = 6;
  AMBRY_TRY(const Bytes bytes,
            source_->view(extent.offset, std::min(extent.bytes, kLongest), "byteorder"));
  if (as_text(bytes) == "little") return {};
  return error_at(ErrorCode::Unsupported, extent.offset, "byteorder",
                  "numbers in another order than little-endian");
}

Result<std::optional<Extent>> Archive::find_storage(std::string_view key) {
  const io::ZipMember* member = directory_.find(concat({prefix_, "data/", key}));
  if (member == nullptr) return std::optional<Extent>();
  AMBRY_TRY(const Extent extent, extent_of(*member));
  return std::optional(extent);
}

// torch.save can be told to compute no checksums. A checksum of 0 is taken for none.
std::vector<model::ByteRangeCrc> Archive::checksums() const {
  std::vector<model::ByteRangeCrc> stated;
  const auto& members = directory_.members();
  for (size_t i = 0; i < members.size(); ++i) {
    const io::ZipMember& member = members[i];
    if (content_[i] == 0 || member.crc == 0) continue;
    stated.push_back({content_[i], content_[i] + member.bytes, member.crc,
                      member.entry_offset + io::kZipCrcAt, concat({member.name, ".crc32"})});
  }
  return stated;
}

std::vector<model::Region> Archive::regions() const {
  const auto& members = directory_.members();
  const auto order = sorted_order(members.size(), [&](uint32_t a, uint32_t b) {
    return members[a].header_offset < members[b].header_offset;
  });
  std::vector<model::Region> regions;
  uint64_t begin = 0;  // end of the member before, if only its descriptor follows
  for (const uint32_t i : order) {
    const io::ZipMember& member = members[i];
    if (member.header_offset - begin > kDescriptorBytes) begin = member.header_offset;
    const bool whole = content_[i] == 0 || !member.name.starts_with(prefix_ + "data/");
    if (content_[i] != 0) {
      regions.push_back({concat({member.name, " (header)"}), begin, content_[i] - begin});
      if (whole) regions.push_back({std::string(member.name), content_[i], member.bytes});
      begin = content_[i] + member.bytes;
    } else {
      regions.push_back({std::string(member.name), begin, member.end - begin});
      begin = member.end;
    }
  }
  if (directory_.offset() - begin > kDescriptorBytes) begin = directory_.offset();
  regions.push_back({"zip_directory", begin, source_->size() - begin});
  return regions;
}

}  // namespace ambry::formats::pytorch
