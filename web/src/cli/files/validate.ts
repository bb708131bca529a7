import type { Problem, ValidationReport } from '../../entries/types.ts';
import { validate } from '../../node.ts';
import { defineCommand } from '../shared/command.ts';
import {
  type Fetching,
  fetchOptions,
  jsonOption,
  parseFetchOptions,
} from '../shared/common-options.ts';
import { describeProblem, exitCodeOf, problemOf } from '../shared/failure.ts';
import { hexDump, plural } from '../shared/format.ts';
import { directorySource } from '../shared/input.ts';
import type { Terminal } from '../shared/terminal.ts';

export const command = defineCommand({
  usage: 'MODEL...',
  summary: 'Check models and list every problem with its byte and field',
  details: [
    'MODEL is a file, a directory, a URL, a name at the hub (hf:owner/name), or - for standard input. Of a directory each weight file is checked, and whether all its files agree.',
    'The exit code is 0 if all models are valid.',
  ],
  options: {
    strict: {
      type: 'boolean',
      help: 'Reject everything that a writer must not produce, even if its meaning is clear.',
    },
    checksums: {
      type: 'boolean',
      help: 'Verify the checksums of a URL too, which downloads it. Those of local files are always verified.',
    },
    values: {
      type: 'boolean',
      help: 'Check the values too: NaN, infinity, rows of zeros, repeated tokens. With --json, add statistics of each tensor.',
    },
    ...fetchOptions,
    ...jsonOption,
  },
  json: 'A line for each model: {file, format, version, valid, depth, errors, warnings, rewritable, statistics?} or {file, error}.',
  examples: ['validate minilm.weights --values', 'validate models/*.gguf --json'],
  argumentCount: [1, Number.POSITIVE_INFINITY],
  run: async (
    files,
    { json = false, strict = false, checksums, values = false, ...how },
    terminal,
  ) => {
    const settings = { json, strict, checksums, values, ...parseFetchOptions(how) };
    let exitCode = 0;
    for (const file of files) {
      const code = await validateOne(file, settings, terminal);
      exitCode = Math.max(exitCode, code);
    }
    return exitCode;
  },
});

interface Settings extends Fetching {
  readonly json: boolean;
  readonly strict: boolean;
  readonly checksums: boolean | undefined;
  readonly values: boolean;
}

/** Returns the exit code for one file. If the file cannot be read, the others are still checked. */
async function validateOne(file: string, settings: Settings, terminal: Terminal): Promise<number> {
  const { json, ...options } = settings;
  const { signal, onProgress } = terminal;
  try {
    const source = await directorySource(file);
    const report = await validate(source, { ...options, context: !json, signal, onProgress });
    if (json) {
      terminal.printJson({ file, ...report });
    } else {
      printReport(file, report, terminal);
    }
    return report.valid ? 0 : 1;
  } catch (error) {
    signal.throwIfAborted();
    const problem = problemOf(error);
    if (json) {
      terminal.printJson({ file, error: problem });
    } else {
      terminal.note(`${file}: ${describeProblem(problem)}`);
    }
    return exitCodeOf(error);
  }
}

function printReport(file: string, report: ValidationReport, terminal: Terminal): void {
  const { errors, warnings } = report;
  const format =
    report.format === null ? 'unknown format' : `${report.format} ${report.version ?? ''}`.trim();
  const counts = [
    errors.length > 0 ? plural(errors.length, 'error') : '',
    warnings.length > 0 ? plural(warnings.length, 'warning') : '',
  ].filter(Boolean);
  const verdict = report.valid ? 'valid' : 'INVALID';
  terminal.print(`${file}: ${[verdict, format, ...counts].join(', ')}`);
  for (const error of errors) {
    printProblem('error', error, terminal);
  }
  for (const warning of warnings) {
    printProblem('warning', warning, terminal);
  }
  if (report.depth === 'headers' && report.valid) {
    const advice = 'Use --checksums to download and verify the rest.';
    terminal.print(`  note     Only the headers and tables were checked. ${advice}`);
  }
  if (!report.valid && report.rewritable) {
    terminal.print(`  fix      ambry convert ${file} FIXED --to ${report.format}`);
  }
}

function printProblem(kind: string, problem: Problem, terminal: Terminal): void {
  terminal.print(`  ${kind.padEnd(7)}  ${describeProblem(problem)}`);
  for (const line of hexDump(problem)) {
    terminal.print(`           ${line}`);
  }
}
