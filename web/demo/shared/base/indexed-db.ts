// Promises for the events of IndexedDB.

export function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
}

export function completed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    // A full disk aborts a transaction whose requests all succeeded.
    transaction.addEventListener('abort', () => reject(transaction.error));
  });
}
