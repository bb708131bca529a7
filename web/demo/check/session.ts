// What the check page can do: take files and addresses, look into them as deep as asked, fix and save.

import { convert, inspect, type ValidateOptions, type ValidationReport, validate } from 'ambry';
import type { FileHaul } from '../shared/given-files.ts';
import type { JobContext, JobPlan } from '../shared/jobs.ts';
import { Jobs } from '../shared/jobs.ts';
import type { Runtime } from '../shared/runtime.ts';
import { saveFile } from '../shared/save-file.ts';
import type { Store } from '../shared/store.ts';
import { fileNameOf, fixedName } from './file-names.ts';
import { type CheckedFile, type CheckState, selectedFile } from './state.ts';

/** Up to this size every checksum is verified at once; a larger file is read whole only on request. */
const kSmallFile = 256_000_000;

/** What the file says at once; then what takes reading all of it. */
export type Depth = 'glance' | 'checksums' | 'values';

function optionsFor(depth: Depth, source: File | string): ValidateOptions {
  if (depth === 'values') {
    return { values: true };
  }
  // How deep to glance at an address depends on its server, which the package finds out.
  return depth === 'checksums' || source instanceof File
    ? { checksums: depth === 'checksums' }
    : {};
}

function planFor(title: string, failureTitle: string): JobPlan {
  return {
    title,
    failureTitle,
    cancelNotice: 'Stopped. What was found so far is shown.',
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

  async receive(haul: Promise<FileHaul> | FileHaul): Promise<void> {
    try {
      const { files } = await haul;
      await this.#checkAll(files.map(({ path, file }) => ({ name: path, source: file })));
    } catch (error) {
      this.#store.update({ failure: { title: 'The files could not be taken', error } });
    }
  }

  openUrl(url: string): Promise<void> {
    return this.#checkAll([{ name: fileNameOf(url), source: url }]);
  }

  select(id: number): void {
    this.#store.update({ selected: id });
  }

  /** Forgets a file; the next one in the list comes up. */
  remove(id: number): void {
    const { files, selected } = this.#store.state;
    const at = files.findIndex((file) => file.id === id);
    const left = files.filter((file) => file.id !== id);
    const next = left[Math.min(at, left.length - 1)]?.id ?? null;
    this.#store.update({ files: left, selected: selected === id ? next : selected });
  }

  /** Looks at the selected file again, deeper than before. */
  deepen(depth: Depth): Promise<void> {
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

  /** Writes the content of the selected file again as a strict file and hands it out. */
  fix(): Promise<void> {
    const file = selectedFile(this.#store.state);
    const format = file?.report?.format ?? null;
    if (file === null || format === null) {
      return Promise.resolve();
    }
    const plan = planFor(`Writing ${file.name} anew`, 'The file could not be written anew');
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
      this.#store.update({ notice: 'There was no file in that.' });
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
      fixable: false,
      failure: null,
    };
  }

  /** Headers first, which are there at once; then, where that is quick, every checksum. */
  async #check(file: CheckedFile, job: JobContext): Promise<void> {
    let report: ValidationReport;
    try {
      report = await this.#validate(file, 'glance', job);
    } catch (error) {
      if (!job.signal.aborted) {
        this.#patch(file.id, { failure: error });
        return;
      }
      throw error;
    }
    await this.#inspect(file, report, job.signal);
    if (file.source instanceof File && file.source.size <= kSmallFile) {
      await this.#validate(file, 'checksums', job);
    }
  }

  /** A file that is damaged too far has a report, but nothing to look into. */
  async #inspect(file: CheckedFile, report: ValidationReport, signal: AbortSignal): Promise<void> {
    try {
      const options = { ...this.#runtime, signal };
      this.#patch(file.id, { inspection: await inspect(file.source, options) });
      // What strict reading refuses, lenient reading warns of.
      if (!report.rewritable || report.warnings.length === 0) {
        return;
      }
      const glance = optionsFor('glance', file.source);
      const strict = await validate(file.source, { ...options, ...glance, strict: true });
      this.#patch(file.id, { fixable: strict.rewritable && !strict.valid });
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
