// What the convert page can do: take a model, find out what it can become, convert, check and save it.

import {
  type ConversionReport,
  type ConversionTargets,
  conversionTargets,
  convert,
  type Inspection,
  inspect,
  type Problem,
  validate,
} from 'ambry';
import type { FileHaul, PathFile } from '../shared/given-files.ts';
import { type JobContext, Jobs } from '../shared/jobs.ts';
import { filesIn, modelFolder } from '../shared/model-files.ts';
import type { Runtime } from '../shared/runtime.ts';
import { saveStream } from '../shared/save-file.ts';
import type { Store } from '../shared/store.ts';
import { type Made, quantized } from './quantize-model.ts';
import type { ConvertState, GivenModel, Outcome, Settings } from './state.ts';
import { storageOf, storagesOf } from './storage.ts';

const kExtensions: Readonly<Record<string, string>> = {
  alt: '.alt',
  amb: '.amb',
  embd: '.weights',
  fasttext: '.bin',
  finalfusion: '.fifu',
  floret: '.floret',
  gguf: '.gguf',
  safetensors: '.safetensors',
  text: '.txt',
  textdims: '.vec',
  tinyruntime: '.bin',
  word2vec: '.w2v',
};

/** `models/tiny.gguf` as `amb` in `int4_block` → `tiny.int4_block.amb`. */
function targetName(name: string, to: string, storage: string): string {
  const base = (name.split('/').pop() ?? name).replace(/(?<=.)\.[^.]+$/, '');
  const type = storage === '' ? '' : `.${storage}`;
  return `${base}${type}${kExtensions[to] ?? `.${to}`}`;
}

/** One file is itself; several are the parts of one model. */
function modelOf(files: readonly PathFile[]): GivenModel | null {
  const [first] = files;
  if (first === undefined) {
    return null;
  }
  if (files.length === 1) {
    return { name: first.file.name, source: first.file, bytes: first.file.size };
  }
  const { name, files: parts } = modelFolder(files) ?? filesIn(files, '');
  const all = [...parts.values()];
  const bytes = all.reduce((sum, { size }) => sum + size, 0);
  const largest = all.reduce((most, file) => (file.size > most.size ? file : most));
  return { name: name || largest.name, source: parts, bytes };
}

/** What stays chosen where it still can be: the target, and how it stores its numbers. */
function settle(settings: Settings, targets: ConversionTargets): Settings {
  const possible = targets.targets.filter(({ problem }) => problem === null).map(({ to }) => to);
  const other = possible.find((to) => to !== targets.from);
  const to = possible.includes(settings.to) ? settings.to : (other ?? possible[0] ?? '');
  return settleStorage({ ...settings, to });
}

function settleStorage(settings: Settings): Settings {
  const values = storagesOf(settings.to).map(({ value }) => value);
  return values.includes(settings.storage) ? settings : { ...settings, storage: '' };
}

export class ConvertSession {
  readonly #store: Store<ConvertState>;
  readonly #runtime: Runtime;
  readonly #jobs: Jobs<ConvertState>;

  constructor(store: Store<ConvertState>, runtime: Runtime) {
    this.#store = store;
    this.#runtime = runtime;
    this.#jobs = new Jobs(store);
  }

