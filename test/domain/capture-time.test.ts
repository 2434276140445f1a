import { expect } from 'chai';
import { formatCaptureTime } from '../../src/domain/image/time/capture-time.ts';
import { parseCaptureTime } from '../../src/domain/image/time/parse-capture-time.ts';

describe('parseCaptureTime', () => {
  const ACCEPTED: ReadonlyArray<readonly [string, string]> = [
    ['2026-01-31t12:00:00z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.1', '2026-01-31T12:00:00.100'],
    ['2026-01-31T12:00:00.9999999+02:00', '2026-01-31T12:00:00.999+02:00'],
    ['2026-01-31T12:00:00-00:00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00+05:45', '2026-01-31T12:00:00.000+05:45'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00-01:00', '0001-01-01T00:00:00.000-01:00'],
  ];
  for (const [text, formatted] of ACCEPTED) {
    it(`accepts ${text}, shown as ${formatted}`, () => {
      const time = parseCaptureTime(text);

      expect(time && formatCaptureTime(time)).to.equal(formatted);
      expect(parseCaptureTime(formatted)).to.deep.equal(time);
    });
  }

  const REFUSED = [
    '2026-01-31T12:00:60Z',
    '2026-01-31T24:00:00',
    '2026-01-31T12:60:00',
    '2026-02-29T12:00:00',
    '2026-13-01T12:00:00',
    '2026-01-31T12:00:00+14:01',
    '2026-01-31T12:00:00+02:60',
    '2026-01-31T12:00:00+0200',
    '2026-01-31 12:00:00Z',
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '٢٠٢٦-01-31T12:00:00Z',
  ];
  for (const text of REFUSED) {
    it(`refuses "${text}"`, () => {
      expect(parseCaptureTime(text)).to.equal(undefined);
    });
  }
});
