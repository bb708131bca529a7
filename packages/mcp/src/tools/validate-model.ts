import { type Problem, validate } from 'ambry';
import { z } from 'zod';
import type { FileReader } from '../files/file-reader.ts';
import { exactObject } from '../options/check-options.ts';
import { shownProblem } from '../results/problem.ts';
import { firstOf, Room } from '../results/shorten.ts';
import type { Service } from '../service/service.ts';
import { pathArgument } from './model-path.ts';
import { defineTool, type Tool } from './tool.ts';

const mostProblems = 50;

export function validateModel(files: FileReader, { settings }: Service): Tool {
  return defineTool({
    name: 'validate_model',
    title: 'Check a model file',
    description:
      'Checks a whole model file and lists what is wrong, each with the byte and the field. A file that is not valid is no error of this tool.',
    input: exactObject(
      {
        path: pathArgument(files.addresses),
        strict: z
          .boolean()
          .default(false)
          .describe('Also reports what a writer must not do, even if its meaning is clear.'),
        values: z
          .boolean()
          .default(false)
          .describe('Also checks all values: NaN, infinity, rows of zeros. Slow for large files.'),
      },
      'argument',
    ),
    isOpen: files.addresses,
    run: async ({ path, strict, values }, { signal, onProgress }) => {
      const { source } = await files.find(path);
      const options = { ...files.fetching, strict, values, signal, onProgress };
      const { format, version, valid, depth, rewritable, ...found } = await validate(
        source,
        options,
      );
      const room = new Room(settings.maxResult);
      return {
        valid,
        format,
        version,
        depth,
        ...listed('errors', found.errors, room),
        ...listed('warnings', found.warnings, room),
        ...(!valid && { rewritable }),
      };
    },
  });
}

/** The first problems. How many others there are has a member of its own, such as `errorsLeftOut`. */
function listed(name: string, problems: readonly Problem[], room: Room) {
  const { shown, leftOut } = firstOf(problems.map(shownProblem), room, mostProblems);
  return { [name]: shown, ...(leftOut > 0 && { [`${name}LeftOut`]: leftOut }) };
}
