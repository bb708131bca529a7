// The values and defaults of options that TypeScript lists are those that the core reads.
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { bitDefaults, blockSizes, quantizeDefaults } from '../../web/src/convert/quantize-types.ts';
import { samplingDefaults } from '../../web/src/generator/base/sampling-types.ts';
import { answerForms, generateDefaults } from '../../web/src/generator/base/types.ts';
import { classifyDefaults } from '../../web/src/model/classify-types.ts';
import { poolings, truncations } from '../../web/src/model/embed-types.ts';
import { keyValueTypes, weightStorages } from '../../web/src/model/types.ts';
import { labelLosses } from '../../web/src/text-classifier/types.ts';
import { architectures } from '../../web/src/wasm/tables.ts';
import { similarDefaults, wordMetrics } from '../../web/src/words/types.ts';

const read = (path: string) =>
  readFileSync(new URL(`../../core/${path}`, import.meta.url), 'utf8').replace(/\s+/g, ' ');

/** What the first group of `pattern` is at each of its places in a file of the core. */
const found = (path: string, pattern: RegExp) =>
  [...read(path).matchAll(pattern)].map(([, text = '']) => text);

/** The values in an error of the core: `must be a, b or c, not `. */
const valuesIn = (path: string, option: string) =>
  found(path, new RegExp(`${option}", \\{"must be ([^"]*), not "`, 'g')).map((list) =>
    list.split(/, | or /),
  );

describe('the values of an option', () => {
  it('pooling are the methods for encoders, then the further one for word vectors', () => {
    const forEncoders = found('infer/encoder/head/pooling.cpp', /\{"(\w+)", Pooling::/g);
    const forWords = found('api/words/sentence_job.cpp', /pooling == "(\w+)"/g);
    expect(poolings).toEqual([...forEncoders, ...forWords]);
  });

  test.each([
    ['weights', 'api/encoder/encoder_model.cpp', weightStorages],
    ['kv', 'api/decoder/generator_loader.cpp', keyValueTypes],
    ['truncate', 'api/encoder/embed_options_json.cpp', truncations],
    ['metric', 'api/words/word_query.cpp', wordMetrics],
  ] as const)('%s are those that its error names', (option, path, values) => {
    expect(valuesIn(path, option)).toEqual([[...values]]);
  });

  test.each([
    ['weights', 'api/decoder/generator_loader.cpp', weightStorages],
    ['kv', 'api/decoder/generator_loader.cpp', keyValueTypes],
    ['truncate', 'api/encoder/embed_options_json.cpp', truncations],
    ['metric', 'api/words/word_query.cpp', wordMetrics],
  ] as const)('%s begin with its default', (option, path, [first]) => {
    expect(found(path, new RegExp(`"${option}", "([^"]*)"\\)`, 'g'))).toEqual([first]);
  });

  it('format are those that its error names', () => {
    const [names = ''] = found(
      'api/decoder/answer_format.cpp',
      /"there is no such form; use ([^"]*)"/g,
    );
    expect(names.split(/, | or /)).toEqual([...answerForms]);
  });

  it('arch are the architectures that Hugging Face’s configurations name', () => {
    const [table = ''] = found(
      'formats/huggingface/config/known_decoders.h',
      /kKnownDecoders = std::to_array<KnownDecoder>\(\{(.*?)\}\);/g,
    );
    const pairs = [...table.matchAll(/\{"([\w-]+)", "(\w+)"/g)];
    // The first of several names of one architecture is its usual one.
    const names = new Map(pairs.toReversed().map(([, type, name]) => [name, type]));
    expect(new Set(names.values())).toEqual(new Set(architectures));
  });

  it('loss are those of text classifiers', () => {
    const [names = ''] = found(
      'model/text_classifier/text_classifier_data.cpp',
      /kNames = \{([^}]*)\}/g,
    );
    expect(names.replaceAll('"', '').split(', ')).toEqual([...labelLosses]);
  });

  it('block are those that AMB stores, or none', () => {
    const [sizes = ''] = found('convert/quantize/quantize_plan.cpp', /kBlocks = \{([\d, ]+)\}/g);
    expect(new Set(blockSizes)).toEqual(new Set([0, ...sizes.split(', ').map(Number)]));
  });
});

describe('the default of', () => {
  const sampler = 'infer/decoder/sampling/sampler_options';
  const { drySequenceBreakers, ...samplingNumbers } = samplingDefaults;
  // The whole numbers among them are fields of structs; the others are rows of a table.
  const samplerFields: Record<string, string> = {
    penaltyLastN: 'int64_t kAllTokens',
    dryPenaltyLastN: 'int64_t kAllTokens',
    dryAllowedLength: 'uint64_t allowed_length',
    topK: 'uint32_t top_k',
    minKeep: 'uint64_t min_keep',
    mirostat: 'uint64_t version',
    seed: 'uint64_t seed',
  };
  const snakeCase = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
  const training = 'kernels/product_quantization/training_options.h';
  const quantize = 'convert/plan/quantization_options.h';
  test.each([
    ...Object.entries(samplingNumbers).map(([name, value]) => {
      const field = samplerFields[name];
      return field
        ? ([name, value, `${sampler}.h`, `${field} = (-?\\d+);`] as const)
        : ([name, value, `${sampler}.cpp`, `"${name}", [^,]+, (-?[\\d.]+),`] as const);
    }),
    ...(
      ['maxTokens', 'n', 'batchSize', 'promptLookupNumTokens', 'maxMatchingNgramSize'] as const
    ).map(
      (name) =>
        [
          name,
          generateDefaults[name],
          'generate/answer/generate_options.h',
          `uint64_t ${snakeCase(name)} = (\\d+);`,
        ] as const,
    ),
    [
      'k of classify',
      classifyDefaults.k,
      'api/image_classifier/classify_job.h',
      'size_t k = (\\d+);',
    ],
    [
      'k of classify, for texts',
      classifyDefaults.k,
      'api/text_classifier/predict_job.cpp',
      '"k", (\\d+)\\)',
    ],
    [
      'threshold of classify, for texts',
      classifyDefaults.threshold,
      'api/text_classifier/predict_job.cpp',
      '"threshold", ([\\d.]+)\\)',
    ],
    ['k of similar', similarDefaults.k, 'api/words/word_query.h', 'size_t k = (\\d+);'],
    ['block', quantizeDefaults.block, quantize, 'block_size = (\\d+);'],
    ['group', quantizeDefaults.group, quantize, 'group = (\\d+);'],
    ['bits of adaptive', bitDefaults.adaptive, quantize, 'bits_per_weight = ([\\d.]+);'],
    ['bits of a code', bitDefaults.code, training, 'bits = (\\d+);'],
    ['iterations', quantizeDefaults.iterations, training, 'iterations = (\\d+);'],
    ['attempts', quantizeDefaults.attempts, training, 'attempts = (\\d+);'],
    ['seed', quantizeDefaults.seed, training, 'seed = (\\d+);'],
  ] as const)('%s is %d in the core, too', (_, value, path, pattern) => {
    expect(found(path, new RegExp(pattern, 'g')).map(Number)).toEqual([value]);
  });

  it('drySequenceBreakers are those of the core', () => {
    const [texts = ''] = found(
      'generate/answer/generate_options.cpp',
      /kUsualBreakers\[\] = \{(.*?)\};/g,
    );
    expect(JSON.parse(`[${texts}]`)).toEqual(drySequenceBreakers);
  });
});
