import { visibleLine, visibleName, visibleText } from '../../base/visible.ts';
import { redactDefaults } from '../../entries/tables.ts';
import type { RedactOptions } from '../../entries/types.ts';
import type { TokenClassifier } from '../../index.ts';
import { defineCommand } from '../shared/command.ts';
import { jsonOption } from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { plural } from '../shared/format.ts';
import { openBytes } from '../shared/read-lines.ts';
import { refuseToReplace } from '../shared/target.ts';
import type { Terminal } from '../shared/terminal.ts';
import { writeChunks } from '../shared/write-output.ts';
import { redactedLines } from './redact-lines.ts';
import { parseTagOptions, tagModelOptions, tagOptions, withTagger } from './tag-options.ts';
import { mostBytes, textParts } from './text-parts.ts';

export const command = defineCommand({
  usage: 'MODEL [FILE]',
  summary: 'Replace names and other entities in a text',
  details: [
    'MODEL is a token classifier. FILE is a text in UTF-8; - is standard input, which is also read without FILE. All that is no entity stays as it is, byte by byte.',
    `The text is read paragraph by paragraph, so it may have any length. It is cut after empty lines. A paragraph of more than ${mostBytes / 1024} KiB is cut at the end of a line, and a line that is longer after a space. An entity over a cut may be missed in part.`,
    'A model misses some entities. Read what must not have any.',
  ],
  options: {
    out: {
      type: 'string',
      short: 'o',
      value: 'OUT',
      help: 'Write to this file, which appears when it is complete. Default: standard output.',
    },
    replacement: {
      type: 'string',
      value: 'TEXT',
      help: `What takes the place of an entity; {label} stands for its label. Default: ${redactDefaults.replacement}.`,
    },
    lines: {
      type: 'boolean',
      help: 'Each line is a text of its own, and is printed when it was read, as for logs.',
    },
    jsonl: {
      type: 'string',
      multiple: true,
      value: 'KEY',
      help: 'FILE has a JSON object on each line. Replace in the texts of this key, also in lists and objects there. May be repeated. Default: none.',
    },
    ...tagOptions,
    ...tagModelOptions,
    ...jsonOption,
  },
  json: 'A line for each part of the text: {text}. With -o one document: {out, replaced}.',
  examples: [
    'redact ner.weights story.txt -o redacted.txt',
    'redact ner.weights story.txt --labels PER --replacement ███',
    'redact ner.weights --jsonl text < texts.jsonl > redacted.jsonl',
  ],
  argumentCount: [1, 2],
  run: async ([file = '', from = '-'], values, terminal) => {
    if (file === '-' && from === '-') {
      throw new UsageError('MODEL and FILE cannot both be standard input.');
    }
    if (values.lines && values.jsonl) {
      throw new UsageError('--lines cannot be used with --jsonl.', '--lines');
    }
    const { out, jsonl: keys } = values;
    if (out !== undefined) {
      await refuseToReplace(out, [file, from]);
    }
    const { options, counted } = counting(values.replacement, parseTagOptions(values, terminal));
    const bytes = await openBytes(from, terminal.signal);
    return withTagger(file, values, terminal, async (model) => {
      const texts = keys
        ? redactedLines(model, bytes, keys, options)
        : redactedParts(model, bytes, values.lines === true, options);
      const asJson = values.json === true && keys === undefined && out === undefined;
      const chunks = encoded(texts, asJson, out === undefined && terminal.isTerminal, terminal);
      await writeChunks(out ?? '-', chunks, terminal);
      if (out !== undefined && out !== '-') {
        printSummary(out, counted(), values.json === true, terminal);
      }
      return 0;
    });
  },
});

/** The options of the call, and how many entities were replaced with them. */
function counting(replacement: string = redactDefaults.replacement, options: RedactOptions) {
  let count = 0;
  const replace: RedactOptions['replacement'] = ({ label }) => {
    count++;
    return replacement.replaceAll('{label}', () => visibleName(label));
  };
  return { options: { ...options, replacement: replace }, counted: () => count };
}

async function* redactedParts(
  model: TokenClassifier,
  bytes: AsyncIterable<Uint8Array>,
  lines: boolean,
  options: RedactOptions,
): AsyncGenerator<readonly string[]> {
  for await (const parts of textParts(bytes, { lines })) {
    yield await model.redact(parts, options);
  }
}

/** At a terminal, control characters of the text are visible. */
async function* encoded(
  groups: AsyncIterable<readonly string[]>,
  asJson: boolean,
  isSeen: boolean,
  terminal: Terminal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let loaded = 0;
  for await (const texts of groups) {
    const joined = asJson
      ? texts.map((text) => `${visibleLine(JSON.stringify({ text }))}\n`).join('')
      : texts.join('');
    yield new TextEncoder().encode(isSeen ? visibleText(joined) : joined);
    loaded += texts.length;
    terminal.countTexts(loaded);
  }
  terminal.clearBar();
}

function printSummary(out: string, replaced: number, json: boolean, terminal: Terminal): void {
  if (json) {
    terminal.printJson({ out, replaced });
  } else {
    terminal.print(`${out}: ${plural(replaced, 'replacement')}`);
  }
}
