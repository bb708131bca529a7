// The languages of passages, many of which are short.
import { describe, expect, test } from 'vitest';
import { Yielder } from '../../../../web/src/base/yielder.ts';
import type { Doc } from '../../../../web/src/search/base/types.ts';
import { languagesOf } from '../../../../web/src/search/words/detect-languages.ts';
import { languagesByWords } from '../../../../web/src/search/words/frequent-words.ts';
import { LanguageChoice } from '../../../../web/src/search/words/language-choice.ts';
import { languages } from '../../../../web/src/search/words/languages.ts';

const of = (texts: readonly string[]) =>
  languagesOf(
    texts.map((text) => ({ text })),
    new Yielder(undefined),
  );

const german = [
  'Das Brot geht auf, weil die Hefe im Teig Gase bildet.',
  'Die Gezeiten folgen dem Mond, und nicht den anderen Planeten.',
  'Die alten Häuser am Ufer wurden nach dem Sturm wieder aufgebaut.',
];
const english = [
  'Bread rises because the yeast in the dough makes gas.',
  'Tides follow the moon and not the other planets.',
];
/** Two short sentences of everyday life. */
const testSamples: Readonly<Record<string, string>> = {
  ar: 'كان القمر فوق البحر. هذا هو البيت الذي في القرية.',
  bg: 'Котката спи на покрива, а кучето е в двора. Това не е добре.',
  da: 'Katten sover på taget, og hunden vil ikke blive i haven. Hvad er det?',
  de: 'Die Katze schläft auf dem Dach. Der Hund ist im Garten.',
  el: 'Η γάτα κοιμάται στη στέγη και ο σκύλος είναι στον κήπο.',
  en: 'The cat sleeps on the roof. The dog is in the garden.',
  es: 'El gato duerme en el tejado, pero el perro está en la calle.',
  fi: 'Kissa nukkuu katolla, mutta koira on pihalla. Se ei ole siellä.',
  fr: 'Le chat dort sur le toit, mais le chien est dans la rue.',
  ga: 'Tá an cat ar an díon agus tá an madra sa ghairdín.',
  hi: 'बिल्ली छत पर है और कुत्ता घर में है।',
  hu: 'A macska a tetőn alszik, de a kutya nem a kertben van.',
  hy: 'Կատուն տան վրա է, և շունը մեր բակի մեջ է։',
  id: 'Kucing itu tidur di atap, dan anjing ada di kebun dengan anak saya.',
  it: 'Il gatto dorme sul tetto, ma il cane non è nella strada.',
  lt: 'Katė miega ant stogo, bet šuo yra kieme. Tai ne jo namas.',
  ne: 'बिरालो छानामा छ र कुकुर बगैंचामा छ। यो पनि राम्रो हो।',
  nl: 'De kat slaapt op het dak, maar de hond is niet in de tuin.',
  no: 'Katten sover på taket, og hunden vil ikke bli i hagen. Hva er det?',
  pt: 'O gato dorme no telhado, mas o cão não está na rua.',
  ro: 'Pisica doarme pe acoperiș, dar câinele este în grădină cu noi.',
  ru: 'Кошка спит на крыше, а собака не в саду. Это был мой дом.',
  sr: 'Мачка је на крову, а пас није у башти. То је моја кућа.',
  sv: 'Katten sover på taket, men hunden är inte i trädgården. Vad är det?',
  ta: 'இது என் வீடு. அந்த பூனை கூரையில் உள்ளது.',
  tr: 'Kedi çatıda uyuyor ama köpek bahçede değil. Bu bir ev.',
  uk: 'Кішка спить на даху, але собака не в саду. Це був мій дім.',
};
/** Languages that have no stemmer must not get one of another language. */
const testOthers: Readonly<Record<string, string>> = {
  cs: 'Kočka spí na střeše, ale pes je v zahradě. To není můj dům.',
  et: 'Kass magab katusel, aga koer on aias. See ei ole minu maja.',
  fa: 'گربه روی بام است و سگ در باغ است. این خانه من است که می بینی.',
  hr: 'Mačka je na krovu, ali pas nije u vrtu. To je moja kuća.',
  pl: 'Kot śpi na dachu, ale pies nie jest w ogrodzie. To jest mój dom.',
  vi: 'Con mèo ngủ trên mái nhà và con chó không có trong vườn của tôi.',
};

describe('languages', () => {
  test('are detected, the most frequent first', async () => {
    expect(await of(english)).toEqual(['en']);
    expect(await of(german)).toEqual(['de']);
    expect(await of([...german, ...english])).toEqual(['de', 'en']);
    expect(await of(['12', '?'])).toEqual(['en']);
    expect(await of(['Miten poistan tiedoston levyltä, jos se on kirjoitussuojattu?'])).toEqual([
      'fi',
    ]);
  });

  test('do not depend on a few passages', async () => {
    const many = Array.from({ length: 40 }, (_, i) => english[i % 2] as string);
    expect(await of([...many, german[0] as string])).toEqual(['en']);
    expect(await of([...many, ...german])).toEqual(['en', 'de']);
  });

  test('of all stemmers are known by two sentences', async () => {
    expect(Object.keys(testSamples)).toEqual(Object.keys(languages));
    for (const [code, text] of Object.entries({ ...testSamples, ...testOthers })) {
      expect(await of([text]), text).toEqual([code]);
    }
  });

  test('are those of the passages that show them', async () => {
    const notes = [
      'Kitchen: Bread rises because yeast makes gas.',
      'Kitchen: Salt keeps butter fresh for longer.',
      'Nature: Tides follow the moon.',
      'Nature: Cats sleep for most of the day.',
    ];
    expect(await of(notes)).toEqual(['en']);
    for (const note of notes) {
      expect(await of([note]), note).toEqual(['en']);
    }
    const titles = ['Fjord Line Bergen', 'Smart TV 4K', 'Pasta alla Norma', 'Oslo – Kiel'];
    expect(await of(titles)).toEqual(['en']);
    expect(await of([...titles, ...titles, german[0] as string])).toEqual(['de']);
  });
});

test('frequent words are counted once, among the languages that are asked for', () => {
  expect(languagesByWords('der die das')).toEqual(['de']);
  expect(languagesByWords('der der der')).toEqual([]);
  expect(languagesByWords('der die das', ['en', 'fr'])).toEqual([]);
  expect(languagesByWords('')).toEqual([]);
});

describe('the language of a passage', () => {
  const choose = (docs: readonly Doc[]) =>
    new LanguageChoice(['en', 'de']).of(docs, new Yielder(undefined));

  test('is that of its document where the passage does not show it', async () => {
    const docs = [
      { text: 'Hefeteig', source: 'brot.md' },
      { text: german[0] as string, source: 'brot.md' },
      { text: english[0] as string, source: 'bread.md' },
      { text: 'Sourdough', source: 'bread.md' },
      { text: 'Impressum', source: 'other.md' },
      { text: 'Impressum' },
    ];
    expect(await choose(docs)).toEqual(['de', 'de', 'en', 'en', 'en', 'en']);
  });

  test('keeps what earlier passages of the document showed', async () => {
    const choice = new LanguageChoice(['en', 'de']);
    await choice.of([{ text: german[0] as string, source: 'brot.md' }], new Yielder(undefined));
    const added = [{ text: 'Hefeteig', source: 'brot.md' }];
    expect(await choice.of(added, new Yielder(undefined))).toEqual(['de']);
  });
});
