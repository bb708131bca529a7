// Finds the bytes of a checkpoint's storages, and the archive around its pickle.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/source.h"
#include "io/zip_directory.h"
#include "model/file/model.h"

namespace ambry::formats::pytorch {

// Twice the size of a pickle with the maximum number of tensors.
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

  // The extent of the storage with this key. Returns nothing when there is none.
  [[nodiscard]] virtual Result<std::optional<Extent>> find_storage(std::string_view key) = 0;
  // The other known parts of the file, for the file map.
  [[nodiscard]] virtual std::vector<model::Region> regions() const = 0;
  // The checksums that the file states of the storages that were found.
  [[nodiscard]] virtual std::vector<model::ByteRangeCrc> checksums() const { return {}; }
};

class Archive final : public Storages {
 public:
  // Finds the pickle and checks that numbers are little-endian. On NeedBytes, load the bytes and
  // call it again.
  [[nodiscard]] static Result<Archive> open(const io::Source& source);

  [[nodiscard]] const Extent& pickle() const { return pickle_; }
  [[nodiscard]] Result<std::optional<Extent>> find_storage(std::string_view key) override;
  [[nodiscard]] std::vector<model::Region> regions() const override;
  [[nodiscard]] std::vector<model::ByteRangeCrc> checksums() const override;

 private:
  Archive(const io::Source& source, io::ZipDirectory directory)
      : source_(&source), directory_(std::move(directory)) {}
  Result<void> check_no_program() const;
  Result<const io::ZipMember*> find_pickle() const;
  Result<Extent> extent_of(const io::ZipMember& member);
  Result<void> check_byte_order();

  const io::Source* source_;
  io::ZipDirectory directory_;
  std::string prefix_;  // `archive/`
  Extent pickle_;
  std::vector<uint64_t> content_;  // start of each member's content; 0 when not known yet
};

}  // namespace ambry::formats::pytorch
