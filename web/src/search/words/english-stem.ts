// Removes the most common endings of English words, so that "images" finds "image" and "stopped" finds "stop".
// Queries and passages are changed in the same way, so words of other languages still match.
export function stemOf(word: string): string {
  let stem = singular(word.toLowerCase());
  if (stem.length > 5 && stem.endsWith('ing')) {
    stem = stem.slice(0, -3);
  } else if (stem.length > 4 && stem.endsWith('ed')) {
    stem = stem.slice(0, -2);
  }
  // "stopp" becomes "stop", but "miss", "fill" and "1177" stay.
  if (stem.length > 3 && /([^aeiouls\d])\1$/.test(stem)) {
    stem = stem.slice(0, -1);
  }
  return stem.length > 3 && stem.endsWith('e') ? stem.slice(0, -1) : stem;
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) {
    return `${word.slice(0, -3)}y`;
  }
  if (word.length > 4 && /(ches|shes|sses|xes)$/.test(word)) {
    return word.slice(0, -2);
  }
  return word.length > 3 && /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}
