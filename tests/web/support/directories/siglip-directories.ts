// A small SigLIP as transformers saves it.

import { safetensors } from '../fixtures.ts';
import { towerShapes } from './clip-directories.ts';
import type { Files } from './model-directories.ts';

const width = 32;
const end = '</s>';
const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const tokens = ['<pad>', end, '<unk>', '\u2581', '\u2581cat', ...letters];

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

const metaspace = {
  type: 'Metaspace',
  replacement: '\u2581',
  prepend_scheme: 'always',
  split: true,
};
const ending = { SpecialToken: { id: end, type_id: 0 } };
const text = { Sequence: { id: 'A', type_id: 0 } };

const tokenizer = {
  added_tokens: [
    {
      id: 1,
      content: end,
      single_word: false,
      lstrip: true,
      rstrip: true,
      normalized: false,
      special: true,
    },
  ],
  normalizer: null,
  pre_tokenizer: metaspace,
  post_processor: {
    type: 'TemplateProcessing',
    single: [text, ending],
    pair: [text, ending, { Sequence: { id: 'B', type_id: 0 } }, ending],
    special_tokens: { [end]: { id: end, ids: [1], tokens: [end] } },
  },
  decoder: metaspace,
  model: { type: 'Unigram', unk_id: 2, vocab: tokens.map((token, i) => [token, -i]) },
};

const sizes = {
  vocab_size: tokens.length,
  hidden_size: width,
  intermediate_size: 48,
  num_hidden_layers: 1,
  num_attention_heads: 4,
  max_position_embeddings: 16,
};

/** The whole model (`siglip`, `siglip2`), or its half for texts alone. */
export function siglipDirectory(type: string): Files {
  const config = type.endsWith('_text_model')
    ? { model_type: type, ...sizes }
    : { model_type: type, text_config: sizes, vision_config: {} };
  return new Map([
    ['config.json', encode(config)],
    ['tokenizer.json', encode(tokenizer)],
    [
      'tokenizer_config.json',
      encode({ tokenizer_class: 'SiglipTokenizer', pad_token: end, eos_token: end }),
    ],
    [
      'model.safetensors',
      safetensors(
        [
          ...towerShapes(tokens.length, width),
          ['text_model.head.weight', [width, width]],
          ['text_model.head.bias', [width]],
        ],
        22,
      ),
    ],
  ]);
}
