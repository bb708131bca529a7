#include "formats/huggingface/config/fields/adapter_config.h"

#include <cmath>

#include "model/metadata/metadata_value.h"

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

Result<void> refuse_adapter_files(const FileValues& values) {
  constexpr const char* kTasks = "task_names";
  if (!model::has_value(values.json(), kTasks)) return {};
  return values.fail(
      kTasks, ErrorCode::Unsupported,
      "the model embeds with the adapter of a task, which lies in a file of its own; "
      "take a model that such an adapter is merged into, such as "
      "jina-embeddings-v5-text-nano-retrieval");
}

}  // namespace ambry::formats::huggingface
