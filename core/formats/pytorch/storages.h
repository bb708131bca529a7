// Where the bytes of a checkpoint's storages lie, and the archive around its pickle.
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

// Twice what the pickle of as many tensors as any model may have takes.
inline constexpr uint64_t kMaxPickleBytes = 16 << 20;

struct Extent {
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

class Storages {
 public:
  Storages() = default;
  Storages(const Storages&) = delete;
  Storages(Storages&&) = default;
  Storages& operator=(const Storages&) = delete;
  Storages& operator=(Storages&&) = default;
  virtual ~Storages() = default;

  // Where the storage of this key lies; nothing when there is none.
  [[nodiscard]] virtual Result<std::optional<Extent>> find_storage(std::string_view key) = 0;
  // What of the file is neither a storage that was asked for nor unclaimed, for the map of the
  // file.
  [[nodiscard]] virtual std::vector<model::Region> regions() const = 0;
};

class Archive final : public Storages {
 public:
  // Finds the pickle and checks that the numbers are little-endian. Restartable on NeedBytes.
  [[nodiscard]] static Result<Archive> open(const io::Source& source);

  [[nodiscard]] const Extent& pickle() const { return pickle_; }
  [[nodiscard]] Result<std::optional<Extent>> find_storage(std::string_view key) override;
  [[nodiscard]] std::vector<model::Region> regions() const override;

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
