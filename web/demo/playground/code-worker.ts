// Runs the code of the playground. The policy of the pages forbids to make code from texts, so an interpreter reads it, and
// calls the package of this page. `blob:` in script-src would allow a module of the text, but any text that comes into the
// page in another way as well. The worker can be ended at any time, also in a loop without an end. A link can
// bring code, which runs only when the user says so.
import * as ambry from 'ambry';
import * as passages from 'ambry/passages';
import * as tables from 'ambry/tables';
import 'ambry-pdf';
import Sval from 'sval';
import { checkImports, moduleOf } from './code-parts.ts';
import type { Message } from './messages.ts';
import { Printer } from './printer.ts';
import { shown } from './shown.ts';

const post = (message: Message) => postMessage(message);

const modules = { ambry, 'ambry/passages': passages, 'ambry/tables': tables };
const printer = new Printer((text) => post({ kind: 'print', text }));

async function run(code: string): Promise<void> {
  checkImports(code, modules);
  const interpreter = new Sval({ ecmaVer: 'latest', sourceType: 'module', sandBox: true });
  interpreter.import(modules);
  interpreter.run(moduleOf(code));
  const print = (...values: unknown[]) => printer.print(values.map(shown).join(' '));
  const { main } = interpreter.exports as { main(console: object): Promise<void> };
  await main({ log: print, info: print, warn: print, error: print });
}

addEventListener('message', ({ data }: MessageEvent<string>) => {
  const end = (message: Message) => {
    printer.flush();
    post(message);
  };
  run(data).then(
    () => end({ kind: 'done' }),
    (error: unknown) => end({ kind: 'failed', problem: problemOf(error) }),
  );
});

function problemOf(error: unknown): string {
  if (error instanceof ambry.AmbryError) {
    const place = error.path === undefined ? '' : ` (${error.path})`;
    return `${error.code}${place}: ${error.message}`;
  }
  // The message of a RangeError says all.
  if (error instanceof RangeError) {
    return error.message;
  }
  return error instanceof Error ? `${error.name}: ${error.message}` : shown(error);
}
