// Prints what ran where as a table, and the sum as the last line.

import type { Reporter, TestCase, TestModule } from 'vitest/node';

declare module 'vitest' {
  interface TaskMeta {
    /** The browser and its version. */
    engine?: string;
    /** What the job has to tell: the flavour that ran, differences. */
    detail?: string;
  }
}

type Outcome = 'passed' | 'FAILED' | 'not run' | 'left out';

/** A test whose browser did not start was not run, which counts as a failure. One that the caller left out does not. */
function outcomeOf(test: TestCase): Outcome {
  const { state } = test.result();
  if (state === 'passed') {
    return 'passed';
  }
  if (state === 'failed') {
    return 'FAILED';
  }
  for (let block: TestCase['parent'] | null = test.parent; block !== null; ) {
    if (block.errors().length > 0) {
      return 'not run';
    }
    block = block.type === 'suite' ? block.parent : null;
  }
  return state === 'skipped' ? 'left out' : 'not run';
}

function rowOf(test: TestCase): readonly string[] {
  const block = test.parent.type === 'suite' ? test.parent.name : '';
  const { engine = block, detail = '' } = test.meta();
  return [engine, test.name, outcomeOf(test), detail];
}

function lines(rows: readonly (readonly string[])[]): string[] {
  const columns = rows[0]?.map((_, column) => rows.map((row) => row[column] ?? '')) ?? [];
  const widths = columns.map((cells) => Math.max(...cells.map((cell) => cell.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

export class TableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const shown = tests.filter((test) => outcomeOf(test) !== 'left out');
    const head = ['browser', 'job', 'result', 'detail'];
    console.log(`\n${lines([head, ...shown.map(rowOf)]).join('\n')}`);
    const passed = shown.filter((test) => outcomeOf(test) === 'passed').length;
    // A file that does not load has no tests.
    const isBroken = (module: TestModule) =>
      module.state() === 'failed' && module.children.size === 0;
    const failed = shown.length - passed + modules.filter(isBroken).length;
    console.log(`\n${passed} passed, ${failed} failed`);
  }
}
