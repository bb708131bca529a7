// The actions of the check page: check files and addresses, check them more thoroughly, and save a repaired file.

import { convert, inspect, type ValidateOptions, type ValidationReport, validate } from 'ambry';
import type { GivenFiles } from '../shared/given-files.ts';
import type { JobContext, JobPlan } from '../shared/jobs.ts';
import { Jobs } from '../shared/jobs.ts';
import type { Runtime } from '../shared/runtime.ts';
import { saveFile } from '../shared/save-file.ts';
import type { Store } from '../shared/store.ts';
import { fileNameOf, fixedName } from './file-names.ts';
import { type CheckedFile, type CheckState, selectedFile } from './state.ts';

/** A file up to this size is read whole at once. A larger one is read whole on request. */
const smallFileBytes = 256_000_000;

/** `headers` is quick. The others read the whole file. */
export type Depth = 'headers' | 'checksums' | 'values';

function optionsFor(depth: Depth, source: File | string): ValidateOptions {
  if (depth === 'values') {
    return { values: true };
  }
  // For an address the package chooses the depth, as that depends on the server.
  return depth === 'checksums' || source instanceof File
    ? { checksums: depth === 'checksums' }
    : {};
}

function planFor(title: string, failureTitle: string): JobPlan {
  return {
    title,
    failureTitle,
    cancelNotice: 'Stopped. The page shows what was found so far.',
    unit: 'bytes',
  };
}

export class CheckSession {
  readonly #store: Store<CheckState>;
  readonly #runtime: Runtime;
  readonly #jobs: Jobs<CheckState>;
  #nextId = 1;

  constructor(store: Store<CheckState>, runtime: Runtime) {
    this.#store = store;
    this.#runtime = runtime;
    this.#jobs = new Jobs(store);
  }

  async receive(given: Promise<GivenFiles> | GivenFiles): Promise<void> {
    try {
      const { files } = await given;
      await this.#checkAll(files.map(({ path, file }) => ({ name: path, source: file })));
    } catch (error) {
      this.#store.update({ failure: { title: 'The files could not be opened', error } });
    }
  }

  openUrl(url: string): Promise<void> {
    return this.#checkAll([{ name: fileNameOf(url), source: url }]);
  }

  select(id: number): void {
    this.#store.update({ selected: id });
  }

  /** Removes a file from the list and selects the next one. */
  remove(id: number): void {
    const { files, selected } = this.#store.state;
    const at = files.findIndex((file) => file.id === id);
    const left = files.filter((file) => file.id !== id);
    const next = left[Math.min(at, left.length - 1)]?.id ?? null;
    this.#store.update({ files: left, selected: selected === id ? next : selected });
  }

  /** Checks the selected file again, more thoroughly. */
  checkDeeper(depth: Depth): Promise<void> {
    const file = selectedFile(this.#store.state);
    if (file === null) {
      return Promise.resolve();
    }
    return this.#jobs.run(
      planFor(`Checking ${file.name}`, 'The file could not be checked'),
      async (job) => {
        await this.#validate(file, depth, job);
      },
    );
  }

  /** Writes the content of the selected file to a strictly valid file and saves it. */
  repair(): Promise<void> {
    const file = selectedFile(this.#store.state);
    const format = file?.report?.format ?? null;
    if (file === null || format === null) {
      return Promise.resolve();
    }
    const plan = planFor(`Repairing ${file.name}`, 'The file could not be repaired');
    return this.#jobs.run(plan, async ({ signal, report }) => {
      const blob = await convert(file.source, {
        ...this.#runtime,
        to: format,
        signal,
        onProgress: ({ loaded, total }) => report(loaded, total),
      });
      saveFile(blob, fixedName(file.name));
      this.#store.update({ notice: `Saved ${fixedName(file.name)}.` });
    });
  }

  async #checkAll(given: readonly Pick<CheckedFile, 'name' | 'source'>[]): Promise<void> {
    const added = given.map(({ name, source }) => this.#add(name, source));
    const first = added[0];
    if (first === undefined) {
      this.#store.update({ notice: 'No files were found.' });
      return;
    }
    const { files } = this.#store.state;
    this.#store.update({ files: [...files, ...added], selected: first.id });
    await Promise.all(
      added.map((file) =>
        this.#jobs.run(planFor(`Reading ${file.name}`, 'The file could not be read'), (job) =>
          this.#check(file, job),
        ),
      ),
    );
  }

  #add(name: string, source: File | string): CheckedFile {
    const id = this.#nextId;
    this.#nextId += 1;
    return {
      id,
      name,
      source,
      inspection: null,
      report: null,
      repairable: false,
      failure: null,
    };
  }

  /** Checks the headers first, then all checksums if the file is small. */
  async #check(file: CheckedFile, job: JobContext): Promise<void> {
    let report: ValidationReport;
    try {
      report = await this.#validate(file, 'headers', job);
    } catch (error) {
      if (!job.signal.aborted) {
        this.#patch(file.id, { failure: error });
        return;
      }
      throw error;
    }
    await this.#inspect(file, report, job.signal);
    if (file.source instanceof File && file.source.size <= smallFileBytes) {
      await this.#validate(file, 'checksums', job);
    }
  }

  /** A badly damaged file has a report, but cannot be inspected. */
  async #inspect(file: CheckedFile, report: ValidationReport, signal: AbortSignal): Promise<void> {
    try {
      const options = { ...this.#runtime, signal };
      this.#patch(file.id, { inspection: await inspect(file.source, options) });
      // The lenient check warns of what the strict check refuses.
      if (!report.rewritable || report.warnings.length === 0) {
        return;
      }
      const quick = optionsFor('headers', file.source);
      const strict = await validate(file.source, { ...options, ...quick, strict: true });
      this.#patch(file.id, { repairable: strict.rewritable && !strict.valid });
    } catch (error) {
      if (signal.aborted) {
        throw error;
      }
    }
  }

  async #validate(file: CheckedFile, depth: Depth, job: JobContext): Promise<ValidationReport> {
    const report = await validate(file.source, {
      ...this.#runtime,
      ...optionsFor(depth, file.source),
      context: true,
      signal: job.signal,
      onProgress: ({ loaded, total }) => job.report(loaded, total),
    });
    this.#patch(file.id, { report });
    return report;
  }

  #patch(id: number, patch: Partial<CheckedFile>): void {
    const files = this.#store.state.files.map((file) =>
      file.id === id ? { ...file, ...patch } : file,
    );
    this.#store.update({ files });
  }
}
