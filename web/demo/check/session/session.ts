// The actions of the check page: check files and addresses, check them more thoroughly, and save a repaired file.

import {
  AmbryError,
  convert,
  type Inspection,
  inspect,
  type RunReport,
  runReport,
  type ValidationReport,
  validate,
} from 'ambry';
import type { Store } from '../../shared/base/store.ts';
import { explainGiven } from '../../shared/explain/explain-failure.ts';
import { namedBase } from '../../shared/failures/named-base.ts';
import { fileNameOf, fixedName } from '../../shared/files/file-names.ts';
import type { GivenFiles } from '../../shared/files/given-files.ts';
import {
  type CheckSource,
  type GivenSource,
  givenSources,
  isFolder,
  sizeOf,
} from '../../shared/files/given-sources.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import type { JobContext, JobPlan } from '../../shared/jobs/jobs.ts';
import { Jobs } from '../../shared/jobs/jobs.ts';
import { openLinked, urlInLink } from '../../shared/page-address/open-linked.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import type { CheckLink } from './check-link.ts';
import { type Depth, optionsFor } from './depth.ts';
import { type CheckedFile, type CheckState, type ListedPart, selectedFile } from './state.ts';

/** A file up to this size is read whole at once. A larger one is read whole on request. */
const smallFileBytes = 256_000_000;

/** Not an address, whose size is not known. */
function isSmall({ source }: CheckedFile): boolean {
  const bytes = sizeOf(source);
  return bytes !== undefined && bytes <= smallFileBytes;
}

