import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { german } from '../../../web/src/app/german/german.ts';
import { commonTexts } from '../../../web/src/languages/common-texts.ts';
import { formatsOf } from '../../../web/src/languages/formats-of.ts';
import { Language, type Languages } from '../../../web/src/languages/language.ts';
import { setTexts } from '../../../web/src/languages/texts.ts';
import { valueRefusal } from '../../../web/src/panel/value-refusal.ts';
import { failureText } from '../../../web/src/states/failure-text.ts';
import { Gate, settled } from '../../support/time/gate.ts';
import { ManualTime } from '../../support/time/manual-time.ts';
import { storageOf } from '../doubles/storage.ts';

/** Where the device keeps the choice. */
const KEY = 'image-catalog.language';
const SOURCES = join(import.meta.dirname, '../../../web/src');

const LANGUAGES = {
  en: { name: 'English', load: async () => ({}) },
  de: { name: 'Deutsch', load: async () => german },
};

describe('the language of the gallery', () => {
  afterEach(() => setTexts({}));

  const cases: ReadonlyArray<
    readonly [preferred: readonly string[], saved: string | undefined, code: string]
  > = [
    [['de-AT', 'en'], undefined, 'de'],
    [['fr', 'de', 'en'], undefined, 'de'],
    [['en-GB', 'de'], undefined, 'en'],
    [['fr-FR'], undefined, 'en'],
    [[], undefined, 'en'],
    [['de'], 'en', 'en'],
    [['en'], 'de', 'de'],
    [['de'], 'fr', 'de'],
  ];
  for (const [preferred, saved, code] of cases) {
    it(`is ${code} for a browser that prefers ${preferred.join()}, with ${saved ?? 'nothing'} chosen`, async () => {
      const storage = storageOf(new Map(saved === undefined ? [] : [[KEY, saved]]));
      const language = new Language(LANGUAGES, preferred, storage, new ManualTime());
      await language.ready;
      expect(language.current.get()).to.equal(code);
      expect(commonTexts().trash).to.equal(code === 'de' ? 'Papierkorb' : 'Trash');
    });
  }

  it('is remembered when it is chosen, unless it is what the browser prefers', async () => {
    const kept = new Map<string, string>();
    const language = new Language(LANGUAGES, ['en'], storageOf(kept), new ManualTime());
    await language.ready;

    await language.choose('de');
    expect(commonTexts().trash).to.equal('Papierkorb');
    expect([...kept]).to.deep.equal([[KEY, 'de']]);

    await language.choose('en');
    expect([...kept]).to.deep.equal([]);
  });

  it('is English after 3 s without its texts, until they are there', async () => {
    const time = new ManualTime();
    const gate = new Gate();
    const language = new Language(slowGerman(gate), ['de'], undefined, time);
    let isReady = false;
    void language.ready.then(() => {
      isReady = true;
    });
    await time.settle(2999);
    expect(isReady).to.equal(false);

    await time.settle(1);
    expect([isReady, language.current.get()]).to.deep.equal([true, 'en']);

    gate.open();
    await settled();
    expect([language.current.get(), commonTexts().trash]).to.deep.equal(['de', 'Papierkorb']);
  });

  it('stays what was chosen meanwhile when slow texts of another arrive', async () => {
    const gate = new Gate();
    const language = new Language(slowGerman(gate), ['de'], undefined, new ManualTime());
    await language.choose('en');

    gate.open();
    await settled();

    expect([language.current.get(), commonTexts().trash]).to.deep.equal(['en', 'Trash']);
  });

  it('is announced after its texts are there', async () => {
    const language = new Language(LANGUAGES, ['en'], undefined, new ManualTime());
    await language.ready;
    const seen: unknown[] = [];
    language.current.subscribe(() => seen.push(commonTexts().trash));
    await language.choose('de');
    expect(seen).to.deep.equal(['Papierkorb']);
  });
});

function slowGerman(gate: Gate): Languages {
  const load = async (): Promise<typeof german> => {
    await gate.opened;
    return german;
  };
  return { ...LANGUAGES, de: { ...LANGUAGES.de, load } };
}

