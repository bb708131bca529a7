// What is wrong with a value, as a place and a sentence.
import type { z } from 'zod';

interface FieldProblem {
  /** `messages[0].content`; empty for the whole value. */
  readonly path: string;
  readonly message: string;
}

type Issue = z.core.$ZodIssue;

/** The first problem. Where a value may have several forms, it is that of the form which fits best. */
export function firstProblem(error: z.ZodError): FieldProblem {
  return problemOf(error.issues[0] as Issue, []);
}

function problemOf(issue: Issue, above: readonly PropertyKey[]): FieldProblem {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const name = issue.keys[0] as string;
    return { path: pathOf([...path, name]), message: `There is no field ${name} here.` };
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const depth = (issues: readonly Issue[]) => issues[0]?.path.length ?? 0;
    const [best] = issue.errors.toSorted((a, b) => depth(b) - depth(a));
    if (best?.[0] && depth(best) > 0) {
      return problemOf(best[0], path);
    }
    const forms = issue.errors.flatMap(([first]) => (first ? [expectedOf(first)] : []));
    return { path: pathOf(path), message: `Must be ${[...new Set(forms)].join(' or ')}.` };
  }
  return { path: pathOf(path), message: `${issue.message.replace(/\.$/, '')}.` };
}

function expectedOf(issue: Issue): string {
  if (issue.code === 'invalid_type') {
    return `a value of type ${issue.expected}`;
  }
  if (issue.code === 'invalid_value') {
    return issue.values.map((value) => JSON.stringify(value)).join(' or ');
  }
  return issue.message;
}

function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}
