// Takes away every way to keep data, in a page or a worker, as browsers do that lack it.
for (const name of ['indexedDB', 'caches', 'FileSystemFileHandle', 'localStorage']) {
  for (let owner = globalThis; owner !== null; owner = Object.getPrototypeOf(owner)) {
    if (Object.hasOwn(owner, name)) {
      delete owner[name];
    }
  }
}
for (const name of ['storage', 'locks']) {
  delete Object.getPrototypeOf(navigator)[name];
}
