import { validate } from '../../node.ts';
import type { Problem, ValidationReport } from '../../types.ts';
import { defineCommand } from '../shared/command.ts';
import { describe, exitCodeOf, problemOf } from '../shared/failure.ts';
import { hexDump, plural } from '../shared/format.ts';
import { modelSource } from '../shared/input.ts';
import type { Terminal } from '../shared/terminal.ts';

export const command = defineCommand({
  usage: 'validate FILE|URL... [--json] [--strict] [--checksums] [--values]',
  summary: 'check model files and list every problem with its byte and field',
  details: [
    '--strict   refuse what a writer must not produce, even where its meaning is certain',
    '--checksums  verify the checksums of a URL, too, which downloads it; files are always verified',
    '--values   also look at the numbers: NaN, infinity, rows of zeros, repeated tokens; with --json statistics of every tensor',
  ],
  options: {
    json: { type: 'boolean' },
    strict: { type: 'boolean' },
    checksums: { type: 'boolean' },
    values: { type: 'boolean' },
  },
  takes: [1, Number.POSITIVE_INFINITY],
  run: async (files, { json = false, strict = false, checksums, values = false }, terminal) => {
    let exitCode = 0;
    for (const file of files) {
      const code = await validateOne(file, { json, strict, checksums, values }, terminal);
      exitCode = Math.max(exitCode, code);
    }
    return exitCode;
  },
});

interface Settings {
  readonly json: boolean;
  readonly strict: boolean;
  readonly checksums: boolean | undefined;
  readonly values: boolean;
}

/** A file that cannot be read does not keep the others from being checked. */
async function validateOne(file: string, settings: Settings, terminal: Terminal): Promise<number> {
  const { json, ...options } = settings;
  const { signal, onProgress } = terminal;
  try {
    const asked = { ...options, context: !json, signal, onProgress };
    const report = await validate(await modelSource(file), asked);
    if (json) terminal.json({ file, ...report });
    else print(file, report, terminal);
    return report.valid ? 0 : 1;
  } catch (error) {
    signal.throwIfAborted();
    const problem = problemOf(error);
    if (json) terminal.json({ file, error: problem });
    else terminal.note(`${file}: ${describe(problem)}`);
    return exitCodeOf(error);
  }
}

function print(file: string, report: ValidationReport, terminal: Terminal): void {
  const { errors, warnings } = report;
  const what =
    report.format === null ? 'unknown format' : `${report.format} ${report.version ?? ''}`.trim();
  const counts = [
    errors.length > 0 ? plural(errors.length, 'error') : '',
    warnings.length > 0 ? plural(warnings.length, 'warning') : '',
  ].filter(Boolean);
  const verdict = report.valid ? 'valid' : 'INVALID';
  terminal.print(`${file}: ${[verdict, what, ...counts].join(', ')}`);
  for (const error of errors) printProblem('error', error, terminal);
  for (const warning of warnings) printProblem('warning', warning, terminal);
  if (report.depth === 'headers' && report.valid) {
    terminal.print(
      '  note     headers and tables only; --checksums downloads and verifies the rest',
    );
  }
  if (!report.valid && report.rewritable) {
    terminal.print(`  fix      ambry convert ${file} FIXED --to ${report.format}`);
  }
}

function printProblem(kind: string, problem: Problem, terminal: Terminal): void {
  terminal.print(`  ${kind.padEnd(7)}  ${describe(problem)}`);
  for (const line of hexDump(problem)) terminal.print(`           ${line}`);
}
