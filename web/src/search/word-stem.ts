// English words without their most common endings, so that "images" finds "image" and "stopped" "stop". Both
// sides lose the same, so that in other languages words still find themselves.
export function stemOf(word: string): string {
  let stem = singular(word.toLowerCase());
  if (stem.length > 5 && stem.endsWith('ing')) stem = stem.slice(0, -3);
  else if (stem.length > 4 && stem.endsWith('ed')) stem = stem.slice(0, -2);
  // "stopp", but "miss" and "fill".
  if (stem.length > 3 && /([^aeiouls])\1$/.test(stem)) stem = stem.slice(0, -1);
  return stem.length > 3 && stem.endsWith('e') ? stem.slice(0, -1) : stem;
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(ches|shes|sses|xes)$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}
