// Leaves the outcome where the driver finds it.
export function report(checking) {
  checking.then(
    (result) => {
      globalThis.outcome = { result };
    },
    (error) => {
      globalThis.outcome = { error: `${error.name}: ${error.message}` };
    },
  );
}
