#include "formats/huggingface/config/adapter_config.h"

#include <cmath>

namespace ambry::formats::huggingface {

Result<AdapterConfig> read_adapter_config(const FileValues& values) {
  AdapterConfig config;
  const io::Json* tasks = values.json().find("lora_adaptations");
  if (tasks == nullptr || tasks->is_null()) return config;
  const auto bad_tasks = [&] {
    return values.fail("lora_adaptations", ErrorCode::BadValue, "expected a list of names");
  };
  if (!tasks->is_array()) return bad_tasks();
  for (const io::Json& task : tasks->items()) {
    if (!task.is_string() || task.string().empty()) return bad_tasks();
    config.tasks.push_back(task.string());
  }
  AMBRY_RETURN_IF_ERROR(values.read({{"lora_rank", config.rank}, {"lora_alpha", config.alpha}}));
  if (config.rank == 0 || config.rank > 4096) {
    return values.fail("lora_rank", ErrorCode::BadValue, "must be from 1 to 4096");
  }
  if (!std::isfinite(config.alpha)) {
    return values.fail("lora_alpha", ErrorCode::BadValue, "must be finite");
  }
  return config;
}

}  // namespace ambry::formats::huggingface
