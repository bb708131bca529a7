// Opens what the arguments of a command name: files, URLs, standard input and lines of text.
import { fstatSync, type Stats } from 'node:fs';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { isAbort, messageOf } from '../../base/errors.ts';
import type { JobOptions, ModelDirectory, ModelSource } from '../../entries/types.ts';
import { isUrlOfDirectory } from '../../sources/http/url.ts';
import { fromHub, isHubName } from '../../sources/wire-source.ts';
import type { Fetching } from './common-options.ts';
import { UnreadableError, UsageError } from './failure.ts';

export function isUrl(argument: string): boolean {
  return /^https?:\/\//i.test(argument);
}

/** Whether the argument is fetched from a server: a URL, or a name at the hub. */
export function isRemote(argument: string): boolean {
  return isUrl(argument) || isHubName(argument);
}

/** Whether the argument names a file or a directory of this machine. */
export function isPath(argument: string): boolean {
  return argument !== '-' && !isRemote(argument);
}

/** False also if there is nothing. */
export async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** Whether the argument names the directory of a model: on this machine, or by an address that ends with a slash. */
export async function namesDirectory(argument: string): Promise<boolean> {
  if (isUrl(argument)) {
    return isUrlOfDirectory({ kind: 'url', url: argument });
  }
  return isPath(argument) && (await isDirectory(argument));
}

/** Node reads a directory as if it was empty. */
export function standardInput(): typeof process.stdin {
  if (fstatSync(process.stdin.fd).isDirectory()) {
    throw new UnreadableError('Standard input is a directory. Give a file.');
  }
  return process.stdin;
}

/** Opens a file, a URL, a name at the hub, or standard input for `-`. Fails at once if a file cannot be read. */
export async function modelSource(argument: string): Promise<ModelSource> {
  if (argument === '-') {
    return Readable.toWeb(standardInput()) as ReadableStream<Uint8Array>;
  }
  if (isUrl(argument)) {
    return new URL(argument);
  }
  if (isHubName(argument)) {
    return argument;
  }
  const stats = await statReadable(argument);
  if (stats.isDirectory()) {
    throw new UnreadableError(`${argument} is a directory, and this command reads one file.`);
  }
  return { path: argument };
}

/** Like `directorySource`. A name at the hub is looked up. */
export async function convertSource(
  argument: string,
  options: Fetching & JobOptions,
): Promise<ModelSource | ModelDirectory> {
  return isHubName(argument) ? fromHub(argument, options, 'model') : directorySource(argument);
}

/** Like `modelSource`, but also takes a directory, which `open` and `convert` read. */
export async function directorySource(argument: string): Promise<ModelSource> {
  if (!isPath(argument)) {
    return modelSource(argument);
  }
  await statReadable(argument);
  return { path: argument };
}

/** Fails if the path is missing or access is denied. */
export async function statReadable(path: string): Promise<Stats> {
  try {
    await access(path, constants.R_OK);
    return await stat(path);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw isMissing ? new UnreadableError(`No such file: ${path}`) : unreadable(path, error);
  }
}

export function unreadable(argument: string, error: unknown): UnreadableError {
  const name = argument === '-' ? 'standard input' : argument;
  return new UnreadableError(`Cannot read ${name}: ${messageOf(error)}`);
}

/** Reads a whole file, or standard input for `-`. */
export async function readBytes(argument: string): Promise<Buffer> {
  if (argument !== '-' && (await statReadable(argument)).isDirectory()) {
    throw new UnreadableError(`${argument} is a directory. Name a file instead.`);
  }
  const input = argument === '-' ? standardInput() : undefined;
  try {
    return await (input ? buffer(input) : readFile(argument));
  } catch (error) {
    throw isAbort(error) ? error : unreadable(argument, error);
  }
}

/** Reads a text. Invalid UTF-8 becomes U+FFFD. */
export async function readText(argument: string): Promise<string> {
  return new TextDecoder().decode(await readBytes(argument));
}

/** Reads the lines of a text. A line break at the end does not add an empty line. */
export async function readLines(argument: string): Promise<string[]> {
  return linesOf(await readText(argument));
}

export function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') {
    lines.pop();
  }
  return lines;
}

/** What is piped to the command. Nothing where a person types, or where there is nothing. */
export async function pipedText(): Promise<string | undefined> {
  return process.stdin.isTTY ? undefined : (await readText('-')) || undefined;
}

/** Reads the texts of the arguments, then the lines of `--file`; without both, those of standard input. */
export async function readTexts(values: {
  readonly text?: readonly string[] | undefined;
  readonly file?: string | undefined;
}): Promise<string[]> {
  const texts = [...(values.text ?? [])];
  if (values.file !== undefined) {
    for (const line of await readLines(values.file)) {
      texts.push(line);
    }
  }
  if (texts.length > 0 || values.file !== undefined) {
    return texts;
  }
  const piped = await pipedText();
  if (piped !== undefined) {
    return linesOf(piped);
  }
  throw noTextGiven();
}

export function noTextGiven(): UsageError {
  const message =
    'No text was given. Write it after the model, or use --file FILE with - for standard input.';
  return new UsageError(message, '--text');
}
