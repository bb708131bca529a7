// What the last lines of a run say: the counts, and the names of tests that failed or needed a second try.
import { expect, test } from 'vitest';
import { readPlaywright, readVitest } from './reports.mjs';

test('a test of Vitest that passed the second time counts as passed and is named', () => {
  const one = (fullName: string, status: string, ...failureMessages: string[]) => ({
    fullName,
    status,
    failureMessages,
  });
  const assertionResults = [
    one('steady', 'passed'),
    one('unsteady', 'passed', 'Error: too late\n    at line 1'),
    one('wrong', 'failed', 'Error: 1 is not 2'),
    one('left out', 'skipped'),
  ];
  const report = {
    numPassedTests: 2,
    numFailedTests: 1,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [
      { name: 'a.test.ts', status: 'failed', assertionResults },
      { name: 'broken.test.ts', status: 'failed', assertionResults: [] },
    ],
  };
  expect(readVitest(report)).toEqual({
    passed: 2,
    failed: 2,
    skipped: 1,
    names: ['broken.test.ts', 'a.test.ts: wrong: Error: 1 is not 2'],
    unsteady: ['a.test.ts: unsteady: Error: too late'],
  });
});

test('a test of Playwright that passed the second time counts as passed and is named', () => {
  const spec = (title: string, status: string, ...messages: string[]) => ({
    file: 'a.spec.ts',
    line: 7,
    title,
    tests: [{ status, results: messages.map((message) => ({ error: { message } })) }],
  });
  const suites = [
    { specs: [spec('steady', 'expected')], suites: [{ specs: [spec('late', 'flaky', 'slow')] }] },
    { specs: [spec('wrong', 'unexpected', 'no', 'no again')] },
  ];
  const stats = { expected: 1, flaky: 1, unexpected: 1, skipped: 0 };
  expect(readPlaywright({ stats, suites })).toEqual({
    passed: 2,
    failed: 1,
    skipped: 0,
    names: ['a.spec.ts:7: wrong: no'],
    unsteady: ['a.spec.ts:7: late: slow'],
  });
});
