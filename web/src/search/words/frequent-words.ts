// The words by which a text shows its language: articles, pronouns, prepositions and forms of "to be". Most sentences have
// several of them, and they are not in other languages together.

/** By ISO 639-1. Languages without a stemmer are here, too, so that their texts are not taken for a neighbour's. */
const lists: Readonly<Record<string, string>> = {
  ar: 'في من على إلى أن هذا هذه التي الذي عن مع كان لا ما هو هي بعد قبل كل بين أو ثم لم قد',
  be: 'і у на не што як да гэта для яго яна па але ён ад ці быў калі так',
  bg: 'и на да не се от за си са по като който това при или беше има най още със той тя',
  ca: 'el la els les i de que en un una és per amb no se del dels al ha com més són aquest aquesta però',
  cs: 'a v na se je to že z s do o k jako ale po pro by za ve který jsou jeho když není také nebo',
  da: 'og i at det er en til på som de med den for ikke der af et har fra kan vil blev være hvad hvor jeg du sig så men',
  de: 'der die das und ist nicht mit ein eine auf dem den zu im für sich von wie wird sind auch bei aus oder als wir ich wenn nach weil es kann am in',
  el: 'και το της η ο να του για με που τα δεν από είναι θα στο στη στην την τον οι των ένα μια',
  en: 'the of and to in is that for it with as are was be on by this which you can have not at from or but they when how what an your has because if do we i a more most',
  es: 'el la los las de que y en un una es por con no se del al para como más pero son su lo está o cuando si hay ser qué este esta',
  et: 'ja on ei see et kui oma ta mis aga ka või ning oli need selle siis ma kes nii',
  fa: 'و در به از که این است را با برای آن یک خود تا می شود بود هم یا کرد ها',
  fi: 'ja on ei se että joka oli hän mutta kun niin myös ovat jos tai kuin sen tämä mitä miten ole voi kanssa sitä minä',
  fr: 'le la les de des et est un une en du que qui dans pour pas il elle au sur avec ne ce se sont plus par ou mais on nous vous je son cette comment',
  ga: 'agus an na ar is tá ag le go bhí sé sí a i ní nach ach seo sin atá leis don faoi ó mar bhfuil',
  he: 'של את על לא הוא היא זה עם כי גם אני או אם כל יש מה אבל אחרי',
  hi: 'के है में की से को का और पर यह हैं ने कि एक नहीं भी हो था इस वह लिए तो या',
  hr: 'i je u na se da su za od s ne koji kao to iz do o bi ili ali što nije biti po',
  hu: 'a az és hogy nem is egy van volt meg ez ha de már csak mint vagy el ki amely még azt minden lehet',
  hy: 'և է որ մի այս են համար հետ մեջ իր նա չի ից պետք որը',
  id: 'yang dan di ini itu dengan untuk tidak dari dalam adalah akan pada ke karena juga oleh saya bisa atau ada sudah mereka kami',
  it: 'il la le i gli di che e è un una in per con non del della si sono al come più da ma lo nel alla anche questo o quando dei delle',
  lt: 'ir yra kad su iš į ne tai bet kaip o jis ji buvo ar jo po nuo dėl prie taip tik apie kai',
  lv: 'un ir ka no ar uz par to bet kā es viņš tas nav lai pie bija vai kas tikai',
  mk: 'и на да во се од не за со ќе како но што тоа беше или има по',
  mr: 'आणि आहे या हे ते तो ती नाही होते मध्ये एक की व आहेत करून होता',
  ne: 'छ को र मा हो यो पनि छन् थियो गर्न भएको लागि एक गरेको हुन्छ त्यो',
  nl: 'de het een en van in is dat op te met niet voor zijn aan er ook als die bij naar maar om wordt of door je ik we deze hij was',
  no: 'og i at det er en til på som de med den for ikke av et har fra kan vil ble være hva hvor jeg du seg så men eller når',
  pl: 'i w na z się nie do to jest że o jak a po co ale dla przez od są tym za przy który lub tylko był może',
  pt: 'o a os as de que e em um uma do da no na não é para com por se mais dos das ao como mas são foi ou quando está seu sua',
  ro: 'și în de la a cu pe nu este că un o pentru din mai care se sunt sau ca dar fi ce al au prin lui după',
  ru: 'и в не на что с он как это по но из у к за то от же так для она был бы или если есть мы я при когда',
  sk: 'a v na sa je to že z s do o k ako ale po pre by za vo ktorý sú jeho keď nie aj alebo',
  sl: 'in je v na se da so za z ne ki pa kot tudi bi to po ali s od iz še pri ko',
  sq: 'dhe në të e i një me për që nga është si nuk ka do se kjo ky por më',
  sr: 'и је у на се да су за од не који као то из до с о би или али што није',
  sv: 'och i att det är en till på som de med den för inte av ett har från kan vill blev vara vad hur jag du sig så men eller när om',
  ta: 'ஒரு என்று இந்த அந்த மற்றும் இது அது என்ன இல்லை உள்ளது என் நான் அவர் போது வேண்டும் என்பது',
  tr: 've bir bu için ile da de ne çok gibi daha o olan olarak var değil ama sonra kadar en mi ben her ya',
  uk: 'і в не на що з як це до та у за але від він вона є для по ми або якщо був про коли так',
  ur: 'کے ہے میں کی سے کو کا اور پر یہ ہیں نے کہ ایک نہیں بھی تھا اس وہ لیے تو یا',
  vi: 'và là của có không một được trong cho các người với này đã để những khi thì ra ở như từ tôi về',
};

/** The frequent words of a language. Empty for one that has no list. */
export const frequentWordsOf = (code: string): readonly string[] =>
  Object.hasOwn(lists, code) ? (lists[code]?.split(' ') ?? []) : [];

const byWord = new Map<string, string[]>();
for (const [code, list] of Object.entries(lists)) {
  for (const word of list.split(' ')) {
    const codes = byWord.get(word) ?? [];
    codes.push(code);
    byWord.set(word, codes);
  }
}

/** So many different words must speak for a language: a text of one or two sentences has them. */
const leastWords = 2;
/** And one of so many words of the text. A list of names has fewer. */
const oneOf = 10;

/** The languages that have the most of the text's frequent words: several if they are equal, none if the text has too few of
 *  them. With `codes` only these languages count. */
export function languagesByWords(text: string, codes?: readonly string[]): readonly string[] {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{M}]+/gu));
  const counts = new Map<string, number>();
  for (const word of words) {
    for (const code of byWord.get(word) ?? []) {
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
  }
  const asked = [...counts].filter(([code]) => codes?.includes(code) ?? true);
  const most = Math.max(...asked.map(([, count]) => count));
  if (most < leastWords || most * oneOf < words.size) {
    return [];
  }
  return asked.filter(([, count]) => count === most).map(([code]) => code);
}
