// Reads the reports of the test programs: how many tests passed, failed and were skipped, and the names of those that
// failed.
import { stripVTControlCharacters } from 'node:util';

/** GoogleTest's `--gtest_output=json`. */
export function readGoogleTest({ testsuites }) {
  const counts = { passed: 0, failed: 0, skipped: 0, names: [] };
  for (const { name: suite, testsuite } of testsuites) {
    for (const { name, failures, result } of testsuite) {
      if (failures) {
        counts.failed += 1;
        counts.names.push(`${suite}.${name}`);
      } else if (result === 'COMPLETED') {
        counts.passed += 1;
      } else {
        counts.skipped += 1;
      }
    }
  }
  return counts;
}

/** Vitest's reporter `json`. A file that does not load has no tests, and Vitest does not count it as failed. A test
 *  that passed only the second time still has its message. */
export function readVitest(report) {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const named = (isWanted) =>
    report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.filter(isWanted).map(({ fullName, failureMessages }) => {
        return `${name}: ${fullName}${firstLine(failureMessages[0])}`;
      }),
    );
  const failed = named(({ status }) => status === 'failed');
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    names: [...broken.map(({ name }) => name), ...failed],
    unsteady: named(
      ({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0,
    ),
  };
}

/** Playwright's reporter `json`. A test that passed only the second time counts as passed, and is named as unsteady. */
export function readPlaywright({ stats, suites }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    names: suites.flatMap((suite) => specsWith(suite, 'unexpected')),
    unsteady: suites.flatMap((suite) => specsWith(suite, 'flaky')),
  };
}

function specsWith({ suites = [], specs = [] }, wanted) {
  const named = specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status === wanted)
      .map(({ results }) => {
        const message = results.find(({ error }) => error)?.error.message;
        return `${file}:${line}: ${title}${firstLine(message)}`;
      }),
  );
  return [...named, ...suites.flatMap((suite) => specsWith(suite, wanted))];
}

/** The first line of what went wrong, which the log may not have any more. */
function firstLine(message = '') {
  const [line] = stripVTControlCharacters(message).split('\n');
  return line === '' ? '' : `: ${line.slice(0, 200)}`;
}
