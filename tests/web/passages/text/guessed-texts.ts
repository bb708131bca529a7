// Short texts in many languages, with the encodings in which they were saved before UTF-8 (by the names of iconv). Written for
// these tests.

interface GuessedText {
  readonly text: string;
  /** The name of each encoding in iconv, and the one that is reported: that of a more usual encoding with the same characters,
   *  if there is one. */
  readonly encodings: readonly (readonly [iconv: string, reported: string])[];
}

export const guessedTexts: readonly GuessedText[] = [
  {
    text: 'Přišel večer a měsíc svítil nad řekou. Žádný člověk už nebyl venku.',
    encodings: [
      ['cp1250', 'windows-1250'],
      ['iso-8859-2', 'iso-8859-2'],
      ['cp852', 'ibm852'],
    ],
  },
  {
    text: 'Ryšavá kočka spí na peci, ťuká jí déšť do okna.',
    encodings: [
      ['cp1250', 'windows-1250'],
      ['iso-8859-2', 'iso-8859-2'],
    ],
  },
  {
    text: 'Zażółć gęślą jaźń, mówił dziadek, a wnuki się śmiały.',
    encodings: [
      ['cp1250', 'windows-1250'],
      ['iso-8859-2', 'iso-8859-2'],
      ['cp852', 'ibm852'],
    ],
  },
  {
    text: 'Ľubomír kúpil v meste štyri žemle a jeden koláč.',
    encodings: [
      ['cp1250', 'windows-1250'],
      ['iso-8859-2', 'iso-8859-2'],
    ],
  },
  {
    text: 'A kőműves hűs vizet ivott, és körülnézett a mező szélén.',
    encodings: [
      ['cp1250', 'windows-1250'],
      ['iso-8859-2', 'windows-1250'],
      ['cp852', 'ibm852'],
    ],
  },
  {
    text: 'Şeful gării a plecat în sat şi a lăsat uşa deschisă câţiva paşi.',
    encodings: [
      ['cp1250', 'windows-1250'],
      ['iso-8859-2', 'windows-1250'],
    ],
  },
  {
    text: 'Čamac je čekao na obali, a žaba je šutjela u šašu.',
    encodings: [
      ['cp1250', 'windows-1250'],
      ['iso-8859-2', 'iso-8859-2'],
    ],
  },
  {
    text: 'Yağmur dindi, çocuklar bahçede oynuyor. Güneş dağın ardında kaldı.',
    encodings: [
      ['cp1254', 'windows-1254'],
      ['cp857', 'ibm857'],
    ],
  },
  {
    text: 'İstanbul’da kışın kar yağışı çok güzel oluyor.',
    encodings: [['cp1254', 'windows-1254']],
  },
  {
    text: 'Žvejas grįžo namo su pilna valtimi žuvų, o žmona jau laukė prie durų.',
    encodings: [
      ['cp1257', 'windows-1257'],
      ['iso-8859-13', 'windows-1257'],
      ['cp775', 'ibm775'],
    ],
  },
  {
    text: 'Mežā aug ēnas, un putni klusē. Ķirši šogad ir ļoti saldi.',
    encodings: [
      ['cp1257', 'windows-1257'],
      ['iso-8859-13', 'windows-1257'],
      ['iso-8859-4', 'iso-8859-4'],
    ],
  },
  {
    text: 'Öö oli külm ja tähed särasid järve kohal.',
    encodings: [['iso-8859-15', 'windows-1252']],
  },
  {
    text: 'Над рекой стоял туман, и лодки медленно плыли к берегу.',
    encodings: [
      ['cp1251', 'windows-1251'],
      ['koi8-r', 'koi8-r'],
      ['cp866', 'ibm866'],
      ['iso-8859-5', 'iso-8859-5'],
      ['maccyrillic', 'x-mac-cyrillic'],
    ],
  },
  {
    text: 'ВНИМАНИЕ: ДВЕРЬ НЕ ОТКРЫВАТЬ',
    encodings: [
      ['cp1251', 'windows-1251'],
      ['koi8-r', 'koi8-r'],
      ['cp866', 'ibm866'],
    ],
  },
  {
    text: 'Їжачок знайшов яблуко під старою грушею і поніс його додому.',
    encodings: [
      ['cp1251', 'windows-1251'],
      ['koi8-u', 'koi8-u'],
      ['iso-8859-5', 'iso-8859-5'],
    ],
  },
  { text: 'Заўтра мы пойдзем у лес па ягады і грыбы.', encodings: [['cp1251', 'windows-1251']] },
  {
    text: 'Щъркелът се върна в гнездото си на покрива.',
    encodings: [
      ['cp1251', 'windows-1251'],
      ['iso-8859-5', 'iso-8859-5'],
    ],
  },
  {
    text: 'Љубав је као река, тече и не пита где је море. Ђак чека воз.',
    encodings: [
      ['cp1251', 'windows-1251'],
      ['iso-8859-5', 'iso-8859-5'],
    ],
  },
  { text: 'Ѓорѓи го чека возот за Скопје веќе цел час.', encodings: [['cp1251', 'windows-1251']] },
  {
    text: 'Το καράβι έφυγε νωρίς το πρωί και η θάλασσα ήταν ήρεμη.',
    encodings: [
      ['cp1253', 'windows-1253'],
      ['iso-8859-7', 'windows-1253'],
      ['cp737', 'ibm737'],
    ],
  },
  {
    text: 'Άνοιξε το παράθυρο, Άννα.',
    encodings: [
      ['cp1253', 'windows-1253'],
      ['iso-8859-7', 'iso-8859-7'],
    ],
  },
  {
    text: 'הילדים משחקים בחצר ליד העץ הגדול.',
    encodings: [
      ['cp1255', 'windows-1255'],
      ['iso-8859-8', 'windows-1255'],
    ],
  },
  {
    text: 'ذهب الولد إلى السوق واشترى خبزا وتفاحا.',
    encodings: [
      ['cp1256', 'windows-1256'],
      ['iso-8859-6', 'iso-8859-6'],
    ],
  },
  { text: 'แม่น้ำไหลผ่านหมู่บ้านไปสู่ทะเล', encodings: [['cp874', 'windows-874']] },
  {
    text: 'Buổi sáng trời mưa nhỏ, và người dân ra chợ sớm.',
    encodings: [['cp1258', 'windows-1258']],
  },
  {
    text: 'Die Mühle steht am Bächlein, und größere Häuser gibt es nicht.',
    encodings: [
      ['cp1252', 'windows-1252'],
      ['macintosh', 'macintosh'],
      ['cp850', 'ibm850'],
    ],
  },
  {
    text: 'L’été dernier, nous avons mangé des crêpes près du château.',
    encodings: [
      ['cp1252', 'windows-1252'],
      ['macintosh', 'macintosh'],
    ],
  },
  {
    text: 'El niño soñó con montañas y después despertó. ¿Qué hora será?',
    encodings: [
      ['cp1252', 'windows-1252'],
      ['macintosh', 'macintosh'],
      ['cp850', 'ibm850'],
    ],
  },
  {
    text: 'O pão de ontem já não está bom, mas as maçãs são doces.',
    encodings: [
      ['cp1252', 'windows-1252'],
      ['macintosh', 'macintosh'],
    ],
  },
  {
    text: 'Hún sá að þoka lá yfir firðinum, og ærnar voru komnar heim.',
    encodings: [['cp1252', 'windows-1252']],
  },
  {
    text: 'Blåbærene i åsen er søte når høsten kommer.',
    encodings: [
      ['cp1252', 'windows-1252'],
      ['cp850', 'ibm850'],
    ],
  },
  {
    text: 'Die Brücke ist fertig und kostet 300 €.',
    encodings: [
      ['iso-8859-15', 'iso-8859-15'],
      ['cp1252', 'windows-1252'],
    ],
  },
  {
    text: 'Ĉiu ĝardeno havas sian ĵaluzan kaj ŝercan birdon.',
    encodings: [['iso-8859-3', 'iso-8859-3']],
  },
  {
    text: 'Iż-żiemel mar il-ħanut u xtara ċirasa għal ommu.',
    encodings: [['iso-8859-3', 'iso-8859-3']],
  },
  {
    text: "Y tŷ yn y goedwig a'r dŵr oer wrth y môr.",
    encodings: [['iso-8859-14', 'iso-8859-14']],
  },
  {
    text: '川のそばに古い水車があります。',
    encodings: [
      ['shift_jis', 'shift_jis'],
      ['euc-jp', 'euc-jp'],
      ['iso-2022-jp', 'iso-2022-jp'],
    ],
  },
  { text: '東京駅', encodings: [['shift_jis', 'shift_jis']] },
  {
    text: 'カメラとテレビを買いました',
    encodings: [
      ['shift_jis', 'shift_jis'],
      ['euc-jp', 'euc-jp'],
    ],
  },
  { text: '河边有一座老磨坊，孩子们常去那里玩。', encodings: [['gb18030', 'gb18030']] },
  { text: '河邊有一座老磨坊，孩子們常去那裡玩。', encodings: [['big5', 'big5']] },
  { text: '강가에 오래된 물레방아가 하나 있습니다.', encodings: [['euc-kr', 'euc-kr']] },
];

