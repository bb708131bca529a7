// The form that the user asks of an answer, and the option of the package that it becomes.

import type { AnswerFormat } from 'ambry';
import type { answerForms } from 'ambry/tables';

export type FormKind = 'free' | (typeof answerForms)[number];

/** The text of each kind is kept when another kind is chosen. */
export interface AnswerForm {
  readonly kind: FormKind;
  readonly texts: Readonly<Partial<Record<FormKind, string>>>;
}

export const freeForm: AnswerForm = { kind: 'free', texts: {} };

/** What the text field of each kind is called, and what it holds before the user types. */
export const forms: Readonly<
  Record<FormKind, { readonly name: string; readonly field: string; readonly example: string }>
> = {
  free: { name: 'Free text', field: '', example: '' },
  schema: {
    name: 'JSON Schema',
    field: 'JSON Schema of the answer',
    example: `{
  "type": "object",
  "properties": {
    "animal": { "enum": ["fox", "bear", "owl"] },
    "age": { "type": "integer", "minimum": 1, "maximum": 99 }
  },
  "required": ["animal", "age"]
}`,
  },
  choices: { name: 'Choices', field: 'Allowed answers, one per line', example: 'yes\nno' },
  regex: {
    name: 'Regular expression',
    field: 'Regular expression for the whole answer',
    example: '[0-9]{4}-[0-9]{2}-[0-9]{2}',
  },
  grammar: {
    name: 'GBNF grammar',
    field: 'Grammar in GBNF, from the rule root on',
    example: 'root ::= animal ", " animal\nanimal ::= "fox" | "bear" | "owl"',
  },
};

export const textOfForm = ({ kind, texts }: AnswerForm): string =>
  texts[kind] ?? forms[kind].example;

/** A text that is no such form. The message is for the user. */
export class FormError extends Error {}

function schemaOf(text: string): object | boolean {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FormError(`This is not JSON: ${(error as Error).message}`);
  }
  if (typeof value === 'boolean' || (typeof value === 'object' && value !== null)) {
    return value;
  }
  throw new FormError('A JSON Schema is an object, or true or false.');
}

/** The option `format`; undefined for free text. Throws a `FormError`. The core checks the rest. */
export function formatOf(form: AnswerForm): AnswerFormat | undefined {
  const text = textOfForm(form);
  if (form.kind !== 'free' && text.trim() === '') {
    throw new FormError('Write the form of the answer here, or choose free text.');
  }
  switch (form.kind) {
    case 'free':
      return undefined;
    case 'schema':
      return { schema: schemaOf(text) };
    case 'choices':
      return { choices: text.split('\n').filter((line) => line.trim() !== '') };
    case 'regex':
      return { regex: text.trim() };
    case 'grammar':
      return { grammar: text };
  }
}
