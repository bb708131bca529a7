// The actions of the convert page: open a model, find its possible targets, convert it, check and save the result.

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
import { type TargetDType, targetExtensions } from 'ambry/tables';
import type { Store } from '../shared/base/store.ts';
import { explainAddress, explainGiven } from '../shared/explain/explain-failure.ts';
import { fileNameOf } from '../shared/files/file-names.ts';
import type { GivenFiles, PathFile } from '../shared/files/given-files.ts';
import { filesIn, modelFolder } from '../shared/files/model-files.ts';
import { saveStream } from '../shared/files/save-file.ts';
import { handOver } from '../shared/handover/handover.ts';
import { type JobContext, type JobPlan, Jobs } from '../shared/jobs/jobs.ts';
import { openLinked, urlInLink } from '../shared/page-address/open-linked.ts';
import { pathOf } from '../shared/recognize/file-pages.ts';
import type { Runtime } from '../shared/site/runtime.ts';
import { siteRoot } from '../shared/site/site-root.ts';
import type { ConvertLink } from './convert-link.ts';
import { type Converted, quantizeModel } from './quantize-model.ts';
import { sourceFault } from './source-fault.ts';
import type { ConvertState, Outcome, Settings, SourceModel } from './state.ts';
import { storageTypeOf, storageTypesOf } from './storage-types.ts';

const extensions: Readonly<Record<string, string>> = targetExtensions;

/** `models/tiny.gguf` as `amb` in `int4_block` → `tiny.int4_block.amb` */
function targetName(name: string, to: string, storage: string): string {
  const base = (name.split('/').pop() ?? name).replace(/(?<=.)\.[^.]+$/, '');
  const type = storage === '' ? '' : `.${storage}`;
  return `${base}${type}${extensions[to] ?? `.${to}`}`;
}

/** Several files are the parts of one model. */
function modelOf(files: readonly PathFile[]): SourceModel | null {
  const [first] = files;
  if (first === undefined) {
    return null;
  }
  if (files.length === 1) {
    return { name: first.file.name, files: first.file, bytes: first.file.size };
  }
  const { name, files: parts } = modelFolder(files) ?? filesIn(files, '');
  const all = [...parts.values()];
  const bytes = all.reduce((sum, { size }) => sum + size, 0);
  const largest = all.reduce((max, file) => (file.size > max.size ? file : max));
  return { name: name || largest.name, files: parts, bytes };
}

/** Keeps the chosen target and type if they are still possible. */
function withPossibleTarget(settings: Settings, targets: ConversionTargets): Settings {
  const possible = targets.targets.filter(({ problem }) => problem === null).map(({ to }) => to);
  const other = possible.find((to) => to !== targets.from);
  const to = possible.includes(settings.to) ? settings.to : (other ?? possible[0] ?? '');
  return withPossibleType({ ...settings, to });
}

function withPossibleType(settings: Settings): Settings {
  const values = storageTypesOf(settings.to).map(({ value }) => value);
  return values.includes(settings.storage) ? settings : { ...settings, storage: '' };
}

export class ConvertSession {
  readonly #store: Store<ConvertState>;
  readonly #runtime: Runtime;
  readonly #jobs: Jobs<ConvertState>;
  #given: GivenFiles = { files: [], skipped: [] };

  constructor(store: Store<ConvertState>, runtime: Runtime) {
    this.#store = store;
    this.#runtime = runtime;
    this.#jobs = new Jobs(store);
  }

  async receive(given: Promise<GivenFiles> | GivenFiles): Promise<void> {
    try {
      const all = await given;
      this.#given = all;
      const source = modelOf(all.files);
      if (source === null) {
        this.#store.update({ notice: 'No files were found.' });
        return;
      }
      await this.#open(source);
    } catch (error) {
      this.#store.update({ failure: { title: 'The files could not be opened', error } });
    }
  }

  openUrl(url: string): Promise<void> {
    return this.#open({ name: fileNameOf(url), files: url, bytes: 0 });
  }

