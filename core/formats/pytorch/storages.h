// The archive around a pickle: where it lies, and where the bytes of its storages lie.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/source.h"
#include "io/zip_directory.h"
#include "model/model.h"

namespace ambry::formats::pytorch {

struct Extent {
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

class Archive {
 public:
  // Finds the pickle and checks that the numbers are little-endian. Restartable on NeedBytes.
  [[nodiscard]] static Result<Archive> open(const io::Source& source);

  [[nodiscard]] const Extent& pickle() const { return pickle_; }
  // Where the storage of this key lies; nothing when the archive has none.
  [[nodiscard]] Result<std::optional<Extent>> find_storage(std::string_view key);
  // What of the file is neither a storage that was asked for nor unclaimed, for the map of the
  // file.
  [[nodiscard]] std::vector<model::Region> regions() const;

 private:
  Archive(const io::Source& source, io::ZipDirectory directory)
      : source_(&source), directory_(std::move(directory)) {}
  Result<const io::ZipMember*> find_pickle() const;
  Result<Extent> extent_of(const io::ZipMember& member);
  Result<void> check_byte_order();

  const io::Source* source_;
  io::ZipDirectory directory_;
  std::string prefix_;  // `archive/`
  Extent pickle_;
  std::vector<uint64_t> content_;  // of each member, where it starts; 0 while nobody asked
};

}  // namespace ambry::formats::pytorch
