import { withoutStop } from '../../base/without-stop.ts';
import {
  bitDefaults,
  blockSizes,
  quantizations,
  quantizeDefaults,
  quantizeTypes,
  scaleTypes,
} from '../../entries/tables.ts';
import type { QuantizeOptions, QuantizeType } from '../../entries/types.ts';
import { quantize } from '../../node.ts';
import { readTensors } from '../image-classifier/tensor-input.ts';
import { asGiven, callOptions, count, word } from '../shared/call-options.ts';
import { type CommandOptions, defineCommand, type OptionValues } from '../shared/command.ts';
import {
  archOption,
  caseOptions,
  fetchOptions,
  forceOption,
  jsonOption,
  lossyOption,
  parseCaseOptions,
  parseFetchOptions,
} from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { readBytes, readText } from '../shared/input.ts';
import { oneOf, positiveNumber } from '../shared/option-values.ts';
import type { Terminal } from '../shared/terminal.ts';
import { choiceFor, nearestType } from '../shared/type-names.ts';
import { formatOfFile, toFinalfusion, vectorFormats, wordsFormat } from './conversion.ts';
import { reportTarget, runFileJob } from './file-job.ts';
import { quantizationLines } from './quantization-report.ts';

const typeLists = Object.entries(quantizations).map(
  ([format, types]) => `${format}: ${types.join(', ')}.`,
);

/** The types of word vectors. */
const vectorTypes = quantizations.finalfusion.join(', ');

const options = {
  type: {
    type: 'string',
    short: 'q',
    value: 'TYPE',
    choices: quantizeTypes,
    help: 'How to store the weights. Required. See the types above.',
    read: typeNamed,
  },
  to: {
    type: 'string',
    value: 'FORMAT',
    help: 'The target format. Default: by the type or the extension of DST, else the source format.',
    read: asGiven,
  },
  from: {
    type: 'string',
    short: 'f',
    value: 'FORMAT',
    help: `The source format. Needed for word vectors that are not finalfusion (${vectorFormats.join(', ')}), which are converted to it first. Default: by the bytes of SRC.`,
  },
  ...archOption,
  ...caseOptions,
  ...lossyOption,
  keep: {
    type: 'string',
    value: 'REGEX',
    help: 'Do not quantize tensors whose names match. Norms and biases are never quantized. Default: none.',
    read: pattern,
  },
  block: {
    type: 'string',
    choices: blockSizes.map(String),
    help: `amb: how many weights share a scale. With 0 a whole tensor does (int8, int4, int5). Default: ${quantizeDefaults.block}.`,
    read: (value: string, flag: string) => Number(oneOf(value, flag, blockSizes.map(String))),
  },
  scale: {
    type: 'string',
    choices: scaleTypes,
    help: 'amb: the type of the scales. Default: fp16, and fp32 for tensors whose scales do not fit.',
    read: word(scaleTypes),
  },
  bits: {
    type: 'string',
    short: 'b',
    value: 'N',
    help: `adaptive: the average number of bits per weight, including scales. Default: ${bitDefaults.adaptive}. ${vectorTypes}: the number of bits per code. Default: ${bitDefaults.code}.`,
    read: positiveNumber,
  },
  calibration: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    help: 'adaptive, q2_k to q6_k: run the model on this text and weight errors by the activations. May be repeated. A file of llama-imatrix (.gguf, .dat) takes its place. Default: none.',
  },
  'keep-embeddings': {
    type: 'boolean',
    help: 'amb, gguf: do not quantize the embeddings.',
    read: asGiven,
  },
  'keep-output': {
    type: 'boolean',
    help: 'amb, gguf: do not quantize the output matrix.',
    read: asGiven,
  },
  group: {
    type: 'string',
    value: 'N',
    help: `dq8: how many weights share a scale. Default: ${quantizeDefaults.group}.`,
    read: count(),
  },
  symmetric: { type: 'boolean', help: 'dq8: store no zero points.', read: asGiven },
  images: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    help: 'sq8: calibrate on this normalized image, as .npy or raw float32. May be repeated. Default: none.',
  },
  plan: {
    type: 'string',
    value: 'FILE',
    help: 'sq8: a JSON file with the graph of the network. Not needed for residual networks. Default: none.',
  },
  subquantizers: {
    type: 'string',
    short: 's',
    value: 'N',
    help: `${vectorTypes}: the number of codes per vector. Default: half the dimensions.`,
    read: count(),
  },
  iterations: {
    type: 'string',
    short: 'i',
    value: 'N',
    help: `${vectorTypes}: the number of k-means iterations. Default: ${quantizeDefaults.iterations}.`,
    read: count(),
  },
  attempts: {
    type: 'string',
    short: 'a',
    value: 'N',
    help: `${vectorTypes}: train this many times and keep the best codes. Default: ${quantizeDefaults.attempts}.`,
    read: count(),
  },
  seed: {
    type: 'string',
    value: 'N',
    help: `${vectorTypes}: the random seed of the training. Default: ${quantizeDefaults.seed}.`,
    read: count(),
  },
  sample: {
    type: 'string',
    value: 'N',
    help: `${vectorTypes}: the number of rows to train on. Default: as many as fit in 64 MiB.`,
    read: count(),
  },
  'no-compare': {
    type: 'boolean',
    help: 'Do not compare the outputs of the model before and after on built-in texts.',
  },
  ...fetchOptions,
  ...forceOption,
  ...jsonOption,
} as const satisfies CommandOptions;