/** Another file has other tensors. */
const nothingMarked = { listed: null, marked: [], goal: null } as const;

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
      await this.#checkAll(givenSources(files));
    } catch (error) {
      this.#store.update({ failure: { title: 'The files could not be opened', error } });
    }
  }

  openUrl(url: string): Promise<void> {
    return this.#checkAll([{ name: fileNameOf(url), source: url }]);
  }

  /** Checks the file of a link, or shows it again. Without one, it shows a local file if there is one. */
  async follow({ url }: CheckLink): Promise<void> {
    const known = this.#store.state.files.findLast(({ source }) => urlInLink(source) === url);
    if (known !== undefined || url === '') {
      this.#store.update({ selected: known?.id ?? null, ...nothingMarked });
      return;
    }
    await openLinked(url, {
      open: (address) => this.openUrl(address),
      openBuiltIn: async () => undefined,
      fail: (failure) => this.#store.update({ failure }),
    });
  }

  select(id: number): void {
    this.#store.update({ selected: id, ...nothingMarked });
  }

  /** Marks the tensors of a part of the model, and lists only these in the table. Null lists all. */
  listPart(part: ListedPart | null): void {
    this.#store.update({ listed: part, marked: part?.tensors ?? [] });
  }

  /** Marks one tensor in the map and in the table. The table lists all tensors if it would not show this one. */
  pickTensor(index: number): void {
    const { listed } = this.#store.state;
    const stays = listed?.tensors.includes(index) === true;
    this.#store.update({ marked: [index], listed: stays ? listed : null });
  }

  /** Goes to the table, and there to a tensor unless it is null. */
  goToTable(tensor: number | null): void {
    this.#store.update({ goal: { tensor }, ...(tensor === null ? {} : { marked: [tensor] }) });
  }

  /** Removes a file from the list and selects the next one. */
  remove(id: number): void {
    const { files, selected } = this.#store.state;
    const at = files.findIndex((file) => file.id === id);
    const left = files.filter((file) => file.id !== id);
    const next = left[Math.min(at, left.length - 1)]?.id ?? null;
    const marks = selected === id ? nothingMarked : {};
    this.#store.update({ files: left, selected: selected === id ? next : selected, ...marks });
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

  async #checkAll(given: readonly GivenSource[]): Promise<void> {
    const added = given.map(({ name, source }) => this.#add(name, source));
    const first = added[0];
    if (first === undefined) {
      this.#store.update({ notice: 'No files were found.' });
      return;
    }
    const { files } = this.#store.state;
    this.#store.update({ files: [...files, ...added], selected: first.id, ...nothingMarked });
    await Promise.all(
      added.map((file) =>
        this.#jobs.run(planFor(`Reading ${file.name}`, 'The file could not be read'), (job) =>
          this.#check(file, job),
        ),
      ),
    );
  }

  #add(name: string, source: CheckSource): CheckedFile {
    const id = this.#nextId;
    this.#nextId += 1;
    return {
      id,
      name,
      source,
      inspection: null,
      inspected: source,
      report: null,
      run: null,
      repairable: false,
      tail: '',
      explanation: null,
      failure: null,
    };
  }

  /** Checks the headers first, then all checksums if the file is small. Of a folder, how it runs comes first. */
  async #check(file: CheckedFile, job: JobContext): Promise<void> {
    let report: ValidationReport | null = null;
    try {
      if (isFolder(file.source)) {
        const run = await this.#reportRun(file, null, job.signal);
        await this.#inspectGraph(file, run, job.signal);
        await this.#validate(file, isSmall(file) ? 'checksums' : 'headers', job);
        return;
      }
      report = await this.#validate(file, 'headers', job);
    } catch (error) {
      if (job.signal.aborted) {
        throw error;
      }
      this.#patch(file.id, { failure: error, explanation: this.#baseOf(error) });
      return;
    }
    if (report.format === null) {
      await this.#explain(file, report);
    }
    const inspection = await this.#inspect(file, report, job.signal);
    await this.#triesToRun(file, job.signal, inspection);
    if (isSmall(file)) {
      await this.#validate(file, 'checksums', job);
    }
  }

  /** A button that opens the repository with the weights, where the error names one. */
  #baseOf(error: unknown): CheckedFile['explanation'] {
    const base = namedBase(error);
    const act = () => void this.openUrl(`hf:${base}`);
    return base === null ? null : { remedy: { label: `Open ${base}`, act } };
  }

  /** Finds out what a file is that is in no format of a model. Of an address, the report says it. */
  async #explain({ id, name, source }: CheckedFile, { errors }: ValidationReport): Promise<void> {
    const files = source instanceof File ? [{ path: name, file: source }] : [];
    const error = new AmbryError('BadMagic', errors[0]?.message ?? '', errors[0]);
    this.#patch(id, {
      explanation: await explainGiven({ files, skipped: [] }, 'check')(error),
    });
  }

  /** A badly damaged file has a report, but cannot be inspected. */
  async #inspect(
    file: CheckedFile,
    report: ValidationReport,
    signal: AbortSignal,
  ): Promise<Inspection | null> {
    let inspection: Inspection | null = null;
    try {
      const { source } = file;
      const options = { ...this.#runtime, signal };
      inspection = await inspect(source, { ...options, graph: true });
      this.#patch(file.id, { inspection });
      // The lenient check warns of what the strict check refuses. Parts of a model are not written again.
      if (!report.rewritable || report.warnings.length === 0 || source instanceof Map) {
        return inspection;
      }
      const quick = optionsFor('headers', source);
      const strict = await validate(source, { ...options, ...quick, strict: true });
      this.#patch(file.id, { repairable: strict.rewritable && !strict.valid });
    } catch (error) {
      if (signal.aborted) {
        throw error;
      }
    }
    return inspection;
  }

  /** Whether it is known then what the source runs as. */
  async #triesToRun(
    file: CheckedFile,
    signal: AbortSignal,
    inspection: Inspection | null = null,
  ): Promise<boolean> {
    try {
      await this.#reportRun(file, inspection, signal);
      return true;
    } catch (error) {
      if (signal.aborted) {
        throw error;
      }
      return false;
    }
  }

  /** Only a source that needs a conversion makes the page download the code for that. */
  async #reportRun(
    file: CheckedFile,
    inspection: Inspection | null,
    signal: AbortSignal,
  ): Promise<RunReport> {
    const stated = inspection?.run;
    const run =
      stated && !stated.converts
        ? stated
        : await runReport(file.source, { ...this.#runtime, signal });
    this.#patch(file.id, { run });
    return run;
  }

  /** Inspects the ONNX file that has the weights of a folder, so that the page shows its graph and tensors. */
  async #inspectGraph(
    { id, source }: CheckedFile,
    { files = [] }: RunReport,
    signal: AbortSignal,
  ): Promise<void> {
    const name = files.find((used) => /\.onnx$/i.test(used.name))?.name;
    const inside = source instanceof Map ? [...source] : [];
    const graph = inside.find(([path]) => path === name || path.endsWith(`/${name}`))?.[1];
    if (name === undefined || graph === undefined) {
      return;
    }
    try {
      const inspection = await inspect(graph, { ...this.#runtime, signal, graph: true });
      this.#patch(id, { inspection, inspected: graph });
    } catch (error) {
      if (signal.aborted) {
        throw error;
      }
      // The report says what is wrong with the file.
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
    this.#patch(file.id, { report, tail: await this.#tailOf(file, report) });
    return report;
  }

  async #tailOf({ source }: CheckedFile, report: ValidationReport): Promise<string> {
    const isSound = report.errors.length + report.warnings.length === 0;
    if (isSound || !(source instanceof File)) {
      return '';
    }
    const { tailLine } = await import('../../shared/failures/tail.ts');
    return tailLine(source, report);
  }

  #patch(id: number, patch: Partial<CheckedFile>): void {
    const files = this.#store.state.files.map((file) =>
      file.id === id ? { ...file, ...patch } : file,
    );
    this.#store.update({ files });
  }
}
