// The playground: every example runs in the page, changed code runs as changed, and any code can be stopped.
import { expect } from '../fixtures.ts';
import { examples } from '../pages/playground-examples.ts';
import { test } from '../pages/playground-page.ts';

for (const { name, prints } of examples) {
  test(`the example ${name} runs`, async ({ playground }) => {
    await playground.examples.filter({ hasText: new RegExp(`^${name}$`) }).click();
    await playground.run();
    await playground.expectDone();
    await expect(playground.output).toContainText(prints);
  });
}

for (const [width, height] of [
  [1280, 900],
  [390, 844],
] as const) {
  test(`the output is in sight after Run at ${width} pixels`, async ({ page, playground }) => {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => scrollTo(0, 0));
    await playground.run();
    await playground.expectDone();
    const { y = 0 } = (await playground.output.boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThan(height - 100);
    await expect(playground.output).toContainText(/^0\.\d+ bread/);
    await expect(playground.output).toBeInViewport({ ratio: 0.3 });
    if (width > 1000) {
      const code = await playground.code.boundingBox();
      const output = await playground.output.boundingBox();
      expect(Math.abs((code?.y ?? 0) - (output?.y ?? 0))).toBeLessThan(4);
      expect(output?.x ?? 0).toBeGreaterThan((code?.x ?? 0) + (code?.width ?? 0));
    }
  });
}

test('there is no other example', async ({ playground }) => {
  await expect(playground.examples).toHaveText(examples.map(({ name }) => name));
});

test('changed code gives another result', async ({ playground }) => {
  const code = await playground.code.inputValue();
  await playground.runCode(code.replace('why does dough grow?', 'when do kittens rest?'));
  await playground.expectDone();
  await expect(playground.output).toContainText(/^0\.\d+ cats/);
});

test.describe('code that fails', () => {
  const cases: readonly (readonly [what: string, code: string, problem: RegExp])[] = [
    ['is no JavaScript', 'let a = ;', /SyntaxError: Unexpected token \(1:/],
    ['throws', "throw new TypeError('no');", /^TypeError: no$/],
    [
      'asks for a file that is not there',
      "import { open } from 'ambry';\nawait open('../models/no.weights', { kind: 'encoder' });",
      /^Http.*404/,
    ],
    [
      'imports what is not there',
      "import { fly } from 'ambry';\nfly();",
      /^SyntaxError: ambry has no export fly\.$/,
    ],
    [
      'imports another module',
      "import 'lodash';",
      /^SyntaxError: There is no module lodash here\. There are ambry, /,
    ],
    ['makes code from a text', "new Function('return 1')();", /EvalError|unsafe-eval/],
  ];
  for (const [what, code, problem] of cases) {
    test(`${what}: the page says so`, async ({ playground, browserErrors }) => {
      browserErrors.expect(/status of 404|unsafe-eval/);
      await playground.runCode(code);
      await expect(playground.alert).toHaveText(problem);
      await expect(playground.stop).toBeDisabled();
    });
  }
});

test('of a long output the first lines are shown, and all on request', async ({ playground }) => {
  await playground.runCode('for (let i = 1; i <= 5000; i += 1) console.log(i);');
  await playground.expectDone();
  await expect(playground.output).toHaveText(/\n199\n200\n$/);
  await playground.page.getByRole('button', { name: 'Show all 5,000 lines' }).click();
  await expect(playground.output).toHaveText(/\n5000\n$/);
});

test('a loop without an end is stopped, and the next code runs', async ({ playground }) => {
  await playground.runCode("console.log('begun');\nfor (;;);");
  await expect(playground.output).toHaveText('begun\n');
  await playground.stop.click();
  await expect(playground.status).toHaveText('Stopped');
  await playground.runCode('console.log([1, 2], new Float32Array(9), 3n);');
  await playground.expectDone();
  await expect(playground.output).toContainText('Float32Array(9) [0, 0, 0, 0, 0, 0, 0, 0, …]');
});

test('code that prints without an end is stopped', async ({ playground }) => {
  await playground.runCode("for (;;) console.log('x'.repeat(1000));");
  await expect(playground.alert).toContainText('printed more than 200000 characters');
});

test('the page leads to the documentation', async ({ playground }) => {
  await playground.page.getByRole('link', { name: 'documentation', exact: true }).first().click();
  await expect(playground.page.getByRole('heading', { level: 1 })).toHaveText('Ambry');
});