export const command = defineCommand({
  usage: 'SRC DST --type TYPE',
  summary: 'Store a model in fewer bits and report the loss',
  details: [
    'SRC is a model file, a URL, a name at the hub (hf:owner/name), a Hugging Face directory, or - for standard input. DST is a file or - for standard output.',
    `The target format decides which types there are. ${typeLists.join(' ')}`,
  ],
  options,
  json: '{source, target, report, agreement, warnings}.',
  examples: [
    'quantize minilm.weights small.weights --type int8',
    'quantize tinyllama.gguf small.amb --type int4_block --keep embed',
    'quantize tinyllama.gguf small.gguf --type q4_k',
    'quantize vectors.fifu small.fifu --type pq --bits 8',
  ],
  argumentCount: [2, 2],
  run: async ([source = '', target = ''], values, terminal) => {
    const settings = await settingsOf(values, [source, target], terminal);
    const { from, lossy = false } = values;
    // Product quantization is trained on a finalfusion file.
    const needsFinalfusion = settings.to === wordsFormat;
    const all = {
      ...settings,
      lossy,
      ...(from !== undefined && !needsFinalfusion && { from }),
    };
    return runFileJob(
      {
        source,
        target,
        inputs: [...(values.calibration ?? []), ...(values.images ?? []), values.plan],
        force: values.force === true,
        fetching: parseFetchOptions(values),
        run: async (given, jobOptions) => {
          const { signal, onProgress, onWarning } = jobOptions;
          const how = { lossy, signal, onProgress, onWarning, ...parseFetchOptions(values) };
          const ready = needsFinalfusion ? await toFinalfusion(given, from, how) : given;
          return quantize(ready, { ...all, ...jobOptions });
        },
        report: (result, warnings) => {
          const { report, agreement } = result;
          const json = values.json === true;
          for (const line of json ? [] : quantizationLines(result)) {
            terminal.print(line);
          }
          reportTarget({ source, target }, json, { report, agreement, warnings }, terminal);
        },
      },
      terminal,
    );
  },
});

async function settingsOf(
  values: OptionValues<typeof options>,
  [source, target]: readonly [source: string, target: string],
  terminal: Terminal,
): Promise<QuantizeOptions> {
  const { type, ...given } = callOptions<Partial<QuantizeOptions>>(options, values);
  if (type === undefined) {
    throw new UsageError(`--type is missing. Give one of ${quantizeTypes.join(', ')}.`, '--type');
  }
  const to = given.to ?? formatOfType(type) ?? formatOfFile(target);
  const calibration = values.calibration && (await calibrationIn(values.calibration));
  const plan = values.plan === undefined ? undefined : await readText(values.plan);
  const images = values.images && (await readTensors(values.images, source, plan, terminal));
  return {
    type,
    ...given,
    ...(values['no-compare'] === true && { texts: [] }),
    ...(images && { images }),
    ...(calibration && { calibration }),
    ...(plan !== undefined && { plan }),
    ...(to !== undefined && { to }),
    ...(values.arch !== undefined && { arch: values.arch }),
    ...parseCaseOptions(values),
    ...parseFetchOptions(values),
  };
}

/** Texts, or the one file of llama-imatrix, which its name tells. */
async function calibrationIn(files: readonly string[]): Promise<string[] | Uint8Array> {
  const [first = '', ...others] = files;
  if (!files.some((file) => /\.(gguf|dat)$/i.test(file))) {
    return Promise.all(files.map(readText));
  }
  if (others.length > 0) {
    throw new UsageError('A file of llama-imatrix stands alone.', '--calibration');
  }
  return new Uint8Array(await readBytes(first));
}

/** A type implies its format if the format shares no type with another one. Those of embd and amb overlap. */
function formatOfType(type: QuantizeType): string | undefined {
  const formats: readonly (readonly [string, readonly string[]])[] = Object.entries(quantizations);
  const own = formats.find(([, types]) => types.includes(type));
  const isShared = formats.some(
    (other) => other !== own && other[1].some((name) => own?.[1].includes(name)),
  );
  return isShared ? undefined : own?.[0];
}

/** Types of other programs, such as `Q4_K_M`, are explained with the nearest one. */
function typeNamed(text: string, flag: string): QuantizeType {
  const known = choiceFor(text, quantizeTypes);
  if (known !== undefined) {
    return known;
  }
  const near = nearestType(text, quantizeTypes);
  const advice = near === undefined ? '' : ` The nearest type is ${near}.`;
  throw new UsageError(
    `${flag} must be one of ${quantizeTypes.join(', ')}, not "${text}".${advice}`,
    flag,
  );
}

function pattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new UsageError(
      `--keep must be a regular expression: ${withoutStop((error as Error).message)}.`,
      '--keep',
    );
  }
}
