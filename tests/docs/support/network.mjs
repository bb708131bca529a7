// Loaded first by Node (NODE_OPTIONS), in its workers too. Requests to the hosts that the documentation names go to servers of
// the test on this machine: AMBRY_TEST_HOSTS has the origins as JSON. Any other host is an error.
const hosts = JSON.parse(process.env['AMBRY_TEST_HOSTS'] ?? '{}');
const { fetch } = globalThis;

globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (
    url.protocol.startsWith('http') &&
    url.hostname !== '127.0.0.1' &&
    url.hostname !== 'localhost'
  ) {
    const origin = hosts[url.origin];
    if (origin === undefined) {
      throw new Error(`A test must not ask ${url.origin}`);
    }
    return fetch(new URL(url.pathname + url.search, origin), init);
  }
  return fetch(input, init);
};
