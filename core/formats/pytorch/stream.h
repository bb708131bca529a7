// The form that PyTorch wrote before 1.6, and still writes on request. It has several pickles: a
// number that marks the format, a version, facts about the machine, the checkpoint, and the keys of
// its storages. The storages follow in the order of those keys, each with a count of 8 bytes and
// its elements.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/pytorch/pickle.h"
#include "formats/pytorch/storages.h"
#include "io/source.h"

namespace ambry::formats::pytorch {

// The pickle of the number that marks the format.
inline constexpr std::string_view kStreamMagic =
    "\x80\x02\x8A\x0Al\xFC\x9C"
    "F\xF9 j\xA8P\x19.";

class Stream final : public Storages {
 public:
  // Reads the pickles and finds each storage. On NeedBytes, load the bytes and call it again.
  [[nodiscard]] static Result<Stream> open(const io::Source& source);

  // The pickle of the checkpoint.
  [[nodiscard]] const Pickle& pickle() const { return *checkpoint_; }
  [[nodiscard]] Result<std::optional<Extent>> find_storage(std::string_view key) override;
  [[nodiscard]] std::vector<model::Region> regions() const override;

 private:
  struct Place {
    Extent content;
    bool asked = false;
  };

  explicit Stream(const io::Source& source) : source_(&source) {}
  Result<Pickle> next_pickle(std::string_view name);
  Result<void> check_version();
  Result<void> check_machine();
  Result<void> read_types();
  Result<void> find_storages();
  Result<void> find_next(std::string_view key, uint64_t key_offset);

  const io::Source* source_;
  uint64_t position_ = kStreamMagic.size();
  std::optional<Pickle> checkpoint_;
  std::map<std::string_view, tensor::DType> types_;  // of the checkpoint's storages, by key
  uint64_t end_of_pickles_ = 0;
  std::map<std::string, Place, std::less<>> places_;  // by key
};

}  // namespace ambry::formats::pytorch
