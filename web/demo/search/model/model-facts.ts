// What is known of models that are not built in, before they are open.

import type { ModelFacts } from './open-model.ts';

const bare = (fileName: string): string => fileName.replace(/\.weights$/i, '');

export function fileFacts(file: File): ModelFacts {
  return { source: file, name: bare(file.name), builtIn: false, converted: null };
}

export function urlFacts(url: string): ModelFacts {
  const file = new URL(url).pathname.split('/').pop() || url;
  return { source: url, name: bare(file), builtIn: false, converted: null };
}