/** Other texts, such as those of shops and contracts, with the encodings that keep them. */
export const phrases: readonly (readonly [text: string, encodings: readonly string[]])[] = [
  ['Tento dokument byl schválen radou města dne 5. května.', ['cp1250', 'iso-8859-2', 'cp852']],
  ['Umowa została zawarta w Łodzi pomiędzy stronami.', ['cp1250', 'iso-8859-2', 'cp852']],
  ['Tisztelt Ügyfelünk! Köszönjük a megrendelését.', ['cp1250', 'iso-8859-2', 'cp852']],
  ['Obchod je otvorený každý deň od ôsmej.', ['cp1250', 'iso-8859-2']],
  [
    'Hiša stoji ob cesti, ključ pa je pri sosedu. Čez dan je zaprto.',
    ['cp1250', 'iso-8859-2', 'cp852'],
  ],
  ['Hotărârea a fost luată în şedinţa de ieri.', ['cp1250', 'iso-8859-2']],
  ['Müşteri hizmetleri için lütfen aşağıdaki numarayı arayınız.', ['cp1254', 'cp857']],
  ['Ürün kodu: 123, açıklama: kırmızı ışık', ['cp1254']],
  ['Sutartis įsigalioja nuo pasirašymo dienos ir galioja metus.', ['cp1257', 'iso-8859-13']],
  ['Līgums stājas spēkā no parakstīšanas dienas.', ['cp1257', 'iso-8859-13', 'cp775']],
  [
    'Lepingu tähtaeg on üks aasta, mõlemad pooled võivad selle lõpetada.',
    ['cp1257', 'iso-8859-15'],
  ],
  ['Договор вступает в силу с момента подписания.', ['cp1251', 'koi8-r', 'cp866', 'iso-8859-5']],
  ['Привет, как дела?', ['cp1251', 'koi8-r', 'cp866']],
  ['Товар: чайник, цена: 900 руб.', ['cp1251', 'koi8-r', 'cp866']],
  ['Ціна: 500 грн, доставка у відділення пошти', ['cp1251', 'koi8-u']],
  ['Добър ден, поръчката ви е изпратена.', ['cp1251']],
  ['Уговор ступа на снагу даном потписивања.', ['cp1251', 'iso-8859-5']],
  ['Καλημέρα σας, η παραγγελία σας στάλθηκε.', ['cp1253', 'iso-8859-7', 'cp737']],
  ['שלום רב, ההזמנה שלך נשלחה.', ['cp1255', 'iso-8859-8']],
  ['مرحبا، تم إرسال طلبك اليوم.', ['cp1256', 'iso-8859-6']],
  ['ขอบคุณสำหรับการสั่งซื้อสินค้า', ['cp874']],
  [
    'Sehr geehrte Damen und Herren, bitte prüfen Sie die Rechnung.',
    ['cp1252', 'macintosh', 'cp850'],
  ],
  ['Größe: 12, Farbe: grün', ['cp1252', 'macintosh', 'cp850']],
  ['Facture réglée à réception', ['cp1252', 'macintosh', 'cp850']],
  ['Dirección: calle del Álamo, nº 5', ['cp1252', 'macintosh']],
  ['Informação sobre a sua reserva: não é possível alterar.', ['cp1252', 'cp850']],
  ['Perché è così? La città è più bella.', ['cp1252', 'macintosh', 'cp850']],
  ['Räksmörgås på ön är gott.', ['cp1252', 'macintosh', 'cp850']],
  ['Ærlighed varer længst, også på øen.', ['cp1252', 'macintosh', 'cp850']],
  ['Þetta er stutt setning á íslensku.', ['cp1252']],
  ['“Smart quotes” — and dashes… it’s all here.', ['cp1252', 'macintosh']],
  ['Price: £5 or €6 – 20° outside', ['cp1252']],
  ['ご注文ありがとうございます。', ['shift_jis', 'euc-jp']],
  ['会社概要', ['shift_jis', 'euc-jp']],
  ['商品名：赤い帽子、価格：３０００円', ['shift_jis', 'euc-jp']],
  ['感谢您的订购，商品已经发货。', ['gb18030']],
  ['产品名称：红色帽子', ['gb18030']],
  ['感謝您的訂購，商品已經寄出。', ['big5']],
  ['產品名稱：紅色帽子', ['big5']],
  ['주문해 주셔서 감사합니다.', ['euc-kr']],
  ['제품명: 빨간 모자', ['euc-kr']],
  ['Đơn hàng của bạn đã được gửi đi.', ['cp1258']],
  ['Naïve façade, coöperate, résumé, jalapeño', ['cp1252', 'macintosh']],
  ['José;São Paulo Zoë;Köln', ['cp1252', 'macintosh']],
];
