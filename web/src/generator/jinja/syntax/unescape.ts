// Texts in templates, with the escapes of Python's.
import { fail } from '../base/errors.ts';

const simple: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const hexLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

export function unescaped(text: string, line: number): string {
  if (!text.includes('\\')) {
    return text;
  }
  // jinja2 writes other characters as escapes before it reads the escapes, so one after a backslash is taken apart.
  const apart = text.replace(/\\([^\0-\x7f])/gu, (_, character: string) => {
    return `\\\\${escapeOf(character)}`;
  });
  return apart.replace(
    /\\(?:([0-7]{1,3})|([xuU])([\da-fA-F]*)|([\s\S]))/g,
    (all, octal, kind, hex, other) => {
      if (octal !== undefined) {
        return String.fromCodePoint(Number.parseInt(octal, 8));
      }
      if (kind === undefined) {
        return other === 'N'
          ? fail('\\N{…} in a text is not supported', line)
          : (simple[other] ?? all);
      }
      const length = hexLengths[kind] as number;
      const code = Number.parseInt(hex.slice(0, length), 16);
      if (hex.length < length || code > 0x10ffff) {
        fail(`the escape ${all} in a text is not whole`, line);
      }
      return String.fromCodePoint(code) + hex.slice(length);
    },
  );
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) as number;
  const [kind, length] = code < 0x100 ? ['x', 2] : code < 0x10000 ? ['u', 4] : ['U', 8];
  return (kind as string) + code.toString(16).padStart(length as number, '0');
}
