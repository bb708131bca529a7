// Rerankers whose files do not state how they rank. Their cards do, and the files name the model.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/decoder/config/reranker_config.h"

namespace ambry::model {

struct KnownReranker {
  std::string_view name;          // as its authors write it
  std::string_view architecture;  // by decoder_config.h
};

[[nodiscard]] std::span<const KnownReranker> known_rerankers();

// The one of this architecture whose name is in the text, whatever letters and separators the text
// has; nullptr when there is none.
[[nodiscard]] const KnownReranker* find_known_reranker(std::string_view text,
                                                       std::string_view architecture);

// How it ranks.
[[nodiscard]] RerankerConfig config_of(const KnownReranker& known);

// How bge-reranker-v2-minicpm-layerwise ranks, which has a layer for the score after `first_layer`
// layers and more.
[[nodiscard]] RerankerConfig layerwise_config(uint32_t first_layer);

// Turns `<Instruct>: …` of a prompt into a place for an instruction, whose default is that text.
void add_instruction_place(RerankerConfig& reranker);

}  // namespace ambry::model