  async receive(haul: Promise<FileHaul> | FileHaul): Promise<void> {
    try {
      const given = modelOf((await haul).files);
      if (given === null) {
        this.#store.update({ notice: 'There was no file in that.' });
        return;
      }
      const settings = { ...this.#store.state.settings, from: '', arch: '' };
      this.#store.update({ given, inspection: null, targets: null, outcome: null, settings });
      await this.#look();
    } catch (error) {
      this.#store.update({ failure: { title: 'The files could not be taken', error } });
    }
  }

  /** Takes the source for what its bytes do not tell. */
  async readAs(from: string): Promise<void> {
    this.#store.update({ settings: { ...this.#store.state.settings, from } });
    await this.#look();
  }

  /** What may be lost, and what the model is, decide what is possible, so that is looked at again. */
  async choose(chosen: Partial<Settings>): Promise<void> {
    const before = this.#store.state.settings;
    const settings = settleStorage({ ...before, ...chosen });
    this.#store.update({ settings });
    if (settings.lossy !== before.lossy || settings.arch !== before.arch) {
      await this.#look();
    }
  }

  convert(): Promise<void> {
    const { given, settings } = this.#store.state;
    if (given === null || settings.to === '') {
      return Promise.resolve();
    }
    const plan = {
      title: `Converting ${given.name}`,
      failureTitle: 'The model could not be converted',
      cancelNotice: 'Cancelled. Nothing was written.',
      unit: 'bytes' as const,
    };
    return this.#jobs.run(plan, async (job) => {
      this.#store.update({ outcome: null });
      const name = targetName(given.name, settings.to, settings.storage);
      const made = await this.#convert(given, settings, job);
      const outcome: Outcome = { name, bytesBefore: given.bytes, check: null, ...made };
      this.#store.update({ outcome });
      job.stage(`Checking ${name}`, 'bytes');
      await this.#check(outcome, job);
    });
  }

  async save(): Promise<void> {
    const { outcome } = this.#store.state;
    if (outcome === null) {
      return;
    }
    try {
      if (await saveStream(outcome.content, outcome.name)) {
        this.#store.update({ notice: `Saved ${outcome.name}.` });
      }
    } catch (error) {
      this.#store.update({ failure: { title: 'The file could not be saved', error } });
    }
  }

  #look(): Promise<void> {
    const { given, settings } = this.#store.state;
    if (given === null) {
      return Promise.resolve();
    }
    const plan = {
      title: `Looking into ${given.name}`,
      failureTitle: 'What this is could not be told',
      cancelNotice: 'Stopped.',
      unit: 'bytes' as const,
      interrupts: true,
    };
    return this.#jobs.run(plan, async ({ signal }) => {
      this.#store.update({ inspection: null, targets: null });
      const { from, arch, lossy } = settings;
      const targets = await conversionTargets(given.source, {
        ...this.#runtime,
        ...(from !== '' && { from }),
        ...(arch !== '' && { arch }),
        lossy,
        signal,
      });
      const inspection = await this.#inspect(given, signal);
      this.#store.update({ targets, inspection, settings: settle(settings, targets) });
    });
  }

  /** Kinds that are only converted from have nothing to show beyond their name. */
  async #inspect({ source }: GivenModel, signal: AbortSignal): Promise<Inspection | null> {
    const weights = source instanceof File ? source : [...source].find(isWeights)?.[1];
    if (weights === undefined) {
      return null;
    }
    try {
      return await inspect(weights, { ...this.#runtime, signal });
    } catch (error) {
      if (signal.aborted) {
        throw error;
      }
      return null;
    }
  }

  async #convert(given: GivenModel, settings: Settings, job: JobContext): Promise<Made> {
    const { from, arch, to, storage, lossy } = settings;
    const { signal, report } = job;
    const warnings: Problem[] = [];
    let losses: ConversionReport | null = null;
    const options = {
      ...this.#runtime,
      ...(from !== '' && { from }),
      ...(arch !== '' && { arch }),
      to,
      lossy,
      signal,
      onProgress: ({ loaded, total }: { loaded: number; total: number }) => report(loaded, total),
      onWarning: (warning: Problem) => warnings.push(warning),
    };
    if (storageOf(to, storage).quantizes === true) {
      return { ...(await quantized(given, settings, job, options)), warnings };
    }
    const content = await convert(given.source, {
      ...options,
      ...(storage !== '' && { dtype: storage as 'f32' | 'f16' | 'bf16' }),
      onReport: (made) => {
        losses = made;
      },
    });
    return { content, report: losses, agreement: null, warnings };
  }

  /** The page does not hand out what it would not take. Targets that nothing here reads stay unchecked. */
  async #check(outcome: Outcome, { signal, report }: JobContext): Promise<void> {
    const check = await validate(outcome.content, {
      ...this.#runtime,
      signal,
      checksums: true,
      onProgress: ({ loaded, total }) => report(loaded, total),
    });
    this.#store.update({ outcome: { ...outcome, check } });
  }
}

const isWeights = ([path]: readonly [string, File]): boolean => /\.safetensors$/.test(path);
