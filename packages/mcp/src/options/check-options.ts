// Checks the options of a call by their form.
import { AmbryError } from 'ambry';
import { z } from 'zod';

/** An object with these members and no others. Another one is refused by its name, with the names that there are. */
export function exactObject<Shape extends z.ZodRawShape>(shape: Shape, word: string) {
  const names = Object.keys(shape);
  return z.strictObject(shape, {
    error: ({ code, keys }) => {
      const [name] = code === 'unrecognized_keys' ? (keys as readonly string[]) : [];
      if (name === undefined) {
        return undefined;
      }
      const all = names.length > 0 ? `There is: ${names.join(', ')}.` : `There is none.`;
      return `There is no ${word} ${JSON.stringify(name)} here. ${all}`;
    },
  });
}

/** The value with its defaults. Throws `BadValue` at `options…`. */
export function checkedOptions<T>(schema: z.ZodType<T>, options: unknown): T {
  const { data, error } = schema.safeParse(options);
  if (!error) {
    return data;
  }
  const [issue] = error.issues;
  const path = [...(issue?.path ?? []), ...unknownName(issue)]
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('');
  const message = `${(issue?.message ?? error.message).replace(/\.$/, '')}.`;
  throw new AmbryError('BadValue', message, { path: `options${path}` });
}

function unknownName(issue: z.core.$ZodIssue | undefined): readonly string[] {
  return issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
}
