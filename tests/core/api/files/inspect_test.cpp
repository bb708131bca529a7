#include "api/files/inspect.h"

#include <gtest/gtest.h>

#include "api/files/validate/run_validation.h"
#include "formats/embd/make_embd.h"
#include "formats/finalfusion/make_fifu.h"

namespace ambry::api {
namespace {

namespace embd = formats::embd::testing;
using testing::at;

io::Json inspected(const embd::File& file) {
  const io::MemorySource source(file);
  auto text = inspect(source);
  EXPECT_TRUE(text);
  auto document = io::parse_json(text ? *text : "null");
  return document ? *document : io::Json();
}

TEST(Inspect, MapsEveryByteOfTheFile) {
  embd::F0Maker maker;
  for (const embd::File& file : {maker.make(), embd::make_f1()}) {
    uint64_t end = 0;
    size_t tensors = 0;
    const io::Json document = inspected(file);
    for (const io::Json& region : at(document, "regions").items()) {
      EXPECT_EQ(at(region, "offset").uint(), end);
      EXPECT_GT(at(region, "bytes").uint(), 0U);
      end += at(region, "bytes").uint();
      const std::string& kind = at(region, "kind").string();
      EXPECT_NE(kind, "unclaimed");
      if (kind == "tensor") ++tensors;
      EXPECT_EQ(at(region, "name").string().empty(), kind == "padding");
    }
    EXPECT_EQ(end, file.size());
    EXPECT_EQ(tensors, maker.tensors.size());
  }
}

TEST(Inspect, WritesMetadataAsToml) {
  formats::finalfusion::testing::FifuMaker maker;
  maker.metadata = "# kept apart\nrate = 1.0\n[words]\ncount = 3\n";
  EXPECT_EQ(at(inspected(maker.make()), "metadataToml").string(),
            "rate = 1.0\n\n[words]\ncount = 3\n");
  maker.metadata.reset();
  EXPECT_EQ(at(inspected(maker.make()), "metadataToml").string(), "");
}

}  // namespace
}  // namespace ambry::api
