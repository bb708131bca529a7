import { exactJson } from '../../base/exact-json.ts';
import { inspect } from '../../node.ts';
import { defineCommand } from '../shared/command.ts';
import { fetchOptions, jsonOption, parseFetchOptions } from '../shared/common-options.ts';
import { modelSource } from '../shared/input.ts';
import { refuseToReplace } from '../shared/target.ts';
import { writeOutput } from '../shared/write-output.ts';

export const command = defineCommand({
  usage: 'FILE|URL [OUT]',
  summary: 'Print the metadata of a model file as TOML',
  details: ['Writes to the file OUT if it is given. Prints nothing if there is no metadata.'],
  options: { ...fetchOptions, ...jsonOption },
  json: '{name: value, …}, the metadata.',
  examples: ['metadata vectors.fifu', 'metadata minilm.weights --json'],
  argumentCount: [1, 2],
  run: async ([file = '', target], { json = false, ...values }, terminal) => {
    const { signal, onProgress } = terminal;
    const call = { signal, onProgress, ...parseFetchOptions(values) };
    if (target !== undefined) {
      await refuseToReplace(target, [file]);
    }
    const source = await modelSource(file);
    const { metadata, metadataToml } = await inspect(source, call);
    const text = json ? `${exactJson(metadata)}\n` : metadataToml;
    if (target !== undefined && target !== '-') {
      await writeOutput(target, new Blob([text]), terminal);
    } else if (text !== '') {
      terminal.printText(text.trimEnd());
    }
    return 0;
  },
});
