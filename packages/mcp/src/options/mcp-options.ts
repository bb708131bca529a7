// What the tools are made of, and their limits.
import type { FetchOptions, Progress, SearchIndex, TextClassifier, TokenClassifier } from 'ambry';
import { z } from 'zod';
import { exactObject } from './check-options.ts';
import { mcpDefaults } from './defaults.ts';

/** How something is opened. */
export interface OpenCall {
  /** Aborts when the service ends. */
  readonly signal: AbortSignal;
  /** Tells those who wait for it. */
  readonly onProgress: (progress: Progress) => void;
}

/** Something that a function opened, and what ends it. */
export interface Held<T> {
  readonly value: T;
  dispose(): Promise<void>;
}

/** Something that is open already and stays its caller's, or a function that opens it when a tool needs it first. */
export type Entry<T> = T | ((call: OpenCall) => Promise<T | Held<T>>);

/** The model files that tools may read. */
export interface FileAccess {
  /** Only what lies below these folders is read. No link leads out of them. */
  readonly folders: readonly string[];
  /** Whether tools also read what `http(s):` addresses and names at the hub (`hf:owner/name`) mean. Default: false. */
  readonly addresses?: boolean;
  /** How addresses are fetched. */
  readonly fetching?: FetchOptions;
}

export interface McpOptions {
  /** Search indexes by their names. */
  readonly indexes?: Readonly<Record<string, Entry<SearchIndex>>>;
  /** Text classifiers by their names. */
  readonly classifiers?: Readonly<Record<string, Entry<TextClassifier>>>;
  /** Token classifiers by their names. */
  readonly taggers?: Readonly<Record<string, Entry<TokenClassifier>>>;
  /** Without it, there are no tools for model files. */
  readonly files?: FileAccess;
  /** Text put before each query, or the name of a prompt of the index's model. */
  readonly prompt?: string | undefined;
  /** Characters of a result; 32,000 when absent. What is longer is cut, and says so. */
  readonly maxResult?: number | undefined;
  /** Seconds that a call may take; 300 when absent. */
  readonly callTimeout?: number | undefined;
  /** Calls at a time, of all connections; 64 when absent. More are refused. */
  readonly maxCalls?: number | undefined;
  /** Called with each failure that is not the caller's, such as an index that does not open. */
  readonly onError?: ((error: unknown, name?: string) => void) | undefined;
}

/** The options with their defaults. */
export interface McpSettings {
  readonly indexes: Readonly<Record<string, Entry<SearchIndex>>>;
  readonly classifiers: Readonly<Record<string, Entry<TextClassifier>>>;
  readonly taggers: Readonly<Record<string, Entry<TokenClassifier>>>;
  readonly files: Required<FileAccess> | undefined;
  readonly prompt: string | undefined;
  readonly maxResult: number;
  readonly callTimeout: number;
  readonly maxCalls: number;
  readonly onError: McpOptions['onError'];
}

const count = z.int().min(1);
const day = 86_400;
/** A place in a list of names that a language model reads. */
const name = z.string().min(1).max(100);
const isObject = (value: unknown) => typeof value === 'object' && value !== null;
const entry = <T>(method: string, words: string) =>
  z.custom<Entry<T>>(
    (value) =>
      typeof value === 'function' ||
      (isObject(value) && typeof (value as Record<string, unknown>)[method] === 'function'),
    { error: `Must be ${words}, or a function that opens it` },
  );

/** A schema for each member. */
export type Shape<T> = { readonly [Name in keyof T]-?: z.ZodType<T[Name]> };

export const mcpShape: Shape<McpSettings> = {
  indexes: z.record(name, entry<SearchIndex>('search', 'an opened search index')).default({}),
  classifiers: z
    .record(name, entry<TextClassifier>('classify', 'an opened text classifier'))
    .default({}),
  taggers: z.record(name, entry<TokenClassifier>('tag', 'an opened token classifier')).default({}),
  files: exactObject(
    {
      folders: z.array(z.string().min(1)),
      addresses: z.boolean().default(false),
      fetching: z.custom<FetchOptions>(isObject, { error: 'Must be an object' }).default({}),
    },
    'option',
  ).optional(),
  prompt: z.string().optional(),
  maxResult: count.min(1000).max(10_000_000).default(mcpDefaults.maxResult),
  callTimeout: z.number().positive().max(day).default(mcpDefaults.callTimeout),
  maxCalls: count.default(mcpDefaults.maxCalls),
  onError: z
    .custom<(error: unknown, name?: string) => void>((value) => typeof value === 'function', {
      error: 'Must be a function',
    })
    .optional(),
};

export const mcpSchema: z.ZodType<McpSettings> = exactObject(mcpShape, 'option');
