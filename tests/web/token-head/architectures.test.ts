// The head for tokens of every architecture: its tensors have the names of Transformers' classes, and its numbers are those that
// the head makes of the encoder's own token vectors.
import { expect, test } from 'vitest';
import { loadModel } from '../../../web/src/model/worker-load.ts';
import { embedTexts } from '../../../web/src/model/worker-texts.ts';
import type { CallContext } from '../../../web/src/rpc/serve.ts';
import { unwrap } from '../../../web/src/runtime/worker-heap.ts';
import type { WorkerRuntime } from '../../../web/src/runtime/worker-runtime.ts';
import { memorySource } from '../../../web/src/sources/base/memory.ts';
import { tokenHeadHandlers } from '../../../web/src/token-head/worker.ts';
import type { AmbryModule } from '../../../web/src/wasm/module.mjs';
import { loadModule } from '../support/core-module.ts';
import type { Files } from '../support/directories/model-directories.ts';
import { tensorsIn } from '../support/files/pytorch-file.ts';
import { encoderCases, encoderDirectoryOf } from '../support/models/architecture-cases.ts';
import { ambry } from '../support/package.ts';

type Case = (typeof encoderCases)[number];
type Shapes = [string, number[]][];

const text = 'a bright day';
const labels = ['O', 'B-PER', 'I-PER'];

interface Head {
  readonly dense?: string;
  readonly norm?: string;
  /** The classifier; without one, the word embeddings are its matrix. */
  readonly classifier?: string;
  /** The tensor of the classifier's bias. */
  readonly bias: string;
  readonly act?: keyof typeof activations;
}

const bertMasked: Head = {
  dense: 'cls.predictions.transform.dense',
  norm: 'cls.predictions.transform.LayerNorm',
  bias: 'cls.predictions.bias',
};
const robertaMasked: Head = {
  dense: 'lm_head.dense',
  norm: 'lm_head.layer_norm',
  bias: 'lm_head.bias',
};

/** As the classes for masked language models of transformers 4.57 name their parts. */
const masked: Readonly<Record<string, Head>> = {
  bert: bertMasked,
  'deberta-v2': bertMasked,
  'jina-bert-v2': bertMasked,
  roberta: robertaMasked,
  'xlm-roberta': robertaMasked,
  mpnet: robertaMasked,
  electra: {
    dense: 'generator_predictions.dense',
    norm: 'generator_predictions.LayerNorm',
    bias: 'generator_lm_head.bias',
  },
  distilbert: { dense: 'vocab_transform', norm: 'vocab_layer_norm', bias: 'vocab_projector.bias' },
  albert: {
    dense: 'predictions.dense',
    norm: 'predictions.LayerNorm',
    bias: 'predictions.bias',
    act: 'gelu_new',
  },
  modernbert: {
    dense: 'head.dense',
    norm: 'head.norm',
    bias: 'decoder.bias',
  },
  roformer: bertMasked,
  neobert: { classifier: 'decoder', bias: 'decoder.bias' },
  eurobert: { classifier: 'lm_head', bias: 'lm_head.bias' },
  new: { dense: 'lm_head.dense', norm: 'lm_head.norm', bias: 'lm_head.decoder.bias' },
  // As the authors' own code names them.
  'jina-embeddings-v3': robertaMasked,
  nomic_bert: {
    dense: 'cls.predictions.transform.dense',
    norm: 'cls.predictions.transform.layer_norm',
    bias: 'cls.predictions.decoder.bias',
  },
};

/** The head of DeBERTa without `legacy`. */
const newerDeberta: Head = {
  dense: 'lm_predictions.lm_head.dense',
  norm: 'lm_predictions.lm_head.LayerNorm',
  bias: 'lm_predictions.lm_head.bias',
};

/** The parts before the classifier, where there are any. */
const before: Readonly<Record<string, Partial<Head>>> = {
  modernbert: { dense: 'head.dense', norm: 'head.norm' },
  neobert: { dense: 'dense', act: 'tanh' },
};

const tagging = (type: unknown): Head => ({
  ...before[String(type)],
  classifier: 'classifier',
  bias: 'classifier.bias',
});

const answering = (type: unknown): Head =>
  type === 'modernbert' ? tagging(type) : { classifier: 'qa_outputs', bias: 'qa_outputs.bias' };

const widthOf = ({ config }: Case) =>
  Number(config['hidden_size'] ?? config['dim'] ?? config['n_embd'] ?? config['d_model']);
