// What the worker of the playground says to the page.

export type Message =
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly problem: string };
