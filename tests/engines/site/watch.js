// The first script of every page under test. It notes what no page should do: errors that nobody handles, warnings, and
// violations of the policy.
{
  const problems = [];
  globalThis.ambryProblems = problems;
  addEventListener(
    'error',
    ({ message, target }) => {
      problems.push(`error: ${message ?? `${target.localName} ${target.src ?? target.href}`}`);
    },
    true,
  );
  addEventListener('unhandledrejection', ({ reason }) => problems.push(`not handled: ${reason}`));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    problems.push(`policy: ${violatedDirective} ${blockedURI}`),
  );
  for (const kind of ['error', 'warn']) {
    const write = console[kind];
    console[kind] = (...values) => {
      problems.push(`console.${kind}: ${values.join(' ')}`);
      write.apply(console, values);
    };
  }
}
