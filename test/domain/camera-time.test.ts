import { expect } from 'chai';
import { type CameraTimes, cameraTime } from '../../src/domain/image/time/camera-time.ts';

const original = '2026:01:31 12:34:56';

function gps(gpsDate: string, ...gpsTime: readonly [number, number, number]): CameraTimes {
  return { original, gpsDate, gpsTime };
}

const CASES: ReadonlyArray<[title: string, times: CameraTimes, expected: string | undefined]> = [
  ['no time at all', {}, undefined],
  ['a fraction of two digits', { original, originalFraction: '12' }, '2026-01-31T12:34:56.120'],
  ['a fraction that is no number', { original, originalFraction: 'x' }, '2026-01-31T12:34:56.000'],
  ['an offset to the east', { original, originalOffset: '+05:45' }, '2026-01-31T12:34:56.000+05:45'],
  ['an offset to the west', { original, originalOffset: '-03:30' }, '2026-01-31T12:34:56.000-03:30'],
  ['the largest offset', { original, originalOffset: '+14:00' }, '2026-01-31T12:34:56.000+14:00'],
  ['an offset beyond the largest', { original, originalOffset: '+14:01' }, '2026-01-31T12:34:56.000'],
  [
    'the digitized offset if the original is ill-formed',
    { original, originalOffset: '   :  ', digitizedOffset: '+01:00' },
    '2026-01-31T12:34:56.000+01:00',
  ],
  [
    'the digitized time if there is no original',
    { digitized: '2020:02:29 00:00:00', digitizedFraction: '5' },
    '2020-02-29T00:00:00.500',
  ],
  [
    'the digitized time if the original is blank',
    { original: '    :  :     :  :  ', digitized: '2020:02:29 00:00:00' },
    '2020-02-29T00:00:00.000',
  ],
  ['the 30th of February', { original: '2026:02:30 12:00:00' }, undefined],
  ['a text after the time', { original: `${original} PM` }, undefined],
  [
    'a year before the first in UTC',
    { original: '0001:01:01 00:00:00', originalOffset: '+01:00' },
    undefined,
  ],
  ['a year after the last in UTC', { original: '9999:12:31 23:59:59', originalOffset: '-01:00' }, undefined],
  ['the offset to the GPS time', gps('2026:01:31', 10, 34, 50), '2026-01-31T12:34:56.000+02:00'],
  [
    'the offset to a GPS time of the day before',
    { original: '2026:02:01 05:00:00', gpsDate: '2026:01:31', gpsTime: [19, 15, 0] },
    '2026-02-01T05:00:00.000+09:45',
  ],
  ['a camera clock five minutes wrong', gps('2026:01:31', 12, 39, 56), '2026-01-31T12:34:56.000Z'],
  ['a camera clock more than five minutes wrong', gps('2026:01:31', 12, 39, 57), '2026-01-31T12:34:56.000'],
  ['a GPS time without a date', { original, gpsTime: [10, 34, 50] }, '2026-01-31T12:34:56.000'],
  ['a GPS date a year away', gps('2025:01:31', 10, 34, 56), '2026-01-31T12:34:56.000'],
  ['an infinite GPS time', gps('2026:01:31', Infinity, 0, 0), '2026-01-31T12:34:56.000'],
];

describe('cameraTime', () => {
  for (const [title, times, expected] of CASES) {
    it(`reads ${title}`, () => {
      expect(cameraTime(times)).to.equal(expected);
    });
  }
});