const embeddingWidthOf = (one: Case) =>
  Number(
    ['albert', 'electra', 'roformer'].includes(String(one.config['model_type']))
      ? (one.config['embedding_size'] ?? 128)
      : widthOf(one),
  );

function shapesOf(one: Case, head: Head, outputs: number): Shapes {
  const inner = head.classifier ? widthOf(one) : embeddingWidthOf(one);
  const shapes: Shapes = [[head.bias, [outputs]]];
  if (head.classifier) {
    shapes.push([`${head.classifier}.weight`, [outputs, widthOf(one)]]);
  }
  if (head.dense) {
    shapes.push([`${head.dense}.weight`, [inner, widthOf(one)]], [`${head.dense}.bias`, [inner]]);
  }
  if (head.norm) {
    shapes.push([`${head.norm}.weight`, [inner]], [`${head.norm}.bias`, [inner]]);
  }
  return shapes;
}

/** The directory of the case with a head of a class. */
function withHead(one: Case, head: Head, outputs: number, ending: string): Files {
  const whole = { ...one, tensors: [...one.tensors, ...shapesOf(one, head, outputs)] };
  const files = new Map(encoderDirectoryOf(whole));
  const config = {
    ...one.config,
    architectures: [`Made${ending}`],
    ...(ending === 'ForTokenClassification' && {
      id2label: Object.fromEntries(labels.map((label, i) => [i, label])),
    }),
  };
  files.set('config.json', new TextEncoder().encode(JSON.stringify(config)));
  return files;
}

const module = await loadModule();
const runtime = { wasm: async () => module } as unknown as WorkerRuntime<AmbryModule>;
const context = {
  signal: new AbortController().signal,
  report: () => {},
  transfer: [],
} as unknown as CallContext;

/** What the head says of each token, and the vectors of the tokens. */
async function readTokens(files: Files, options: object) {
  const file = new Uint8Array(await (await ambry.convert(files, options)).arrayBuffer());
  const source = { ...memorySource(file), phase: 'download' as const };
  const model = await loadModel(module, 'encoder', source as never, context);
  try {
    const job = unwrap(module.beginTexts('embed', model, '{"pooling":"none","normalize":false}'));
    const { vectors } = await embedTexts(module, job, [text], context);
    const rows = await tokenHeadHandlers(runtime, () => model).tokenRows(
      { inputs: [text], settings: { list: 'texts', rows: 'all' } },
      context,
    );
    return { vectors, rows };
  } finally {
    module.release(model);
  }
}

const gelu = (x: number) => 0.5 * x * (1 + erf(x / Math.SQRT2));
const activations = {
  gelu,
  gelu_new: (x: number) =>
    0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
  relu: (x: number) => Math.max(x, 0),
  tanh: Math.tanh,
  silu: (x: number) => x / (1 + Math.exp(-x)),
};

/** The head of the NomicBert classes has the activation of the gate in their layers. */
const gates: Readonly<Record<string, keyof typeof activations>> = {
  swiglu: 'silu',
  silu: 'silu',
  geglu: 'gelu',
  gelu: 'gelu',
};

const maskedHead = (one: Case): Head => {
  const head = masked[typeOf(one)] as Head;
  const gate = one.config['activation_function'] ?? one.config['hidden_act'] ?? 'swiglu';
  const acts: Partial<Record<string, keyof typeof activations | undefined>> = {
    nomic_bert: gates[String(gate)],
    roformer: one.config['hidden_act'] as keyof typeof activations,
  };
  const act = acts[typeOf(one)];
  return act ? { ...head, act } : head;
};

