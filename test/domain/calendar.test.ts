import { expect } from 'chai';
import { Calendar, type Period } from '../../src/domain/image/time/calendar.ts';
import { formatPeriod } from '../../src/domain/image/time/format-period.ts';
import { parseCaptureTime } from '../../src/domain/image/time/parse-capture-time.ts';

function instantIn(timeZone: string, text: string): string {
  const time = parseCaptureTime(text);
  return time === undefined ? 'no time' : new Date(new Calendar(timeZone).instantOf(time)).toISOString();
}

describe('Calendar', () => {
  const INSTANTS: ReadonlyArray<readonly [string, string, string, string]> = [
    [
      'takes an offset from the time',
      'Europe/Berlin',
      '2026-01-31T12:00:00+05:30',
      '2026-01-31T06:30:00.000Z',
    ],
    [
      'takes a missing offset from the zone',
      'Europe/Berlin',
      '2026-07-31T12:00:00',
      '2026-07-31T10:00:00.000Z',
    ],
    ['takes the offset before a gap', 'Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T01:30:00.000Z'],
    ['takes the earlier of two times', 'Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
    ['knows gaps west of UTC', 'America/New_York', '2026-03-08T02:30:00', '2026-03-08T07:30:00.000Z'],
    ['knows gaps of half an hour', 'Australia/Lord_Howe', '2026-10-04T02:15:00', '2026-10-03T15:45:00.000Z'],
    ['knows days that do not exist', 'Pacific/Apia', '2011-12-30T12:00:00', '2011-12-30T22:00:00.000Z'],
    ['knows local mean time', 'America/New_York', '1800-01-01T00:00:00', '1800-01-01T04:56:02.000Z'],
    ['knows the year 1', 'UTC', '0001-01-01T00:00:00', '0001-01-01T00:00:00.000Z'],
  ];
  for (const [what, timeZone, text, instant] of INSTANTS) {
    it(`${what}: ${text} in ${timeZone}`, () => {
      expect(instantIn(timeZone, text)).to.equal(instant);
    });
  }

  it('has days of 23 and 25 hours', () => {
    const calendar = new Calendar('Europe/Berlin');
    const days = [
      '2026-03-28T22:59:59.999Z',
      '2026-03-28T23:00:00Z',
      '2026-03-29T21:59:59.999Z',
      '2026-03-29T22:00:00Z',
    ];

    expect(days.map((day) => calendar.dayOf(Date.parse(day)))).to.deep.equal([
      20260328, 20260329, 20260329, 20260330,
    ]);
  });

  it('never goes back a day, not even where clocks are set back over midnight', () => {
    const calendar = new Calendar('America/St_Johns');
    const midnight = Date.parse('2006-10-29T02:30:00Z');
    const days = Array.from({ length: 180 }, (_, minute) =>
      calendar.dayOf(midnight + minute * 60_000 - 3_600_000),
    );

    expect(days).to.deep.equal(days.toSorted((a, b) => a - b));
    expect(new Set(days)).to.deep.equal(new Set([20061028, 20061029]));
  });

  const ENDS: ReadonlyArray<readonly [Period, number, string]> = [
    ['day', 20261231, '2026-12-31T23:00:00.000Z'],
    ['month', 202612, '2026-12-31T23:00:00.000Z'],
    ['year', 2026, '2026-12-31T23:00:00.000Z'],
  ];
  for (const [period, number, end] of ENDS) {
    it(`ends the ${period} ${number} at ${end}`, () => {
      expect(new Date(new Calendar('Europe/Berlin').endOf(period, number)).toISOString()).to.equal(end);
    });
  }

  it('refuses a zone that is unknown', () => {
    expect(() => new Calendar('Europe/Nowhere')).to.throw(RangeError);
  });
});

describe('formatPeriod', () => {
  const CASES: ReadonlyArray<readonly [Period, number, string]> = [
    ['day', 20261101, '2026-11-01'],
    ['month', 202611, '2026-11'],
    ['year', 2026, '2026'],
    ['day', 10_101, '0001-01-01'],
  ];
  for (const [period, number, text] of CASES) {
    it(`shows ${number} as ${text}`, () => {
      expect(formatPeriod(period, number)).to.equal(text);
    });
  }
});
