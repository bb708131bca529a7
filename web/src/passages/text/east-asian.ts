// Scores how well a text fits a language of East Asia, in the costs of letter-costs.ts. A character is two bytes, which are
// two letters in other encodings.

export interface EastAsian {
  readonly encodings: readonly string[];
  /** Characters that most of a text consists of. */
  readonly common: string;
  /** The scripts of the language. */
  readonly script: RegExp;
}

const kana = 6;
const hiragana = 4.7;
const commonCharacter = 6;
const otherCharacter = 9.5;
const punctuation = 5;
const halfwidth = 9;
/** Signs and scripts that such texts seldom have. */
const strange = 13;
const asciiLetter = 4.5;

export const eastAsian: readonly EastAsian[] = [
  {
    encodings: ['shift_jis', 'euc-jp'],
    script: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
    common:
      '日一国人年大十二本中長出三時行見月後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語土木聞食車何南万毎白天母火右読友左休父雨会同事自社発者地業方新場員立開手力問代明動京目通言理体田主題意不作用度強公持野以思家世多正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終台広住真有口少町料工建空急止送切転研足究楽起着店病質待試族銀早映親験英医仕去味写字答夜音注帰古歌買悪図週室歩風紙黒花春赤青館屋色走秋夏習駅洋旅服借飲肉堂鳥飯勉冬昼茶牛魚犬漢猫章好',
  },
  {
    encodings: ['gb18030'],
    script: /\p{Script=Han}/u,
    common:
      '的一是不了在人有我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战接它许八特觉望直服林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火',
  },
  {
    encodings: ['big5'],
    script: /\p{Script=Han}/u,
    common:
      '的一是不了在人有我他這中大來上個國到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可她裡後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實回二理美點月明其種聲全工己話兒者向情部正名定女問力機給等幾很業最間新什打便位因重被走電四第門相次東政海口使教西再平真聽世氣信北少關並內加化由卻代軍產入先山五太水萬市眼體別處總才場師書比住員九笑性通目華報立馬命張活難神數件安表原車白應路期叫死常提感金何更反合放做系計或司利受光王果親界及今京務制解各任至清物台象記邊共風戰接它許八特覺望直服林題建南度統色字請交愛讓認算論百吃義科怎元社術結六功指思非流每青管夫連遠資隊跟帶花快條院變聯言權往展該領傳近留紅治決周保達辦運武半候七必城父強步完革深區即求品士轉量空甚眾技輕程告江語英基派滿式李息寫呢識極令黃德收臉錢黨倒未持取設始版雙歷越史商千片容研像找友孩站廣改議形委早房音火',
  },
  {
    encodings: ['euc-kr'],
    script: /\p{Script=Hangul}/u,
    common:
      '이다는에의을를가은하고지한로기도사서으시어리나인자대해들그아있정수일전부상보여원구제주과만장라성관동소오스생각면것유무문공화비내적신회중미위연경안개국실업교용체계조마방차발거세선물분트할게했습니까입였없때더말음간모두본진산행결요던린학월년늘날씨좋집람책물밥길눈물강',
  },
];

/** The cost of a text. */
export function eastAsianCost(
  text: string,
  { common, script }: Omit<EastAsian, 'encodings'>,
): number {
  const frequent = new Set(common);
  const isJapanese = script.test('の');
  let cost = 0;
  let wasAscii = false;
  let wasEastAsian = false;
  for (const sign of text) {
    const isAscii = /[A-Za-z]/.test(sign);
    const isEastAsian = sign > '\u007f';
    if (isAscii) {
      cost += asciiLetter;
    } else if (isEastAsian) {
      cost += signCost(sign);
    }
    if ((isAscii && wasEastAsian) || (isEastAsian && wasAscii)) {
      cost += 1.5;
    }
    [wasAscii, wasEastAsian] = [isAscii, isEastAsian];
  }
  return cost;

  function signCost(sign: string): number {
    if (frequent.has(sign)) {
      return commonCharacter;
    }
    if (isJapanese && sign >= '\u3041' && sign <= '\u30ff') {
      return sign <= '\u309f' ? hiragana : kana;
    }
    if (/[\u3000-\u3003\u3005-\u3017\uff01-\uff0f\uff1a-\uff20\u2010-\u2026]/.test(sign)) {
      return punctuation;
    }
    if (/[\uff10-\uff5e]/.test(sign) || (isJapanese && /[\uff61-\uff9f]/.test(sign))) {
      return halfwidth;
    }
    // Rare characters and those of private use are not in these ranges.
    return script.test(sign) && /[\u4e00-\u9fff\uac00-\ud7a3]/.test(sign)
      ? otherCharacter
      : strange;
  }
}
