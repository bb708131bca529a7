// Knows the fields that hold the title of a record, by their names in many languages.

/** Titles and names. A field may also have one of these as its last word, such as `product_name`. */
const titles = new Set(
  `title name heading headline subject label caption question topic
  titel überschrift bezeichnung betreff frage thema
  titre nom intitulé intitule sujet objet libellé libelle
  título titulo nombre asunto encabezado nome assunto titolo oggetto
  naam onderwerp kop namn rubrik ämne navn tittel overskrift emne
  otsikko nimi aihe tytuł tytul nazwa temat imię nazwisko název nazev název jméno předmět nadpis názov meno
  cím név tárgy titlu nume denumire subiect naslov naziv ime predmet
  başlık baslik ad adı isim konu pavadinimas vardas antraštė nosaukums virsraksts vārds pealkiri nimetus
  название имя заголовок наименование тема назва заголовок ім'я найменування заглавие име наслов назив
  τίτλος όνομα θέμα כותרת שם العنوان عنوان الاسم اسم نام शीर्षक नाम ชื่อ หัวข้อ tiêu-đề tên judul nama
  タイトル 題名 名前 名称 氏名 件名 見出し 商品名 製品名 标题 標題 名称 名稱 名字 姓名 题目 品名 产品名称 產品名稱 제목 이름 명칭 상품명`
    .split(/\s+/)
    .filter(Boolean),
);
/** What a name names that is no title. */
const technical = new Set(
  'file user host class column path domain image type field variable'.split(' '),
);
/** Names of fields are looked up so often that what they are is remembered, up to so many. */
const maxKnown = 4096;
const known = new Map<string, boolean>();

/** Whether the field has the title or the name of what the record is about. */
export function isTitleField(field: string): boolean {
  const found = known.get(field);
  if (found !== undefined) {
    return found;
  }
  const isTitle = isTitleName(field);
  if (known.size < maxKnown) {
    known.set(field, isTitle);
  }
  return isTitle;
}

function isTitleName(field: string): boolean {
  if (field.length > 64) {
    return false;
  }
  const words = field
    .normalize('NFC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[\s_.:-]+/u)
    .filter(Boolean);
  const whole = words.join('-');
  const before = words.at(-2) ?? '';
  return titles.has(whole) || (titles.has(words.at(-1) ?? '') && !technical.has(before));
}
