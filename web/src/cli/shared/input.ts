// What the arguments of a command stand for: files, URLs, standard input, lines of text.
import { existsSync, type Stats } from 'node:fs';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ModelSource } from '../../types.ts';
import { UnreadableError, UsageError } from './failure.ts';

export function isUrl(argument: string): boolean {
  return /^https?:\/\//i.test(argument);
}

/** A file, a URL, or `-` for standard input. Refuses at once what cannot be read. */
export async function modelSource(argument: string): Promise<ModelSource> {
  if (argument === '-') return Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  if (isUrl(argument)) return new URL(argument);
  const facts = await readable(argument);
  if (facts.isDirectory()) {
    const hint = `a Hugging Face directory becomes a model file with: ambry convert ${argument} model.weights`;
    throw new UnreadableError(`${argument} is a directory, not a model file; ${hint}`);
  }
  return { path: argument };
}

/** As modelSource, but a directory is welcome too. */
export async function convertSource(argument: string): Promise<ModelSource> {
  if (argument === '-' || isUrl(argument)) return modelSource(argument);
  await readable(argument);
  return { path: argument };
}

/** As modelSource; of a directory it takes the tokenizer. */
export async function tokenizerSource(argument: string): Promise<ModelSource> {
  const folder = argument !== '-' && !isUrl(argument) && (await readable(argument)).isDirectory();
  const files = folder ? ['tokenizer.json', 'tokenizer.model', 'vocab.txt'] : [];
  const found = files.map((name) => join(argument, name)).find((path) => existsSync(path));
  return modelSource(found ?? argument);
}

export async function readable(path: string): Promise<Stats> {
  try {
    await access(path, constants.R_OK);
    return await stat(path);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new UnreadableError(
      missing ? `No such file: ${path}` : `Cannot read ${path}: ${(error as Error).message}`,
    );
  }
}

/** The whole of a file, or of standard input. */
export async function readBytes(argument: string): Promise<Buffer> {
  if (argument === '-') return buffer(process.stdin);
  if ((await readable(argument)).isDirectory()) {
    throw new UnreadableError(`${argument} is a directory, where a file is wanted`);
  }
  return readFile(argument);
}

/** The same as text. Bytes that are not UTF-8 become U+FFFD. */
export async function readText(argument: string): Promise<string> {
  return new TextDecoder().decode(await readBytes(argument));
}

/** Its lines, without the empty end after the last one. */
export async function readLines(argument: string): Promise<string[]> {
  const lines = (await readText(argument)).split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The texts of `--text`, then the lines of `--file`. */
export async function textsOf(values: {
  readonly text?: readonly string[] | undefined;
  readonly file?: string | undefined;
}): Promise<string[]> {
  const texts = [...(values.text ?? [])];
  if (values.file !== undefined) {
    for (const line of await readLines(values.file)) texts.push(line);
  }
  if (texts.length > 0 || values.file !== undefined) return texts;
  throw new UsageError(
    'no text given: use --text TEXT or --file LINES (- for standard input)',
    '--text',
  );
}
