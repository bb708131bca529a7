// Reads the file of a classifier: every value is checked before it is used.
import { AmbryError, type ErrorPlace } from '../../base/errors.ts';
import { isObject } from '../../base/kinds.ts';
import { isTrainedClassifier } from '../../model/classifier-mark.ts';
import type { FileInfo } from '../../model/file-info.ts';
import type { ReadTensors } from '../../model/protocol.ts';
import { biasName, type ClassifierFacts, fileVersion, weightName } from './file-facts.ts';
import { mostLabelLength, mostLabels, mostWeights } from './limits.ts';
import type { Weights } from './logits.ts';
import { trainingOf } from './read-training.ts';

/** Bytes of the larger tensor. */
export const mostBytes = 4 * mostWeights;

export interface ReadClassifier {
  readonly facts: ClassifierFacts;
  readonly weights: Weights;
}

export function readClassifier(file: ReadTensors): ReadClassifier {
  const { info, headerOffset: byteOffset } = file;
  /** The metadata lie in the header. */
  const at = (name: string) => ({ path: `metadata.${name}`, byteOffset });
  checkMark(info, at('format'));
  const { metadata } = info;
  const json = (name: string): unknown => parsed(metadata[name], at(name));
  const labels = labelsOf(json('labels'), at('labels'));
  const encoder = encoderOf(json('encoder'), at('encoder'));
  const { prompt } = metadata;
  if (prompt !== undefined && typeof prompt !== 'string') {
    throw wrong('The prompt must be a text.', at('prompt'));
  }
  const training = trainingOf(json('training'), labels, at('training'));
  const weight = numbersOf(weightName, [labels.length, encoder.dim], file);
  const bias = numbersOf(biasName, [labels.length], file);
  return {
    facts: { labels, encoder, prompt, ...training },
    weights: { dim: encoder.dim, weight, bias },
  };
}

function checkMark(info: FileInfo, place: ErrorPlace): void {
  if (!isTrainedClassifier(info)) {
    const message =
      'The file is no classifier that createClassifier made. Only such a classifier opens with an encoder.';
    throw new AmbryError('BadMagic', message, place);
  }
  const { version } = info.metadata;
  if (version !== fileVersion) {
    const message = `This version of classifiers is not known: ${String(version).slice(0, 20)}.`;
    throw new AmbryError('UnsupportedVersion', message, { ...place, path: 'metadata.version' });
  }
}

function parsed(text: unknown, place: ErrorPlace): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    throw wrong('The value must be JSON.', place);
  }
}

function labelsOf(given: unknown, place: ErrorPlace): readonly string[] {
  if (!Array.isArray(given) || given.length < 2 || given.length > mostLabels) {
    throw wrong(`The labels must be a list of 2 to ${mostLabels} texts.`, place);
  }
  for (const [i, label] of given.entries()) {
    if (typeof label !== 'string' || label === '' || label.length > mostLabelLength) {
      const message = `A label must be a text of 1 to ${mostLabelLength} characters.`;
      throw wrong(message, { ...place, path: `${place.path}[${i}]` });
    }
  }
  if (new Set(given).size < given.length) {
    throw wrong('Two labels are the same.', place);
  }
  return given;
}

function encoderOf(given: unknown, place: ErrorPlace): ClassifierFacts['encoder'] {
  const { reference, format, dim, probe } = (isObject(given) ? given : {}) as Partial<
    Record<keyof ClassifierFacts['encoder'], unknown>
  >;
  const isKnown =
    (reference === null || typeof reference === 'string') &&
    typeof format === 'string' &&
    Number.isSafeInteger(dim) &&
    Array.isArray(probe) &&
    probe.length === dim &&
    probe.every((x) => Number.isFinite(x));
  if (!isKnown) {
    const message =
      'The encoder must have a reference, a format, a size and the numbers that tell it from others.';
    throw wrong(message, place);
  }
  return { reference, format, dim: dim as number, probe };
}

function numbersOf(name: string, shape: readonly number[], file: ReadTensors): Float32Array {
  const { tensors } = file.info;
  const index = tensors.findIndex((tensor) => tensor.name === name);
  const tensor = tensors[index];
  const bytes = file.bytes.get(name);
  if (!tensor || !bytes) {
    throw new AmbryError('NotFound', `The file has no tensor ${name}.`, { path: 'tensors' });
  }
  const place = { path: `tensors[${index}]`, byteOffset: tensor.offset };
  if (tensor.dtype !== 'f32' || tensor.shape.join() !== shape.join()) {
    const message = `The tensor ${name} must be f32 and of shape ${shape.join(' × ')}, not ${tensor.dtype} of ${tensor.shape.join(' × ')}.`;
    throw new AmbryError('Mismatch', message, place);
  }
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => {
    const number = view.getFloat32(4 * i, true);
    if (Number.isFinite(number)) {
      return number;
    }
    const byteOffset = tensor.offset + 4 * i;
    throw wrong(`The tensor ${name} has a number that is not finite.`, { ...place, byteOffset });
  });
}

function wrong(message: string, place: ErrorPlace): AmbryError {
  return new AmbryError('BadValue', message, place);
}
