#include "formats/huggingface/config/fields/stated_quantization.h"

#include <gtest/gtest.h>

namespace ambry::formats::huggingface {
namespace {

TEST(StatedQuantization, TellsTheMethodAndWhereItIsStated) {
  struct Row {
    const char* config;
    const char* method;
    const char* place;
  };
  const Row rows[] = {
      {R"({"quantization":{"group_size":64,"bits":4}})", "mlx", "config.json.quantization"},
      {R"({"quantization":{"group_size":64,"bits":4},"quantization_config":{"group_size":64}})",
       "mlx", "config.json.quantization"},
      {R"({"quantization_config":{"group_size":64,"bits":4}})", "mlx",
       "config.json.quantization_config"},
      {R"({"quantization_config":{"quant_method":"gptq"}})", "gptq",
       "config.json.quantization_config"},
      {R"({"quantization_config":{"load_in_4bit":true}})", "bitsandbytes",
       "config.json.quantization_config"},
      {R"({"quantization_config":{"quant_method":"fbgemm_fp8"}})", "fbgemm_fp8",
       "config.json.quantization_config"}};
  for (const auto& [config, method, place] : rows) {
    const auto json = io::parse_json(config);
    const auto stated = stated_quantization({"config.json", *json});
    ASSERT_TRUE(stated && *stated) << config;
    EXPECT_EQ((*stated)->method, method);
    EXPECT_EQ((*stated)->place, place);
  }
}

TEST(StatedQuantization, IsNothingWhereNothingIsStated) {
  for (const char* config : {"{}", R"({"quantization_config":null})"}) {
    const auto json = io::parse_json(config);
    const auto stated = stated_quantization({"config.json", *json});
    ASSERT_TRUE(stated) << config;
    EXPECT_FALSE(*stated) << config;
  }
}

}  // namespace
}  // namespace ambry::formats::huggingface