describe('German', () => {
  const english = new Map<string, unknown>();

  before(async () => {
    for (const name of await readdir(SOURCES, { recursive: true })) {
      if (!name.endsWith('-texts.ts')) continue;
      const file = (await import(join(SOURCES, name))) as Readonly<
        Record<string, { readonly english: unknown }>
      >;
      for (const [value, room] of Object.entries(file)) {
        const key = value.replace(/Texts$/, '');
        english.set(key, room.english);
        expect(await readFile(join(SOURCES, name), 'utf8')).to.include(`${value} = roomTexts('${key}', {`);
      }
    }
  });

  afterEach(() => setTexts({}));

  it('has the texts of every room', () => {
    expect(Object.keys(german).toSorted()).to.deep.equal(['formats', ...english.keys()].toSorted());
  });

  it('has other words than English, except for words that both share', () => {
    const shared = [
      'Details',
      'Original, 1',
      'Links',
      'Uploads',
      'Format',
      'Copyright',
      'Filter',
      'System',
      'N',
      'S',
      'W',
    ];
    const [englishTexts, germanTexts] = [leavesOf(Object.fromEntries(english)), leavesOf(german)];
    const same = [...germanTexts].filter(
      ([path, text]) => /\p{L}{2}/u.test(text) && englishTexts.get(path) === text,
    );
    expect(same.map(([, text]) => text).filter((text) => !shared.includes(text))).to.deep.equal([]);
  });

  it('addresses no person', () => {
    const addressing = [...leavesOf(german).values()].filter((text) =>
      /\b(du|dein\w*|dich|dir|Sie|Ihr\w*|Ihnen)\b/.test(text),
    );
    expect(addressing).to.deep.equal([]);
  });

  it('has a space before an ellipsis that stands for words', () => {
    expect([...leavesOf(german).values()].filter((text) => /\p{L}…/u.test(text))).to.deep.equal([]);
  });

  it('has words for what the service says in English', () => {
    setTexts(german);
    const failed = { kind: 'failed', message: 'No', requestId: 'r1' } as const;

    expect(failureText({ ...failed, code: 'internal_error' })).to.equal(
      'Im Katalog ist ein Fehler aufgetreten. Anfrage r1.',
    );
    expect(failureText({ ...failed, code: 'toString' })).to.equal('Der Katalog meldet: No. Anfrage r1.');
    expect(failureText({ kind: 'too_many_changes', retryAfterMs: 86_400_000 })).to.match(
      /Bis \d\d\.\d\d\.\d{4}, \d\d:\d\d wird/,
    );
    expect(valueRefusal('may have at most 200 characters')).to.equal('Höchstens 200 Zeichen sind erlaubt');
    expect(valueRefusal('may not be blank')).to.equal('Das Feld darf nicht leer sein');
    expect(valueRefusal('must be even')).to.equal('must be even');
  });

  it('has forms for one and for several', () => {
    expect(german.common.pictures(1)).to.equal('1 Bild');
    expect(german.common.pictures(12_345)).to.equal('12.345 Bilder');
    expect(german.selection.progress(3, 1200)).to.equal('3 von 1.200 Bildern');
    expect(german.upload.skippedHeic(1)).to.equal('1 davon ist ein HEIC-Bild: als JPEG exportieren');
  });
});

describe('formats of a language', () => {
  const formats = formatsOf('de');

  it('write numbers, sizes, dates and lists', () => {
    expect(formats.number(1_234_567.8)).to.equal('1.234.568');
    expect(formats.decimal(12.34)).to.equal('12,3');
    expect(formats.size(1_400_000)).to.equal('1,4 MB');
    expect(formats.period('2026')).to.equal('2026');
    expect(formats.period('2026-05')).to.equal('Mai 2026');
    expect(formats.period('2026-05-03')).to.equal('3. Mai 2026');
    expect(formats.time('2026-05-03T14:03:22Z')).to.equal('03.05.2026, 14:03:22');
    expect(formats.list(['a', 'b', 'c'])).to.equal('a, b und c');
    expect(formats.months[2]).to.equal('märz');
  });

  it('have as many digits in sizes as are worth reading', () => {
    const { size } = formatsOf('en-GB');
    expect([999, 1400, 141_000, 12_345_678, 3e9].map(size)).to.deep.equal([
      '999 bytes',
      '1.4 kB',
      '141 kB',
      '12.3 MB',
      '3.0 GB',
    ]);
  });

  it('fall back to the form for all other counts', () => {
    const arabic = formatsOf('ar-u-nu-latn').plural({ two: 'two', other: 'other #' });
    expect([2, 5].map(arabic)).to.deep.equal(['two', 'other 5']);
  });
});

/** Every text by its path; functions are called with 1. */
function leavesOf(value: unknown, path = ''): Map<string, string> {
  if (typeof value === 'string') return new Map([[path, value]]);
  if (typeof value !== 'object' || value === null || path === '.formats' || path === '.shortcuts.sections') {
    return new Map();
  }
  return new Map(Object.entries(value).flatMap(([key, inner]) => [...leavesOf(inner, `${path}.${key}`)]));
}
