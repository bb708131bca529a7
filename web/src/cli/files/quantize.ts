import { quantize } from '../../node.ts';
import type { QuantizeOptions } from '../../types.ts';
import { defineCommand, oneOf, positive, type Values, wholeNumber } from '../shared/command.ts';
import { UsageError } from '../shared/failure.ts';
import { readText } from '../shared/input.ts';
import { readFloats } from '../shared/npy.ts';
import { finalfusionOf } from '../words/open-words.ts';
import { formatByName } from './convert.ts';
import { quantizationLines } from './quantization-report.ts';
import { writeTarget } from './write-target.ts';

const kTypes = [
  'int8',
  'int4',
  'int5',
  'int4_block',
  'int5_block',
  'adaptive',
  'f16',
  'bf16',
  'dq8',
  'sq8',
  'pq',
  'opq',
  'gaussian_opq',
] as const;
const kBlocks = { '0': 0, '32': 32, '128': 128 } as const;
/** Formats that a type belongs to alone. */
const kFormats: Readonly<Record<string, string>> = {
  dq8: 'tinyruntime',
  sq8: 'tinyruntime',
  pq: 'finalfusion',
  opq: 'finalfusion',
  gaussian_opq: 'finalfusion',
};
const kCounts = ['group', 'subquantizers', 'iterations', 'attempts', 'seed', 'sample'] as const;

const kOptions = {
  type: { type: 'string', short: 'q' },
  to: { type: 'string' },
  from: { type: 'string', short: 'f' },
  arch: { type: 'string' },
  lossy: { type: 'boolean' },
  block: { type: 'string' },
  scale: { type: 'string' },
  bits: { type: 'string', short: 'b' },
  calibration: { type: 'string', multiple: true },
  keep: { type: 'string' },
  'keep-embeddings': { type: 'boolean' },
  'keep-output': { type: 'boolean' },
  group: { type: 'string' },
  symmetric: { type: 'boolean' },
  images: { type: 'string', multiple: true },
  plan: { type: 'string' },
  subquantizers: { type: 'string', short: 's' },
  iterations: { type: 'string', short: 'i' },
  attempts: { type: 'string', short: 'a' },
  seed: { type: 'string' },
  sample: { type: 'string' },
  'no-compare': { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

export const command = defineCommand({
  usage:
    'quantize SRC DST --type TYPE [--to FORMAT] [--from FORMAT] [--arch A] [--lossy] [--keep REGEX] [--json] [OPTION...]',
  summary: 'store a model in fewer bits, and say what that loses',
  details: [
    `--type             one of ${kTypes.join(', ')}`,
    '                   (embd: int8, f16, bf16; amb: int8 to adaptive; tinyruntime: dq8, sq8;',
    '                   finalfusion: those with pq)',
    '--to               the target format; by type, the name of DST or the source when absent',
    '--from             what the source is, where its bytes do not tell; word vectors that are not',
    '                   finalfusion (word2vec, text, textdims, fasttext, floret) become it first',
    '--arch             the model’s architecture, where the source does not state it',
    '--lossy            leave out what the target cannot hold, with a warning, instead of refusing it',
    '--keep             tensors whose names match stay as they are; vectors always do',
    '--block            amb: 32 or 128 weights share a scale; 32 when absent',
    '--scale            amb: fp16 or fp32; fp16 when absent, fp32 where one does not fit',
    '--bits             adaptive: bits a weight, scales included; 5.5 when absent; pq: of a code',
    '--calibration      adaptive: a file of text to run the model over, so that errors count by what each',
    '                   weight meets; may be repeated',
    '--keep-embeddings  amb: embeddings stay as they are',
    '--keep-output      amb: the matrix before the logits stays as it is',
    '--group            dq8: weights that share a scale; 64 when absent',
    '--symmetric        dq8: without zero points',
    '--plan             sq8: how layers follow one another, where it is no residual network',
    '--images           sq8: files of normalised images to run, as .npy or bare float32; may be repeated',
    '--subquantizers    pq: codes a vector; half the dimensions when absent',
    '--iterations, --attempts, --seed, --sample',
    '                   pq: how codes are trained, and on how many rows',
    '--no-compare       do not run encoders and language models before and after on built-in texts',
    '-q, -f, -b, -s, -i, -a stand for --type, --from, --bits, --subquantizers, --iterations, --attempts.',
  ],
  options: kOptions,
  takes: [2, 2],
  run: async ([source = '', target = ''], values, terminal) => {
    const settings = await settingsOf(values, target);
    const { from, lossy = false } = values;
    // Their codes are trained on a finalfusion file.
    const ofVectors = settings.to === 'finalfusion';
    const own = { ...settings, lossy, ...(from !== undefined && !ofVectors && { from }) };
    return writeTarget(
      source,
      target,
      {},
      terminal,
      async (given, options) => {
        const { signal, onProgress, onWarning } = options;
        const how = { lossy, signal, onProgress, onWarning };
        const read = ofVectors ? await finalfusionOf(given, from, how) : given;
        return quantize(read, { ...own, ...options });
      },
      (made, warnings) => {
        const { report, agreement } = made;
        if (values.json === true) {
          terminal.json({ source, target, report, agreement, warnings });
          return;
        }
        for (const line of quantizationLines(made)) terminal.print(line);
        terminal.print(`${source} → ${target}`);
      },
    );
  },
});

async function settingsOf(
  values: Values<typeof kOptions>,
  target: string,
): Promise<QuantizeOptions> {
  const type = oneOf(values.type, '--type', kTypes);
  if (type === undefined) throw new UsageError(`--type is wanted: ${kTypes.join(', ')}`, '--type');
  const to = values.to ?? kFormats[type] ?? formatByName(target);
  const block = oneOf(values.block, '--block', ['0', '32', '128']);
  const scale = oneOf(values.scale, '--scale', ['fp16', 'fp32']);
  const bits = positive(values.bits, '--bits');
  const keep = pattern(values.keep);
  const counts = kCounts.map((name) => [name, wholeNumber(values[name], `--${name}`, 0)] as const);
  const calibration = values.calibration && (await Promise.all(values.calibration.map(readText)));
  const images = values.images && (await Promise.all(values.images.map(readFloats)));
  return {
    type,
    ...(values['no-compare'] === true && { texts: [] }),
    ...(images && { images }),
    ...(calibration && { calibration }),
    ...(values.plan !== undefined && { plan: await readText(values.plan) }),
    ...(to !== undefined && { to }),
    ...(values.arch !== undefined && { arch: values.arch }),
    ...(block !== undefined && { block: kBlocks[block] }),
    ...(scale !== undefined && { scale }),
    ...(bits !== undefined && { bits }),
    ...(keep && { keep }),
    ...(values['keep-embeddings'] === true && { keepEmbeddings: true }),
    ...(values['keep-output'] === true && { keepOutput: true }),
    ...(values.symmetric === true && { symmetric: true }),
    ...Object.fromEntries(counts.filter(([, count]) => count !== undefined)),
  };
}

function pattern(text: string | undefined): RegExp | undefined {
  if (text === undefined) return undefined;
  try {
    return new RegExp(text);
  } catch (error) {
    throw new UsageError((error as Error).message, '--keep');
  }
}
