// Reads the reports of the test programs: how many tests passed, failed and were skipped, and the names of those that
// failed.

/** GoogleTest's `--gtest_output=json`. */
export function readGoogleTest({ testsuites }) {
  const counts = { passed: 0, failed: 0, skipped: 0, names: [] };
  for (const { name: suite, testsuite } of testsuites) {
    for (const { name, failures, result } of testsuite) {
      if (failures) {
        counts.failed += 1;
        counts.names.push(`${suite}.${name}`);
      } else if (result === 'COMPLETED') counts.passed += 1;
      else counts.skipped += 1;
    }
  }
  return counts;
}

/** Vitest's reporter `json`. A file that does not load has no tests, and Vitest does not count it as failed. */
export function readVitest(report) {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const failed = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${name}: ${fullName}`),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    names: [...broken.map(({ name }) => name), ...failed],
  };
}

/** Playwright's reporter `json`. A test that passed only when it was repeated counts as failed. */
export function readPlaywright({ stats, suites }) {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    names: suites.flatMap(failedSpecs),
  };
}

function failedSpecs({ suites = [], specs = [] }) {
  const failed = specs.filter(({ tests }) =>
    tests.some(({ status }) => status === 'unexpected' || status === 'flaky'),
  );
  const named = failed.map(({ file, line, title }) => `${file}:${line}: ${title}`);
  return [...named, ...suites.flatMap(failedSpecs)];
}