/** By its series, which is quick enough for the small numbers here. */
function erf(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; n < 200; n++) {
    term *= -(x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** The numbers of one token by the head's tensors, which are those of the directory. */
function expected(files: Files, head: Head, vector: Float32Array, eps: number): number[] {
  const tensors = tensorsIn(files.get('model.safetensors') as Uint8Array);
  const values = (name: string) => {
    const found = tensors.find((tensor) => tensor.name === name)?.data.slice();
    return new Float32Array(found?.buffer ?? expect.fail(`there is no ${name}`));
  };
  const linear = (weight: Float32Array, bias: Float32Array, x: readonly number[]) =>
    Array.from(bias, (b, row) =>
      x.reduce((sum, xi, i) => sum + xi * (weight[row * x.length + i] ?? 0), b),
    );
  let x: number[] = [...vector];
  if (head.dense) {
    x = linear(values(`${head.dense}.weight`), values(`${head.dense}.bias`), x);
    x = x.map(activations[head.act ?? 'gelu']);
  }
  if (head.norm) {
    const [weight, bias] = [values(`${head.norm}.weight`), values(`${head.norm}.bias`)];
    const mean = x.reduce((sum, xi) => sum + xi, 0) / x.length;
    const variance = x.reduce((sum, xi) => sum + (xi - mean) ** 2, 0) / x.length;
    const scale = 1 / Math.sqrt(variance + eps);
    x = x.map((xi, i) => (xi - mean) * scale * (weight[i] ?? 0) + (bias[i] ?? 0));
  }
  const matrix = head.classifier
    ? `${head.classifier}.weight`
    : (tensors.find(({ name }) =>
        /(word|tok)_embeddings\.(parametrizations\.)?weight(\.original)?$/.test(name),
      )?.name ?? '');
  return linear(values(matrix), values(head.bias), x);
}

async function expectNumbers(one: Case, head: Head, outputs: number, ending: string) {
  const files = withHead(one, head, outputs, ending);
  const fills = ending === 'ForMaskedLM' || ending.endsWith('ForPreTraining');
  const options = fills ? ({ head: 'fillMask' } as const) : {};
  const { vectors, rows } = await readTokens(files, options);
  const stated = ['layer_norm_eps', 'layer_norm_epsilon', 'norm_eps'].map((key) => one.config[key]);
  const eps = Number(stated.find((value) => value !== undefined) ?? 1e-12);
  const width = widthOf(one);
  expect(rows.width).toBe(outputs);
  expect([...rows.counts]).toEqual([vectors.length / width]);
  for (let token = 0; token < vectors.length / width; token++) {
    const vector = vectors.subarray(token * width, (token + 1) * width);
    const numbers = expected(files, head, vector, eps);
    const given = rows.logits.subarray(token * outputs, (token + 1) * outputs);
    const worst = Math.max(...numbers.map((x, i) => Math.abs(x - (given[i] ?? Number.NaN))));
    expect(worst).toBeLessThan(2e-5);
  }
}

/** The architecture: authors' own code has the type of another one. */
function typeOf({ config }: Case): string {
  const own = { bert: 'jina-bert-v2', 'xlm-roberta': 'jina-embeddings-v3' };
  const type = String(config['model_type']);
  return config['auto_map'] ? (own[type as keyof typeof own] ?? type) : type;
}

/** All encoders but the halves of models for texts and pictures: these have no such classes. */
const named = encoderCases
  .map((one, i) => [`${typeOf(one)} ${i}`, one] as const)
  .filter(([name]) => !/_text_model/.test(name));

test.each(named)('token classification of %s', async (_, one) => {
  await expectNumbers(one, tagging(typeOf(one)), labels.length, 'ForTokenClassification');
});

test.each(named)('question answering of %s', async (_, one) => {
  await expectNumbers(one, answering(typeOf(one)), 2, 'ForQuestionAnswering');
});

const withMasks = named.filter(([, one]) => typeOf(one) in masked);

test.each(withMasks)('the masks of %s', async (_, one) => {
  await expectNumbers(one, maskedHead(one), Number(one.config['vocab_size']), 'ForMaskedLM');
});

const debertas = named.filter(([, one]) => typeOf(one) === 'deberta-v2');

test.each(debertas)('the newer masks of %s', async (_, one) => {
  await expectNumbers(one, newerDeberta, Number(one.config['vocab_size']), 'ForMaskedLM');
});

test('the masks of a class for pre-training', async () => {
  const [, one] = named.find(
    ([, { config }]) => config['model_type'] === 'bert',
  ) as (typeof named)[0];
  for (const ending of ['BertForPreTraining', 'NomicBertForPreTraining']) {
    await expectNumbers(one, bertMasked, Number(one.config['vocab_size']), ending);
  }
});

const withoutMasks = named.filter(([, one]) => !(typeOf(one) in masked));

test.each(withoutMasks)('masks of %s are refused by name', async (name, one) => {
  const isT5 = name.startsWith('t5');
  const files = withHead(one, bertMasked, 3, 'ForMaskedLM');
  await expect(ambry.convert(files, { head: 'fillMask' })).rejects.toMatchObject({
    code: 'Unsupported',
    path: isT5 ? 'options.head' : 'config.json.architectures',
    message: expect.stringContaining(isT5 ? '<extra_id_0>' : typeOf(one)) as string,
  });
});
