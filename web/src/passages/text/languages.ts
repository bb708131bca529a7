// What is known of languages to tell their encodings apart: their letters. The encodings are those in which texts of a
// language were saved.

export interface Language {
  /** The usual encodings first. */
  readonly encodings: readonly string[];
  /** The share of these letters among all letters of a text. */
  readonly share: number;
  /** Letters beyond ASCII, the most frequent first. Capitals are not listed. */
  readonly letters: string;
  /** Some of its most frequent words. */
  readonly words?: string;
  /** Letters of ASCII that only words of other languages have. */
  readonly foreign?: string;
}

const western = ['windows-1252', 'macintosh', 'iso-8859-15', 'ibm850'];
const central = ['windows-1250', 'iso-8859-2', 'ibm852'];
const baltic = ['windows-1257', 'iso-8859-13', 'iso-8859-4', 'iso-8859-10', 'ibm775'];
const cyrillic = ['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5', 'x-mac-cyrillic'];
const ukrainian = [...cyrillic, 'koi8-u'];
const greek = ['windows-1253', 'iso-8859-7', 'ibm737'];
const hebrew = ['windows-1255', 'iso-8859-8'];
const arabic = ['windows-1256', 'iso-8859-6'];

export const languages: Readonly<Record<string, Language>> = {
  english: {
    encodings: western,
    share: 0.004,
    letters: 'éïèöüàñ',
    words: 'the of and to in is that it for was with as on at by from this not are',
  },
  // Names and words of several languages, as in lists of addresses.
  western: { encodings: western, share: 0.05, letters: 'éüöäáóíñçèãàøåêëïúæâôßõîùûœ' },
  french: {
    encodings: western,
    share: 0.04,
    letters: 'éèàêçâîôïûëùœ',
    words: 'le la les de des du et un une en est que qui dans pour pas sur au avec il elle ce sont',
  },
  german: {
    encodings: western,
    share: 0.03,
    letters: 'üäößé',
    words: 'der die das und ist in den von zu mit sich auf für nicht ein eine dem des auch es im',
  },
  spanish: {
    encodings: western,
    share: 0.035,
    letters: 'óíáéñúü',
    words: 'de la que el en y los las se del un una por con para es no su al como más',
  },
  portuguese: {
    encodings: western,
    share: 0.06,
    letters: 'ãçáéíõóêúàâô',
    words: 'de a o que e do da em um uma para com não os as no na por se dos é',
    foreign: 'kwy',
  },
  italian: {
    encodings: western,
    share: 0.02,
    letters: 'èàòùìéî',
    words: 'di il la che e è un una in per non con del della si le i dei da sono al',
    foreign: 'jkwxy',
  },
  dutch: {
    encodings: western,
    share: 0.005,
    letters: 'ëéïèöüó',
    words: 'de het een en van in is dat op te zijn met voor niet aan er ook door naar',
  },
  catalan: {
    encodings: western,
    share: 0.04,
    letters: 'àéóèíçòúïü·',
    words: 'de la el i que en els les un una per amb és no del al dels ha és',
    foreign: 'kw',
  },
  danish: {
    encodings: western,
    share: 0.04,
    letters: 'åøæéö',
    words: 'og i at det er en den til på som for af med de ikke et har jeg var fra ble',
    foreign: 'qwxz',
  },
  swedish: {
    encodings: western,
    share: 0.06,
    letters: 'äöåé',
    words:
      'och i att det som en på är av för med den till inte om ett har jag var ja on ei se että oli hän mutta kun',
    foreign: 'qwz',
  },
  icelandic: {
    encodings: western,
    share: 0.13,
    letters: 'íáðóúþöæéý',
    words: 'og að í á er sem til var við um það en ekki af hann með fyrir eru þar ég',
    foreign: 'cqwz',
  },
  irish: {
    encodings: western,
    share: 0.07,
    letters: 'áíéóú',
    words: 'an na agus ar i go is a le do tá sé ag bhí sí',
    foreign: 'jkqvwxyz',
  },
  estonian: {
    encodings: [...western, ...baltic],
    share: 0.05,
    letters: 'äõüöšž',
    words: 'ja on ei ta et see ka oma kui oli aga mis või siis ning',
    foreign: 'cqwxy',
  },
  albanian: {
    encodings: [...western, 'windows-1250'],
    share: 0.08,
    letters: 'ëç',
    words: 'të e në dhe i një me për që nga është u se ka si',
    foreign: 'w',
  },
  polish: {
    encodings: central,
    share: 0.08,
    letters: 'łóęąśżćńź',
    words: 'i w na z do się nie jest że to o jak po od ale za przez są oraz',
    foreign: 'qvx',
  },
  czech: {
    encodings: central,
    share: 0.15,
    letters: 'íáěéřčžýšůúňťďó',
    words: 'a se v na je že s z do o i to jako za by pro ve po ale jsou',
    foreign: 'qwx',
  },
  slovak: {
    encodings: central,
    share: 0.13,
    letters: 'áýčíéšžúťňľôóďäĺŕ',
    words: 'a sa v na je že s z do o aj to ako za by pre vo po ale sú',
    foreign: 'qwx',
  },
  hungarian: {
    encodings: central,
    share: 0.12,
    letters: 'áéöóőüíúű',
    words: 'a az és hogy nem is egy van ez meg de csak volt mint már ha',
    foreign: 'qwx',
  },
  croatian: {
    encodings: central,
    share: 0.035,
    letters: 'čšžćđ',
    words: 'i u je na se da su za od s o a kao koji ne to in za pa ki',
    foreign: 'qwxy',
  },
  romanian: {
    encodings: central,
    share: 0.06,
    letters: 'ăîşâţ',
    words: 'de și şi în la a cu un o pe nu este care din se că pentru mai sunt',
    foreign: 'kqwy',
  },
  turkish: {
    encodings: ['windows-1254', 'ibm857'],
    share: 0.14,
    letters: 'ıüşçğöİâî',
    words: 've bir bu da de için ile ne o çok daha en gibi var olarak sonra kadar ama',
    foreign: 'qwx',
  },
  lithuanian: {
    encodings: baltic,
    share: 0.07,
    letters: 'ėšųžįąčūę',
    words: 'ir yra į iš kad su tai buvo jo kaip bet ar apie per dėl už o nuo pagal bus turi metų',
    foreign: 'qwx',
  },
  latvian: {
    encodings: baltic,
    share: 0.12,
    letters: 'āīšēņļūžčģķ',
    words: 'un ir ar no uz par kas ka tas bija bet vai kā pie pēc arī lai',
    foreign: 'qwxy',
  },
  sami: {
    encodings: ['iso-8859-10'],
    share: 0.08,
    letters: 'áđŋšŧžč',
    words: 'ja lea ii dat son leat go mii ahte',
    foreign: 'qwxy',
  },
  maltese: {
    encodings: ['iso-8859-3'],
    share: 0.06,
    letters: 'ħġżċàù',
    words: 'u ta li il fi ma kien huwa din dan għal għandu tal minn',
    foreign: 'cy',
  },
  esperanto: {
    encodings: ['iso-8859-3'],
    share: 0.03,
    letters: 'ĉŭĝŝĵĥ',
    words: 'la kaj de en estas ne al kiu por li mi pri kun ĝi el',
    foreign: 'qwxy',
  },
  welsh: {
    encodings: ['iso-8859-14', ...western],
    share: 0.01,
    letters: 'âŵêŷôîûäï',
    words: 'y yr yn a o i ar mae ei gan wedi am bod oedd ac',
    foreign: 'kqvxz',
  },
  vietnamese: {
    encodings: ['windows-1258'],
    share: 0.25,
    letters: '\u0301ô\u0300đê\u0323ưâơàă\u0309áéèíùúóý\u0303',
    words: 'và là của có một không được cho người trong những các với này đã ở',
    foreign: 'fjwz',
  },
  russian: {
    encodings: cyrillic,
    share: 0.98,
    letters: 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё',
    words: 'и в не на что я с как это по но за от он она из у к о же бы для мы вы так',
  },
  ukrainian: {
    encodings: ukrainian,
    share: 0.98,
    letters: 'оанивтіерслкудмпзябьгйчхшцїюжєщфґ',
    words: 'і в не на що я з як це до та за від він вона у по для ми ви а',
  },
  belarusian: {
    encodings: ukrainian,
    share: 0.98,
    letters: 'аніыеорктслудмяпвўзгбьйцчюжшхэфё',
    words: 'і ў не на што я з як гэта да за ад ён яна у па для мы вы а',
  },
  bulgarian: {
    encodings: cyrillic,
    share: 0.98,
    letters: 'аиоетнрсвлкдпмъзягбуйжчцхшщюфь',
    words: 'и в не на че с за да се от по е са си до това',
  },
  serbian: {
    encodings: cyrillic,
    share: 0.98,
    letters: 'аиоенрстјукдвмлпзгбцчћшжњхђљфџ',
    words: 'и у не на да се је су за од са као што до по',
  },
  macedonian: {
    encodings: cyrillic,
    share: 0.98,
    letters: 'аиоетнрсвдклпујмзгбшцчжќѓњљхфџѕ',
    words: 'и во не на да се е за од со што до по ги го',
  },
  greek: {
    encodings: greek,
    share: 0.98,
    letters: 'αοτειςνρίσκηπμλυόγάωδέήώχύθφβξζψϊϋΐΰ',
    words: 'και το η ο της του να με για τα στο στη είναι δεν που',
  },
  hebrew: {
    encodings: hebrew,
    share: 0.98,
    letters: 'יוהאלמתרבנשםעדחכקפזגסטןצךףץ',
    words: 'של את לא על זה עם הוא היא כי אם או גם יש אל מה',
  },
  arabic: {
    encodings: arabic,
    share: 0.98,
    letters: 'اليمنوترهبعدسفحكقةجشصىخطزذئغضأثإءظآؤ',
    words: 'في من على إلى أن ما لا هذا هو عن مع كان التي ثم أو',
  },
  persian: {
    encodings: ['windows-1256'],
    share: 0.98,
    letters: 'ايرندهمتوبسشکكزگفلخقعجحپآچطصضظغذژثئ',
    words: 'در به از كه را با است آن يك براي تا هم',
  },
  thai: {
    encodings: ['windows-874'],
    share: 0.98,
    letters: 'านร่อก้เงมั์ยลีวิดทสื็ตุะปบคหูแำจพโชขใไึถศธผซณฐภฉฝฟ',
  },
};