  /** Opens the model of a link. Without one, the page is empty. */
  async follow({ url, to }: ConvertLink): Promise<void> {
    const { source, settings } = this.#store.state;
    if (to !== '') {
      this.#store.update({ settings: withPossibleType({ ...settings, to }) });
    }
    if (url !== urlInLink(source?.files)) {
      await openLinked(url, {
        open: (address) => this.openUrl(address),
        openBuiltIn: async () => {
          this.#store.update({
            source: null,
            inspection: null,
            targets: null,
            fault: null,
            outcome: null,
          });
        },
        fail: (failure) => this.#store.update({ failure }),
      });
    }
  }

  async #open(source: SourceModel): Promise<void> {
    const settings = { ...this.#store.state.settings, from: '', arch: '' };
    this.#store.update({
      source,
      inspection: null,
      targets: null,
      fault: null,
      outcome: null,
      settings,
    });
    await this.#inspectSource();
  }

  /** Reads the source as the format that the user chose. */
  async readAs(from: string): Promise<void> {
    this.#store.update({ settings: { ...this.#store.state.settings, from } });
    await this.#inspectSource();
  }

  /** Some settings change which targets are possible. */
  async choose(chosen: Partial<Settings>): Promise<void> {
    const before = this.#store.state.settings;
    const settings = withPossibleType({ ...before, ...chosen });
    this.#store.update({ settings });
    if (settings.lossy !== before.lossy || settings.arch !== before.arch) {
      await this.#inspectSource();
    }
  }

  /** Opens the source on the check page. */
  async checkIt(): Promise<void> {
    const { source } = this.#store.state;
    if (typeof source?.files === 'string') {
      const query = new URLSearchParams({ url: source.files });
      location.assign(new URL(`${pathOf('check')}?${query}`, siteRoot()));
      return;
    }
    try {
      await handOver(this.#given, pathOf('check'));
    } catch (error) {
      this.#store.update({ failure: { title: 'The page could not be opened', error } });
    }
  }

  convert(): Promise<void> {
    const { source, settings } = this.#store.state;
    if (source === null || settings.to === '') {
      return Promise.resolve();
    }
    const plan = {
      title: `Converting ${source.name}`,
      failureTitle: 'The model could not be converted',
      cancelNotice: 'Cancelled. Nothing was written.',
      unit: 'bytes' as const,
    };
    return this.#jobs.run(plan, async (job) => {
      this.#store.update({ outcome: null });
      const name = targetName(source.name, settings.to, settings.storage);
      const converted = await this.#convert(source, settings, job);
      const outcome: Outcome = { name, bytesBefore: source.bytes, check: null, ...converted };
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

  /** Finds the format of the source and its possible targets. */
  #inspectSource(): Promise<void> {
    const { source, settings } = this.#store.state;
    if (source === null) {
      return Promise.resolve();
    }
    const plan: JobPlan = {
      title: `Inspecting ${source.name}`,
      failureTitle: 'The format of this file is unknown',
      cancelNotice: 'Stopped.',
      unit: 'bytes',
      interrupts: true,
      explain:
        typeof source.files === 'string'
          ? explainAddress(source.files, 'convert')
          : explainGiven(this.#given, 'convert'),
    };
    return this.#jobs.run(plan, async ({ signal }) => {
      this.#store.update({ inspection: null, targets: null, fault: null });
      const { from, arch, lossy } = settings;
      const targets = await conversionTargets(source.files, {
        ...this.#runtime,
        ...(from !== '' && { from }),
        ...(arch !== '' && { arch }),
        lossy,
        signal,
      });
      const inspection = await this.#inspect(source, signal);
      const bytes = source.bytes || (inspection?.bytes ?? 0);
      const whole = { ...source, bytes };
      const fault = await sourceFault(whole, targets, { ...this.#runtime, signal });
      this.#store.update({
        source: whole,
        fault,
        targets,
        inspection,
        settings: withPossibleTarget(settings, targets),
      });
    });
  }

  /** Null for formats that can only be converted, not inspected. */
  async #inspect({ files }: SourceModel, signal: AbortSignal): Promise<Inspection | null> {
    const weights =
      files instanceof Map ? [...files].find(isWeights)?.[1] : (files as File | string);
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

  async #convert(source: SourceModel, settings: Settings, job: JobContext): Promise<Converted> {
    const { from, arch, to, storage, lossy } = settings;
    const { signal, report } = job;
    const warnings: Problem[] = [];
    let conversionReport: ConversionReport | null = null;
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
    if (storageTypeOf(to, storage).quantizes === true) {
      return { ...(await quantizeModel(source, settings, job, options)), warnings };
    }
    const content = await convert(source.files, {
      ...options,
      ...(storage !== '' && { dtype: storage as TargetDType }),
      onReport: (made) => {
        conversionReport = made;
      },
    });
    return { content, report: conversionReport, agreement: null, warnings };
  }

  /** Checks the converted file as the check page does. */
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
