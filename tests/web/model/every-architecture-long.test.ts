// The built package in Node: every architecture that a table of the core names opens, in every container that holds it.
import { expect, test } from 'vitest';
import { architectureNames } from '../../../web/src/wasm/tables.ts';
import { clipDirectory } from '../support/directories/clip-directories.ts';
import { asPytorch, type Files } from '../support/directories/model-directories.ts';
import { siglipDirectory } from '../support/directories/siglip-directories.ts';
import { model2vecDirectory } from '../support/directories/static-directories.ts';
import { ggufEncoder } from '../support/files/gguf-encoders.ts';
import {
  ambFileOf,
  embeddingCase,
  encoderCases,
  encoderDirectoryOf,
  gemma3nForGguf,
  generatorCases,
  generatorDirectoryOf,
} from '../support/models/architecture-cases.ts';
import { ambry } from '../support/package.ts';

const { open, convert, inspect } = ambry;

/** Other names of an architecture, and the one that a fixture has. */
const spellings: Readonly<Record<string, string>> = {
  'phi-2': 'phi',
  phi2: 'phi',
  'phi-3': 'phi3',
  'gpt-2': 'gpt2',
  gemma3_text: 'gemma3',
  gemma3n_text: 'gemma3n',
  gemma4_text: 'gemma4',
  gptneox: 'gpt_neox',
  'gpt-j': 'gptj',
  RefinedWeb: 'falcon',
  'gemma-embedding': 'gemma3',
  'hunyuan-dense': 'hunyuan_v1_dense',
  mistral3: 'ministral3',
  granitehybrid: 'granitemoehybrid',
  'falcon-h1': 'falcon_h1',
  qwen35: 'qwen3_5',
  qwen3_5_text: 'qwen3_5',
  qwen3moe: 'qwen3_moe',
  lfm2moe: 'lfm2_moe',
  qwen2moe: 'qwen2_moe',
  qwen35moe: 'qwen3_5_moe',
  qwen3_5_moe_text: 'qwen3_5_moe',
};

/** Types of directories that have the files of another type. */
const alike: Readonly<Record<string, string>> = {
  camembert: 'roberta',
  gte: 'new',
  jina_embeddings_v5: 'eurobert',
  mt5: 't5',
};

function generatorCase(name: string) {
  const architecture = spellings[name] ?? name;
  const found = generatorCases.find(({ config }) => config['architecture'] === architecture);
  return found ?? expect.fail(`no fixture has ${name}`);
}

function encoderCase(type: string) {
  const found = encoderCases.find(({ config }) => config['model_type'] === (alike[type] ?? type));
  return found ?? expect.fail(`no fixture has ${type}`);
}

/** The halves for texts have tokenizers of their own. */
const towers: Readonly<Record<string, () => Files>> = {
  clip: () => clipDirectory(),
  clip_text_model: () => clipDirectory(false),
  siglip: () => siglipDirectory('siglip'),
  siglip_text_model: () => siglipDirectory('siglip_text_model'),
  siglip2: () => siglipDirectory('siglip2'),
  siglip2_text_model: () => siglipDirectory('siglip2_text_model'),
};

const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());

test.each(architectureNames.amb)('an AMB file of %s opens', async (name) => {
  await using model = await open(ambFileOf(generatorCase(name), name));
  expect(model.kind).toBe('generator');
});

test.each(architectureNames.directoryGenerators)('a directory of %s opens', async (type) => {
  const directory = generatorDirectoryOf(generatorCase(type), type);
  for (const files of [directory, asPytorch(directory)]) {
    await using model = await open(files);
    expect(model.kind).toBe('generator');
    expect(model.info.convertedTo).toBe('amb');
  }
});

test.each(architectureNames.directoryEncoders)('a directory of %s opens', async (type) => {
  const directory = towers[type]?.() ?? encoderDirectoryOf(encoderCase(type), type);
  for (const files of [directory, asPytorch(directory)]) {
    await using model = await open(files);
    expect(model.kind).toBe('encoder');
    expect(model.info.convertedTo).toBe('embd');
  }
});

test('every architecture of EMBD opens', async () => {
  const others = encoderCases.filter(({ config }) => !(String(config['model_type']) in towers));
  const directories = [
    ...others.map((one) => encoderDirectoryOf(one)),
    clipDirectory(),
    siglipDirectory('siglip'),
    model2vecDirectory(),
  ];
  const names = new Set<unknown>();
  for (const directory of directories) {
    const file = await bytesOf(await convert(directory));
    await using model = await open(file);
    expect(model.kind).toBe('encoder');
    expect(model.info.convertedTo).toBeUndefined();
    names.add((await inspect(file)).metadata['architecture'] ?? 'bert');
  }
  expect([...names].sort()).toEqual([...architectureNames.embd].sort());
});

test.each(architectureNames.ggufEncoders)('a GGUF file of %s opens', async (name) => {
  const file = ggufEncoder(name);
  for (const options of [{}, { kind: 'encoder' }] as const) {
    await using model = await open(file, options);
    expect(model.kind).toBe('encoder');
    expect(model.info.convertedTo).toBe('embd');
  }
  expect((await inspect(file)).run).toMatchObject({ kind: 'encoder', format: 'embd' });
});

/** GGUF has no table of these. */
const notInGguf = ['falcon', 'gptj', 'mpt'];

/** The AMB file of a fixture, under the name of AMB and with what GGUF can state. */
function ambForGguf(one: (typeof generatorCases)[number]) {
  const { architecture } = one.config;
  const { attn_softcap: _, final_softcap: _caps, rope_scaling: _factors, ...plain } = one.config;
  const config = architecture === 'gemma' || architecture === 'phi3' ? plain : one.config;
  return ambFileOf({ ...one, config }, architecture === 'phi' ? 'phi2' : architecture);
}

test('every GGUF architecture that generates text opens', async () => {
  const names = new Set<unknown>();
  for (const one of [...generatorCases, embeddingCase]) {
    if (notInGguf.includes(String(one.config['architecture']))) {
      continue;
    }
    const stated = one.config['architecture'] === 'gemma3n' ? gemma3nForGguf(one) : one;
    const file = await bytesOf(await convert(ambForGguf(stated), { to: 'gguf' }));
    await using model = await open(file);
    expect(model.kind).toBe(one === embeddingCase ? 'encoder' : 'generator');
    expect(model.info.convertedTo).toBeUndefined();
    names.add((await inspect(file)).metadata['general.architecture']);
  }
  expect([...names].sort()).toEqual([...architectureNames.ggufGenerators].sort());
});
