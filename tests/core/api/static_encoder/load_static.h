// Loads a static encoder from the bytes of its file, and embeds texts.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/static_encoder/static_session.h"

namespace ambry::api::testing {

inline Result<StaticSession> load_static(const std::vector<uint8_t>& file,
                                         std::string_view weights = "as-stored") {
  const io::MemorySource source(file);
  AMBRY_TRY(std::unique_ptr<StaticLoader> loader, StaticLoader::begin(source, weights));
  while (loader->wanted() > 0) {
    const MutableBytes window = loader->window();
    const size_t n = std::min(window.size(), static_cast<size_t>(loader->wanted()));
    std::memcpy(window.data(), file.data() + loader->start(), n);
    AMBRY_RETURN_IF_ERROR(loader->commit(n));
  }
  return loader->finish();
}

inline Result<StaticEmbedJob> run_job(const StaticSession& session,
                                      const std::vector<std::string>& texts,
                                      std::string_view options = "{}") {
  AMBRY_TRY(StaticEmbedJob job, session.begin_embed(options));
  for (const std::string& text : texts) job.add(text);
  AMBRY_RETURN_IF_ERROR(job.start());
  for (;;) {
    AMBRY_TRY(const bool done, job.step());
    if (done) return job;
  }
}

inline Result<std::vector<float>> embed(const StaticSession& session,
                                        const std::vector<std::string>& texts,
                                        std::string_view options = "{}") {
  AMBRY_TRY(const StaticEmbedJob job, run_job(session, texts, options));
  return std::vector<float>(job.result().begin(), job.result().end());
}

}  // namespace ambry::api::testing
