// Word vectors: converting a file of any kind never crashes, reads within the file and writes as
// many bytes as it says; a finalfusion file that was written is accepted. The first byte chooses.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "convert/stream_conversion.h"
#include "formats/finalfusion/finalfusion_parse.h"

namespace {

using namespace ambry;  // NOLINT(google-build-using-namespace)
using File = std::vector<uint8_t>;

constexpr uint64_t kMostBytes = 64 << 20;  // a pruned model states more than it stores

Result<File> convert_all(Bytes bytes, const convert::Options& options) {
  const io::MemorySource source(bytes);
  const convert::SideFiles none;
  AMBRY_TRY(auto conversion,
            convert::Conversion::begin(convert::SourceFiles(source, none), options));
  File target;
  for (;;) {
    AMBRY_TRY(const convert::Step step, conversion.next());
    if (step.kind == convert::Step::Kind::Done) break;
    if (step.kind == convert::Step::Kind::Read) {
      if (step.offset > bytes.size() || step.target.size() > bytes.size() - step.offset)
        std::abort();
      std::ranges::copy(bytes.subspan(static_cast<size_t>(step.offset), step.target.size()),
                        step.target.begin());
      continue;
    }
    if (step.offset != target.size()) std::abort();
    target.insert(target.end(), step.bytes.begin(), step.bytes.end());
    if (target.size() > kMostBytes) return make_error(ErrorCode::LimitExceeded, "target", "");
  }
  if (target.size() != conversion.total_bytes()) std::abort();
  return target;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static constexpr std::array kFrom = {"word2vec", "text",        "textdims", "floret",
                                       "fasttext", "finalfusion", "",         "fasttext"};
  static constexpr std::array kTo = {"finalfusion", "word2vec", "text", "fasttext"};
  if (size == 0) return 0;
  convert::Options options;
  options.from = kFrom[data[0] & 7U];
  options.to = kTo[data[0] >> 3 & 3U];
  options.lossy = (data[0] & 0x20U) != 0;
  options.unnormalize = (data[0] & 0x40U) != 0;
  options.to_run = (data[0] & 0x80U) != 0;
  const auto made = convert_all({data + 1, size - 1}, options);
  if (!made || options.to != std::string_view("finalfusion") || options.from == "finalfusion")
    return 0;
  const io::MemorySource written(*made);
  io::Diagnostics found;
  found.strictness = io::Strictness::Strict;
  const auto model = formats::finalfusion::parse(written, found);
  if (!model) std::abort();
  formats::finalfusion::check(*model, found);
  if (!found.errors.empty()) std::abort();
  return 0;
}
