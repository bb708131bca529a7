import { inspect } from '../../node.ts';
import { defineCommand } from '../shared/command.ts';
import { modelSource } from '../shared/input.ts';
import { writeResult } from '../shared/write-result.ts';

export const command = defineCommand({
  usage: 'metadata FILE|URL [OUT] [--json]',
  summary: 'print the metadata of a model file as TOML (nothing when it has none)',
  details: ['OUT is a file to write it to; standard output when absent.'],
  options: { json: { type: 'boolean' } },
  takes: [1, 2],
  run: async ([file = '', target], { json = false }, terminal) => {
    const { signal, onProgress } = terminal;
    const { metadata, metadataToml } = await inspect(await modelSource(file), {
      signal,
      onProgress,
    });
    const text = json ? `${JSON.stringify(metadata)}\n` : metadataToml;
    if (target !== undefined && target !== '-') {
      await writeResult(target, new Blob([text]), terminal);
    } else if (text !== '') terminal.print(text.trimEnd());
    return 0;
  },
});
