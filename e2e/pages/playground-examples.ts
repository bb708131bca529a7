// The examples of the playground, and what each of them prints.
export const examples: readonly { readonly name: string; readonly prints: RegExp }[] = [
  { name: 'Search', prints: /^0\.\d+ bread Bread rises/ },
  {
    name: 'Similarity',
    prints: /^Float32Array\(192\) \[[^\]]+, …\]\n0\.\d+ A recipe for a loaf\n-?0\.\d+ The tides/,
  },
  { name: 'Documents', prints: /Nature: Tides follow the moon\.\n$/ },
  { name: 'Words', prints: /\d\.\d+ \w+\n.*man is to king as woman is to \w+/s },
  { name: 'Story', prints: /^Once upon a time .*\d+ tokens a second/s },
  {
    name: 'Answers in a form',
    prints: /^The cat was (happy|sad|hungry)\n.*"name": "(Emil|Jona)"/s,
  },
  {
    name: 'Names',
    prints:
      /^0\.\d\d PER Ada Lovelace\n.*LOC London\n.*\[PER\] moved to \[LOC\] on \[DATE\]\.\nWrite to \[EMAIL\], or call \[PHONE\]\.\n$/s,
  },
  { name: 'Tokens', prints: /\[CLS\]/ },
  { name: 'File', prints: /^amb \d+ tensors.*The file is sound\./s },
];
