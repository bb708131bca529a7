// axe in every state of the playground.
import { expect } from '../fixtures.ts';
import { test } from '../pages/playground-page.ts';
import { expectAccessible } from '../support/accessible.ts';

test('code that has not run, that runs, that is done, and that fails', async ({ playground }) => {
  const { page } = playground;
  await expectAccessible(page, 'code that has not run');
  await playground.runCode("console.log('begun');\nfor (;;);");
  await expect(playground.output).toHaveText('begun\n');
  await expectAccessible(page, 'code that runs');
  await playground.stop.click();
  await expect(playground.status).toHaveText('Stopped');
  await expectAccessible(page, 'code that was stopped');
  await playground.runCode('console.log([1, 2], new Float32Array(9), 3n);');
  await playground.expectDone();
  await expectAccessible(page, 'the output of code');
  await playground.runCode("throw new TypeError('no');");
  await expect(playground.alert).toHaveText(/^TypeError: no$/);
  await expectAccessible(page, 'code that failed');
});
