import { expect } from 'chai';
import { EntryNames } from '../../src/domain/archive/entry-names.ts';
import { entryTime } from '../../src/domain/archive/entry-time.ts';
import { Calendar } from '../../src/domain/image/time/calendar.ts';
import { utf8Length } from '../../src/domain/image/utf8-length.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { NO_SUMMARY } from '../support/fixtures/no-summary.ts';

function namesOf(...originalNames: readonly string[]): readonly string[] {
  const names = new EntryNames();
  return originalNames.map((originalName) => names.nameOf(newImage({ originalName })));
}

describe('EntryNames', () => {
  for (const [title, names, expected] of [
    ['keeps names that differ', ['a.jpg', 'b.jpg'], ['a.jpg', 'b.jpg']],
    [
      'numbers equal names behind the first',
      ['a.jpg', 'a.jpg', 'a.jpg'],
      ['a.jpg', 'a (2).jpg', 'a (3).jpg'],
    ],
    [
      'ignores case',
      ['A.jpg', 'a.JPG', 'Straße.jpg', 'STRASSE.jpg'],
      ['A.jpg', 'a (2).JPG', 'Straße.jpg', 'STRASSE (2).jpg'],
    ],
    ['composes characters', ['e\u0301.jpg', '\u00e9.jpg'], ['\u00e9.jpg', '\u00e9 (2).jpg']],
    [
      'numbers around names that have a number',
      ['a (2).jpg', 'a.jpg', 'a.jpg'],
      ['a (2).jpg', 'a.jpg', 'a (3).jpg'],
    ],
    [
      'numbers a name that a number has taken',
      ['a.jpg', 'a.jpg', 'a (2).jpg'],
      ['a.jpg', 'a (2).jpg', 'a (2) (2).jpg'],
    ],
    ['appends the extension of the bytes', ['a.html', 'a', '.jpg'], ['a.html.jpg', 'a.jpg', '.jpg.jpg']],
    ['replaces what some systems take for folders and drives', ['a/b\\c:d\u0007.jpg'], ['a_b_c_d_.jpg']],
  ] as const) {
    it(title, () => {
      expect(namesOf(...names)).to.deep.equal(expected);
    });
  }

  it('makes names of at most 255 bytes, of whole characters', () => {
    const long = `${'😺'.repeat(62)}.jpg`;
    const names = namesOf(long, long, 'x'.repeat(255));
    expect(names).to.deep.equal([long, `${'😺'.repeat(61)} (2).jpg`, `${'x'.repeat(251)}.jpg`]);
    expect(names.every((name) => utf8Length(name) <= 255)).to.equal(true);
  });

  it('counts the numbers of names that are equal once they are cut', () => {
    const long = (end: string): string => `${'x'.repeat(248)}${end}.jpg`;
    const numbered = (number: number): string => `${'x'.repeat(247)} (${number}).jpg`;
    expect(namesOf(long('one'), long('two'), long('one'), long('two'), long('two'))).to.deep.equal([
      long('one'),
      long('two'),
      numbered(2),
      numbered(3),
      numbered(4),
    ]);
    expect(namesOf(long('one'), long('one'), `${'x'.repeat(247)}.jpg`, long('one')).slice(2)).to.deep.equal([
      `${'x'.repeat(247)}.jpg`,
      numbered(3),
    ]);
  });

  for (const [title, nameAt] of [
    [
      'are equal once they are cut',
      (at) =>
        `${'x'.repeat(248)}${String(at >> 1)
          .padStart(4, '0')
          .slice(1)}.jpg`,
    ],
    [
      'differ in case and composition',
      (at) => `${'\u00dfe\u0301'.repeat(60)}${at % 2 === 0 ? 's' : 'S'}.jpg`,
    ],
    ['grow when they are composed', (at) => `${'\u{1d164}'.repeat(61)}${at % 7}.jpg`],
    [
      'are those of numbers',
      (at) => (at < 2_500 ? `a (${2_501 - at}).jpg` : `${at % 2 === 0 ? 'a' : 'A'}.jpg`),
    ],
    ['have the numbers of others', (at) => `a${' (2)'.repeat(at % 60)}.jpg`],
  ] as const satisfies ReadonlyArray<readonly [string, (at: number) => string]>) {
    it(`has work in proportion to 5000 names that ${title}`, () => {
      const compared = countCalls(String.prototype, 'normalize', () => {
        const names = namesOf(...Array.from({ length: 5_000 }, (_, at) => nameAt(at)));
        const distinct = new Set(names.map((name) => name.toUpperCase().toLowerCase().normalize('NFC')));
        expect(distinct.size).to.equal(5_000);
        expect(names.every((name) => utf8Length(name) <= 255 && name === name.normalize('NFC'))).to.equal(
          true,
        );
      });
      expect(compared).to.be.lessThan(100_000);
    });
  }
});

/** How often a method is called while `run` runs. */
function countCalls(prototype: typeof String.prototype, method: 'normalize', run: () => void): number {
  const original = prototype[method];
  let calls = 0;
  prototype[method] = function counted(this: string, ...form: readonly string[]): string {
    calls += 1;
    return original.apply(this, form as []);
  };
  try {
    run();
  } finally {
    prototype[method] = original;
  }
  return calls;
}

describe('entryTime', () => {
  const createdAt = new Date('2026-01-31T12:00:00.500Z');

  for (const [title, takenAt, zone, instant, face = instant] of [
    ['is that of the picture', '2019-07-01T14:30:10.000+02:00', 'UTC', '2019-07-01T12:30:10.000Z'],
    [
      'has the clock face of the catalog',
      '2019-07-01T12:30:10.000Z',
      'Asia/Tokyo',
      '2019-07-01T12:30:10.000Z',
      '2019-07-01T21:30:10.000Z',
    ],
    [
      'reads a time without an offset in the zone of the catalog',
      '2019-07-01T14:30:10.000',
      'Europe/Berlin',
      '2019-07-01T12:30:10.000Z',
      '2019-07-01T14:30:10.000Z',
    ],
    ['is that of the upload for a picture without one', null, 'UTC', createdAt.toISOString()],
    ['begins in 1980', '0001-01-01T00:00:00.000Z', 'UTC', '1980-01-01T00:00:00.000Z'],
    ['ends in 2107', '9999-12-31T23:59:59.999Z', 'UTC', '2107-12-31T23:59:58.000Z'],
  ] as const) {
    it(title, () => {
      const time = entryTime(
        {
          ...newImage(),
          id: 1,
          createdAt,
          ...NO_SUMMARY,
          takenAt,
          createdBy: null,
        },
        new Calendar(zone),
      );
      expect([time.instant, time.local].map((ms) => new Date(ms).toISOString())).to.deep.equal([
        instant,
        face,
      ]);
    });
  }
});
