// The small model with a head that gives numbers for every token, as a Hugging Face directory: for answers to questions, and for
// missing words.

import { pytorchFile, tensorsIn } from '../files/pytorch-file.ts';
import { modelDirectory, safetensors, testVocabulary } from '../fixtures.ts';

const width = 32;

type Files = Map<string, Uint8Array<ArrayBuffer>>;
type Shapes = readonly (readonly [name: string, shape: readonly number[]])[];

const heads = {
  BertForQuestionAnswering: [
    ['qa_outputs.weight', [2, width]],
    ['qa_outputs.bias', [2]],
  ],
  BertForMaskedLM: [
    ['cls.predictions.transform.dense.weight', [width, width]],
    ['cls.predictions.transform.dense.bias', [width]],
    ['cls.predictions.transform.LayerNorm.weight', [width]],
    ['cls.predictions.transform.LayerNorm.bias', [width]],
    ['cls.predictions.bias', [testVocabulary.length]],
  ],
} as const satisfies Readonly<Record<string, Shapes>>;

function directoryOf(architecture: keyof typeof heads): Files {
  const files = modelDirectory();
  const before = JSON.parse(
    new TextDecoder().decode(files.get('config.json') as Uint8Array),
  ) as object;
  const config = JSON.stringify({ ...before, architectures: [architecture] });
  files.set('config.json', new TextEncoder().encode(config));
  for (const name of ['1_Pooling/config.json', 'sentence_bert_config.json']) {
    files.delete(name);
  }
  const own = tensorsIn(files.get('model.safetensors') as Uint8Array);
  files.delete('model.safetensors');
  const prefixed = own.map((tensor) => ({ ...tensor, name: `bert.${tensor.name}` }));
  files.set('pytorch_model.bin', pytorchFile([...prefixed, ...headTensors(architecture)]));
  return files;
}

const headTensors = (architecture: keyof typeof heads) =>
  tensorsIn(safetensors(heads[architecture] as Shapes, 7));

export const questionDirectory = (): Files => directoryOf('BertForQuestionAnswering');
export const maskDirectory = (): Files => directoryOf('BertForMaskedLM');

const robertaHead: Shapes = [
  ['lm_head.dense.weight', [width, width]],
  ['lm_head.dense.bias', [width]],
  ['lm_head.layer_norm.weight', [width]],
  ['lm_head.layer_norm.bias', [width]],
  ['lm_head.bias', [testVocabulary.length]],
];

/** A model for missing words whose tokens are those of RoBERTa: of bytes, with and without a space before, and a mask that takes
 *  the white space before it. */
export function robertaMaskDirectory(): Files {
  const files = directoryOf('BertForMaskedLM');
  const json = (name: string, value: unknown) =>
    files.set(name, new TextEncoder().encode(JSON.stringify(value)));
  const config = JSON.parse(
    new TextDecoder().decode(files.get('config.json') as Uint8Array),
  ) as object;
  json('config.json', {
    ...config,
    model_type: 'roberta',
    architectures: ['RobertaForMaskedLM'],
    pad_token_id: 1,
    bos_token_id: 0,
    eos_token_id: 2,
  });
  json('tokenizer.json', robertaTokenizer());
  json('tokenizer_config.json', { tokenizer_class: 'RobertaTokenizer' });
  files.delete('vocab.txt');
  const own = tensorsIn(modelDirectory().get('model.safetensors') as Uint8Array);
  const prefixed = own.map((tensor) => ({ ...tensor, name: `roberta.${tensor.name}` }));
  const head = tensorsIn(safetensors(robertaHead, 7));
  files.set('pytorch_model.bin', pytorchFile([...prefixed, ...head]));
  return files;
}

function robertaTokenizer() {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const tokens = ['<s>', '<pad>', '</s>', '<unk>', ...letters, 'Ġ', '.', '(', ')'];
  tokens.push('ca', 'cat', 'Ġcat', 'do', 'dog', 'Ġdog', 'Ġd', 'Ġc');
  const last = testVocabulary.length - 1;
  while (tokens.length < last) {
    tokens.push(`zz${tokens.length}`);
  }
  const special = ['<s>', '<pad>', '</s>', '<unk>'].map((content, id) => ({ id, content }));
  const mask = { id: last, content: '<mask>', lstrip: true };
  const plain = { single_word: false, lstrip: false, rstrip: false, normalized: false };
  return {
    added_tokens: [...special, mask].map((token) => ({ ...plain, special: true, ...token })),
    normalizer: null,
    pre_tokenizer: {
      type: 'ByteLevel',
      add_prefix_space: false,
      trim_offsets: true,
      use_regex: true,
    },
    post_processor: {
      type: 'RobertaProcessing',
      sep: ['</s>', 2],
      cls: ['<s>', 0],
      trim_offsets: true,
      add_prefix_space: false,
    },
    decoder: { type: 'ByteLevel' },
    model: {
      type: 'BPE',
      vocab: Object.fromEntries([...tokens, '<mask>'].map((token, id) => [token, id])),
      merges: ['c a', 'ca t', 'Ġ cat', 'd o', 'do g', 'Ġ dog'],
    },
  };
}

function valuesIn(tensors: ReturnType<typeof tensorsIn>, name: string): Float32Array {
  const data = tensors.find((tensor) => tensor.name === name)?.data.slice();
  return new Float32Array(data?.buffer ?? new ArrayBuffer(0));
}

/** The numbers that the head for missing words makes of a token's vector. */
export function maskLogitsOf(vector: Float32Array): number[] {
  const head = headTensors('BertForMaskedLM');
  const of = (name: string) => valuesIn(head, `cls.predictions.${name}`);
  const words = valuesIn(
    tensorsIn(modelDirectory().get('model.safetensors') as Uint8Array),
    'embeddings.word_embeddings.weight',
  );
  const dense = product(of('transform.dense.weight'), vector, of('transform.dense.bias')).map(gelu);
  const mean = dense.reduce((sum, x) => sum + x, 0) / width;
  const variance = dense.reduce((sum, x) => sum + (x - mean) ** 2, 0) / width;
  const [gain, bias] = [of('transform.LayerNorm.weight'), of('transform.LayerNorm.bias')];
  const normed = dense.map(
    (x, i) => ((x - mean) / Math.sqrt(variance + 1e-12)) * (gain[i] ?? 0) + (bias[i] ?? 0),
  );
  return product(words, normed, of('bias'));
}

const product = (weight: Float32Array, x: ArrayLike<number>, bias: Float32Array): number[] =>
  Array.from(bias, (own, row) =>
    Array.from(x).reduce((sum, xi, i) => sum + xi * (weight[row * x.length + i] ?? 0), own),
  );

const gelu = (x: number): number => 0.5 * x * (1 + erf(x / Math.SQRT2));

/** By the series of Taylor, which is exact enough for small numbers. */
function erf(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; n < 60; n++) {
    term *= -(x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}
