import { expect } from 'chai';
import * as fc from 'fast-check';
import { Calendar } from '../../../src/domain/image/time/calendar.ts';
import { german } from '../../../web/src/app/german/german.ts';
import { setTexts } from '../../../web/src/languages/texts.ts';
import { boundsLabel } from '../../../web/src/search/bounds-label.ts';
import { rangeLabel } from '../../../web/src/search/date-label.ts';
import { boundsOf, type DateRange, rangeOf, rangeOfPeriod } from '../../../web/src/search/date-range.ts';
import { suggestDates } from '../../../web/src/search/date-suggestions.ts';
import { dayIn, midnightOf } from '../../../web/src/search/zoned-midnight.ts';
import { parseViewState } from '../../../web/src/view-state/view-state.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Asia/Kathmandu', 'Pacific/Apia', 'Africa/Cairo'];

const zone = fc.constantFrom(...ZONES);
const day = fc
  .date({ min: new Date('1925-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('a day of the catalog', () => {
  it('begins when the service says it does', () => {
    fc.assert(
      fc.property(day, zone, (date, timeZone) => {
        const end = new Calendar(timeZone).endOf('day', Number(date.replaceAll('-', '')));
        const next = new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
        expect(midnightOf(next, timeZone).instant).to.equal(end);
      }),
    );
  });

  it('begins when the clocks are set forward if they skip midnight', () => {
    const { instant } = midnightOf('2018-11-04', 'America/Sao_Paulo');
    expect(new Date(instant).toISOString()).to.equal('2018-11-04T03:00:00.000Z');
  });

  it('is that of the zone, not of UTC', () => {
    expect(dayIn('Asia/Tokyo', Date.parse('2026-05-31T18:00:00Z'))).to.equal('2026-06-01');
    expect(dayIn('America/Lima', Date.parse('2026-06-01T02:00:00Z'))).to.equal('2026-05-31');
  });
});

describe('bounds of dates', () => {
  it('are exclusive, in the offset of the zone at either end', () => {
    expect(boundsOf(rangeOfPeriod('2026-03'), 'Europe/Berlin')).to.deep.equal({
      takenAfter: '2026-02-28T23:59:59.999+01:00',
      takenBefore: '2026-04-01T00:00:00+02:00',
    });
    expect(boundsOf({ from: undefined, until: '2019-12-31' }, 'UTC')).to.deep.equal({
      takenAfter: undefined,
      takenBefore: '2020-01-01T00:00:00Z',
    });
  });

  it('are understood by the address bar, and name their days again', () => {
    const side = fc.option(day, { nil: undefined });
    fc.assert(
      fc.property(side, side, zone, (from, until, timeZone) => {
        const bounds = boundsOf({ from, until }, timeZone);
        const { takenAfter, takenBefore } = parseViewState(
          new URLSearchParams(JSON.parse(JSON.stringify(bounds)) as Record<string, string>).toString(),
        );
        expect({ takenAfter, takenBefore }).to.deep.equal(bounds);
        expect(rangeOf(bounds)).to.deep.equal({ from, until });
      }),
    );
  });

  it('have a label in words', () => {
    const labels: ReadonlyArray<readonly [string | undefined, string | undefined, string]> = [
      ['2026-05-14', '2026-05-14', '14 May 2026'],
      ['2026-05-01', '2026-05-31', 'May 2026'],
      ['2024-01-01', '2024-12-31', '2024'],
      ['2020-01-01', '2024-12-31', '2020 – 2024'],
      ['2026-05-01', '2026-07-31', 'May 2026 – July 2026'],
      ['2026-05-03', '2026-07-31', '3 May 2026 – 31 July 2026'],
      ['2026-05-01', undefined, 'Since May 2026'],
      [undefined, '2019-12-31', 'Until 2019'],
      [undefined, '2020-02-28', 'Until 28 February 2020'],
    ];
    for (const [from, until, label] of labels) {
      expect(rangeLabel({ from, until })).to.equal(label);
      expect(boundsLabel(boundsOf({ from, until }, 'America/Sao_Paulo'))).to.equal(label);
    }
  });

  it('that are no whole days are shown as they are', () => {
    const [takenAfter, takenBefore] = ['2026-05-01T10:00:00+02:00', '2026-05-02T10:00:00+02:00'];
    expect(boundsLabel({ takenAfter, takenBefore: undefined })).to.equal('After 2026-05-01 10:00:00+02:00');
    expect(boundsLabel({ takenAfter: undefined, takenBefore })).to.equal('Before 2026-05-02 10:00:00+02:00');
    expect(boundsLabel({ takenAfter, takenBefore })).to.equal(
      '2026-05-01 10:00:00+02:00 – 2026-05-02 10:00:00+02:00',
    );
  });
});

describe('dates in German', () => {
  const known = { today: '2026-11-22', months: undefined };
  const labels = (text: string): readonly string[] => suggestDates(text, known).map(({ label }) => label);

  before(() => setTexts(german));
  after(() => setTexts({}));

  const cases: ReadonlyArray<readonly [text: string, label: string]> = [
    ['letztes Jahr', '2025'],
    ['last year', '2025'],
    ['letzten Monat', 'Oktober 2026'],
    ['letzte 7 tage', '16. November 2026 – 22. November 2026'],
    ['mai', 'Mai 2026'],
    ['May', 'Mai 2026'],
    ['mär', 'März 2026'],
    ['okt. 2024', 'Oktober 2024'],
    ['10. juli 2024', '10. Juli 2024'],
    ['10.7.2024', '10. Juli 2024'],
    ['july 10 2024', '10. Juli 2024'],
    ['seit Mai 2024', 'Seit Mai 2024'],
    ['vor 2020', 'Bis 2019'],
    ['2019 bis 2021', '2019 – 2021'],
    ['von 2019 bis 2021', '2019 – 2021'],
  ];
  for (const [text, label] of cases) {
    it(`understand ${text}`, () => {
      expect(labels(text)).to.include(label);
    });
  }

  it('offer words in German for words in English', () => {
    expect(suggestDates('last year', known).map(({ hint }) => hint)).to.deep.equal(['Letztes Jahr']);
  });
});

const months = [
  { period: '2026-11', count: 5 },
  { period: '2026-10', count: 7 },
  { period: '2026-05', count: 214 },
  { period: '2025-05', count: 3 },
  { period: '2019-12', count: 9 },
];

const known = { today: '2026-11-22', months };

const suggested = (text: string): readonly DateRange[] => suggestDates(text, known).map(({ range }) => range);

const labels = (text: string): readonly string[] => suggestDates(text, known).map(({ label }) => label);

describe('suggestions of dates', () => {
  it('take a year, its months with pictures behind it', () => {
    expect(suggestDates('2026', known)).to.deep.equal([
      { label: '2026', hint: undefined, range: rangeOfPeriod('2026'), count: 226 },
      { label: 'November 2026', hint: undefined, range: rangeOfPeriod('2026-11'), count: 5 },
      { label: 'October 2026', hint: undefined, range: rangeOfPeriod('2026-10'), count: 7 },
      { label: 'May 2026', hint: undefined, range: rangeOfPeriod('2026-05'), count: 214 },
    ]);
  });

  for (const text of ['2026-05', '2026-5', '05/2026', '5.2026', 'May 2026', 'may, 2026', '2026 may']) {
    it(`take ${text} for a month`, () => {
      expect(suggested(text)).to.deep.equal([{ from: '2026-05-01', until: '2026-05-31' }]);
    });
  }

  for (const text of [
    '2026-05-14',
    '14.5.2026',
    '14/05/2026',
    '5/14/2026',
    '14 May 2026',
    'May 14th, 2026',
  ]) {
    it(`take ${text} for a day`, () => {
      expect(suggested(text)).to.deep.equal([{ from: '2026-05-14', until: '2026-05-14' }]);
    });
  }

  it('offer both meanings of a day that two countries write differently', () => {
    expect(labels('10/11/2026')).to.deep.equal(['10 November 2026', '11 October 2026']);
  });

  it('take the name of a month for those that have pictures', () => {
    expect(labels('may')).to.deep.equal(['May 2026', 'May 2025']);
    expect(labels('dec')).to.deep.equal(['December 2019']);
    expect(labels('may 2')).to.deep.equal(['2 May 2026', 'May 2026', 'May 2025']);
  });

  it('take words relative to today', () => {
    expect(suggestDates('last month', known)).to.deep.equal([
      { label: 'October 2026', hint: 'Last month', range: rangeOfPeriod('2026-10'), count: 7 },
    ]);
    expect(suggested('tod')).to.deep.equal([{ from: '2026-11-22', until: '2026-11-22' }]);
    expect(suggested('yesterday')).to.deep.equal([{ from: '2026-11-21', until: '2026-11-21' }]);
    expect(suggested('last 7 days')).to.deep.equal([{ from: '2026-11-16', until: '2026-11-22' }]);
    expect(labels('this')).to.deep.equal(['November 2026', '2026']);
  });

  it('go over the turn of the year', () => {
    const january = { today: '2026-01-01', months: undefined };
    expect(suggestDates('last month', january)[0]?.range).to.deep.equal(rangeOfPeriod('2025-12'));
    expect(suggestDates('yesterday', january)[0]?.range).to.deep.equal(rangeOfPeriod('2025-12-31'));
  });

  it('take ranges', () => {
    expect(suggested('since 2026')).to.deep.equal([{ from: '2026-01-01', until: undefined }]);
    expect(suggested('before May 2026')).to.deep.equal([{ from: undefined, until: '2026-04-30' }]);
    expect(suggested('until 2019')).to.deep.equal([{ from: undefined, until: '2019-12-31' }]);
    expect(suggested('after oct 2026')).to.deep.equal([{ from: '2026-11-01', until: undefined }]);
    expect(suggested('2019 to may 2025')).to.deep.equal([{ from: '2019-01-01', until: '2025-05-31' }]);
  });

  it('are none for other words', () => {
    for (const text of [
      '',
      'cat',
      'ma',
      '2026-13',
      '2026-02-30',
      '99',
      'maybe',
      'may cat',
      '1-2-3',
      '0026',
    ]) {
      expect(labels(text), text).to.deep.equal([]);
    }
  });

  it('never fail', () => {
    const piece = fc.constantFrom(
      'may',
      '2026',
      '-',
      '/',
      ' ',
      'to',
      'last',
      '5',
      '14',
      'since',
      '.',
      '9999',
      '–',
    );
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (text) => void suggestDates(text, known),
      ),
    );
  });
});

describe('suggestions of dates that have no pictures', () => {
  it('leave out what has no pictures', () => {
    expect(labels('2024')).to.deep.equal([]);
    expect(labels('2024-06-01')).to.deep.equal([]);
    expect(labels('before 2019')).to.deep.equal([]);
  });

  it('offer it as long as the months are not known', () => {
    const unknown = { today: '2026-11-22', months: undefined };
    expect(suggestDates('2024', unknown).map(({ label }) => label)).to.deep.equal(['2024']);
    expect(suggestDates('may', unknown).map(({ label }) => label)).to.deep.equal(['May 2026']);
    expect(suggestDates('december', unknown).map(({ label }) => label)).to.deep.equal(['December 2025']);
  });
});
