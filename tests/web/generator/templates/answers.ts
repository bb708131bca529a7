// What Ambry makes of a template, to compare with what Python's jinja2 makes of it.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { renderTemplate } from '../../../../web/src/generator/jinja/render.ts';

/** The clock of tests/reference/chat_template_oracle.py. */
export const now = new Date(2026, 2, 5, 7, 8, 9, 120);

export interface Answer {
  readonly text?: string;
  readonly error?: string;
}

type Names = Readonly<Record<string, unknown>>;

export function answerOf(template: string, names: Names): Answer {
  try {
    return { text: renderTemplate(template, names, now) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** An empty text where both are equal. */
export function firstDifference(expected: string, { text, error }: Answer): string {
  if (text === undefined) {
    return `refused: ${error}`;
  }
  if (text === expected) {
    return '';
  }
  let at = 0;
  while (expected[at] === text[at]) {
    at++;
  }
  const around = (whole: string) => JSON.stringify(whole.slice(Math.max(0, at - 30), at + 30));
  return `character ${at}: ${around(expected)} of Python is ${around(text)}`;
}

const python = '/usr/bin/python3';
const oracle = fileURLToPath(
  new URL('../../../reference/chat_template_oracle.py', import.meta.url),
);

/** Why there is no Python to compare with. */
export const missingPython: string | undefined =
  spawnSync(python, ['-c', 'import jinja2']).status === 0
    ? undefined
    : `no jinja2 for ${python}: install python3-jinja2`;

/** What Python's jinja2 makes of templates. */
export function pythonAnswers(cases: readonly (readonly [string, Names])[]): readonly Answer[] {
  const input = JSON.stringify(cases);
  const { stdout, stderr, status } = spawnSync(python, [oracle], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (status !== 0) {
    throw new Error(stderr.slice(-2000));
  }
  return JSON.parse(stdout) as readonly Answer[];
}

/** What Python and Ambry disagree about. Ambry may refuse more, where `mayRefuse` says so. */
export function disagreement(
  python: Answer,
  ours: Answer,
  mayRefuse: (error: string) => boolean = () => false,
): string {
  if (python.text === undefined) {
    return ours.text === undefined ? '' : `Python refuses: ${python.error}`;
  }
  const isRefused = ours.error !== undefined && mayRefuse(ours.error);
  return isRefused ? '' : firstDifference(python.text, ours);
}
