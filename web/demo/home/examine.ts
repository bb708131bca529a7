// Says what a model is, whether it is sound, and in what memory it runs. It reads what the check page reads.

import { AmbryError, type RunReport, runReport, type ValidationReport, validate } from 'ambry';
import { formatAmount, formatBytes, formatCount } from '../shared/base/format.ts';
import { formatName } from '../shared/base/format-names.ts';
import { cutOffLine, cutOffOf } from '../shared/failures/cut-off.ts';
import { messageOf } from '../shared/failures/message.ts';
import { tailLine } from '../shared/failures/tail.ts';
import { type CheckSource, fileSizeOf, sizeOf } from '../shared/files/given-sources.ts';
import type { JobContext } from '../shared/jobs/jobs.ts';
import { modelName } from '../shared/recognize/kinds.ts';
import { onlyStops, runsHere } from '../shared/recognize/only-stops.ts';
import type { Runtime } from '../shared/site/runtime.ts';
import { damagedOffers, modelOffers } from './offers.ts';
import type { Found } from './state.ts';

/** A file up to this size is read whole, to compare its checksums. */
const smallFileBytes = 64_000_000;

type Examined = Pick<Found, 'what' | 'details' | 'verdict' | 'lines' | 'exact' | 'pages'>;

/** Null for word vectors as text, which are checked as they are read. */
async function validated(
  source: CheckSource,
  runtime: Runtime,
  { signal, report }: JobContext,
): Promise<ValidationReport | null> {
  const bytes = sizeOf(source);
  const found = await validate(source, {
    ...runtime,
    ...(bytes !== undefined && { checksums: bytes <= smallFileBytes }),
    signal,
    onProgress: ({ loaded, total }) => report(loaded, total),
  });
  return found.format === null ? null : found;
}

/** An error that says what stands in the way, where the package cannot even tell that in a report. */
async function reported(
  source: CheckSource,
  runtime: Runtime,
  signal: AbortSignal,
): Promise<RunReport | AmbryError> {
  try {
    return await runReport(source, { ...runtime, signal });
  } catch (error) {
    if (signal.aborted || !(error instanceof AmbryError)) {
      throw error;
    }
    return error;
  }
}

/** The first problem in the exact words of the report. */
function firstProblem({ errors }: ValidationReport): string {
  const [first] = errors;
  if (first === undefined) {
    return '';
  }
  const where = first.byteOffset === undefined ? '' : ` at byte ${formatCount(first.byteOffset)}`;
  const more =
    errors.length > 1 ? ` There are ${formatAmount(errors.length - 1, 'more problem')}.` : '';
  return `${first.code}${where}: ${messageOf(new Error(first.message))}${more}`;
}

/** What is wrong, in the words of all pages. */
async function damageOf(
  source: CheckSource,
  report: ValidationReport,
): Promise<Pick<Examined, 'verdict' | 'lines'>> {
  const cut = cutOffOf(report.errors);
  if (cut !== null) {
    return { verdict: 'cutOff', lines: [cutOffLine(cut, fileSizeOf(source))] };
  }
  const tail = source instanceof File ? await tailLine(source, report) : '';
  const line = 'Some of its bytes are wrong. Get it again, or ask those who made it.';
  return { verdict: 'damaged', lines: [tail === '' ? line : tail] };
}

function memoryLine({ memory, converts, format }: RunReport): string[] {
  if (memory === null) {
    return [];
  }
  const how =
    converts && format !== null ? ` The page converts it to ${formatName(format)} first.` : '';
  return [`It runs in about ${formatBytes(memory.asStored)} of memory.${how}`];
}

function detailsOf(
  source: CheckSource,
  report: ValidationReport | null,
  run: RunReport | null,
): string {
  const format = report?.format ?? run?.format ?? null;
  const bytes = sizeOf(source);
  const version = report?.version ?? '';
  return [
    format === null ? '' : `${formatName(format)} ${version}`.trim(),
    bytes === undefined ? '' : formatBytes(bytes),
  ]
    .filter(Boolean)
    .join(', ');
}

/** Rejects if the source cannot be read, and if it is no model. */
export async function examine(
  source: CheckSource,
  runtime: Runtime,
  context: JobContext,
): Promise<Examined> {
  const report = await validated(source, runtime, context);
  const run = await reported(source, runtime, context.signal);
  const failed = run instanceof AmbryError;
  if (report?.valid === false && (failed || !onlyStops(report, run))) {
    const kind = failed ? null : run.kind;
    return {
      what: kind === null ? 'a model' : modelName(kind),
      details: detailsOf(source, report, null),
      ...(await damageOf(source, report)),
      exact: firstProblem(report),
      pages: damagedOffers,
    };
  }
  if (failed) {
    throw run;
  }
  return describe(source, report, run);
}

async function describe(
  source: CheckSource,
  report: ValidationReport | null,
  run: RunReport,
): Promise<Examined> {
  const { kind, obstacle } = run;
  const warnings = report?.warnings.length ?? 0;
  const tail =
    source instanceof File && report !== null && warnings > 0 ? await tailLine(source, report) : '';
  const remark = tail || `${formatAmount(warnings, 'warning')}: the Check page has them.`;
  const warned = warnings > 0 ? [remark] : [];
  const runs = runsHere(run);
  return {
    what: kind === null ? 'a model' : modelName(kind),
    details: detailsOf(source, report, run),
    verdict: runs && warnings === 0 ? 'sound' : 'warned',
    lines:
      runs || obstacle === null
        ? [...memoryLine(run), ...warned]
        : [`It does not run here: ${messageOf(obstacle.message)}`, ...warned],
    pages: modelOffers(runs ? kind : null),
  };
}
