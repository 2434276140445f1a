import { expect } from 'chai';
import { formatDimensions } from '../../../web/src/catalog/file-facts.ts';
import { formatTaken } from '../../../web/src/catalog/format-taken.ts';
import { parseOffset } from '../../../web/src/catalog/parse-offset.ts';
import { takenAtOf, takenFieldsOf } from '../../../web/src/catalog/taken-time.ts';
import { cameraName } from '../../../web/src/panel/camera-name.ts';
import { captureLines } from '../../../web/src/panel/capture-text.ts';
import { formatExposure } from '../../../web/src/panel/format-exposure.ts';
import { originalFacts } from '../../../web/src/panel/original-facts.ts';

describe('the camera line', () => {
  for (const [seconds, expected] of [
    [0.000125, '1/8,000 s'],
    [0.004, '1/250 s'],
    [0.016666667, '1/60 s'],
    [0.25, '1/4 s'],
    [1 / 3, '0.3 s'],
    [0.5, '0.5 s'],
    [1.3, '1.3 s'],
    [30, '30 s'],
  ] as const) {
    it(`shows an exposure of ${seconds.toFixed(6)} s as ${expected}`, () => {
      expect(formatExposure(seconds)).to.equal(expected);
    });
  }

  it('names the make once', () => {
    expect(cameraName('Canon', 'Canon EOS R5')).to.equal('Canon EOS R5');
    expect(cameraName('NIKON CORPORATION', 'NIKON Z 6')).to.equal('NIKON Z 6');
    expect(cameraName('Apple', 'iPhone 15')).to.equal('Apple iPhone 15');
    expect(cameraName('Apple', undefined)).to.equal('Apple');
    expect(cameraName(undefined, undefined)).to.equal(undefined);
  });

  it('has a line for what is known', () => {
    const capture = {
      make: 'Canon',
      model: 'Canon EOS R5',
      lens: 'RF50mm F1.2L USM',
      fNumber: 1.8,
      exposureSeconds: 0.004,
      iso: 400,
      focalLengthMm: 50,
      latitude: -33.85678,
      longitude: 151.21528,
    };

    expect(captureLines(capture)).to.deep.equal([
      { kind: 'camera', text: 'Canon EOS R5', filter: { camera: 'Canon EOS R5' } },
      { kind: 'lens', text: 'RF50mm F1.2L USM', filter: { lens: 'RF50mm F1.2L USM' } },
      { kind: 'exposure', text: 'f/1.8 · 1/250 s · ISO 400 · 50 mm' },
      { kind: 'place', text: '33.85678° S, 151.21528° E' },
    ]);
  });

  it('filters by no camera whose name has no word', () => {
    expect(captureLines({ make: '---', lens: '**' })).to.deep.equal([
      { kind: 'camera', text: '---' },
      { kind: 'lens', text: '**' },
    ]);
  });

  it('is empty if nothing is known', () => {
    expect(captureLines({ make: null, model: null, lens: null, iso: null })).to.deep.equal([]);
    expect(captureLines({ iso: 200 })).to.deep.equal([{ kind: 'exposure', text: 'ISO 200' }]);
  });
});

describe('the time at which a picture was taken', () => {
  it('is shown on the clock of its place, with the difference to UTC if it is known', () => {
    expect(formatTaken('2026-05-03T14:03:22.120+02:00')).to.equal('3 May 2026, 14:03:22 UTC+2');
    expect(formatTaken('2026-05-03T00:03:22.000-09:30')).to.equal('3 May 2026, 00:03:22 UTC\u22129:30');
    expect(formatTaken('2026-05-03T14:03:22.000Z')).to.equal('3 May 2026, 14:03:22 UTC');
    expect(formatTaken('2026-05-03T14:03:22.000')).to.equal('3 May 2026, 14:03:22');
  });

  it('is taken apart for the fields of the form', () => {
    expect(takenFieldsOf('2026-05-03T14:03:22.120+02:00')).to.deep.equal({
      local: '2026-05-03T14:03:22',
      offset: '+02:00',
    });
    expect(takenFieldsOf(null)).to.deep.equal({ local: '', offset: '' });
  });

  it('comes back as it was if nothing is changed', () => {
    for (const takenAt of ['2026-05-03T14:03:22.120+02:00', '2026-05-03T14:03:22.000']) {
      expect(takenAtOf(takenFieldsOf(takenAt), takenAt)).to.deep.equal({ takenAt });
    }
  });

  it('keeps the fraction of the second only as long as the second is the same', () => {
    const before = '2026-05-03T14:03:22.120';

    expect(takenAtOf({ local: '2026-05-03T14:03:22', offset: '+1' }, before)).to.deep.equal({
      takenAt: '2026-05-03T14:03:22.120+01:00',
    });
    expect(takenAtOf({ local: '2026-05-03T14:03:23', offset: '' }, before)).to.deep.equal({
      takenAt: '2026-05-03T14:03:23',
    });
  });

  it('gets seconds from a browser that leaves them out', () => {
    expect(takenAtOf({ local: '2026-05-03T14:03', offset: '' }, null)).to.deep.equal({
      takenAt: '2026-05-03T14:03:00',
    });
  });

  it('names the field that is ill-formed', () => {
    expect(takenAtOf({ local: '', offset: '' }, null)).to.deep.equal({ problem: 'time' });
    expect(takenAtOf({ local: '2026-05-03T14:03:00', offset: 'Berlin' }, null)).to.deep.equal({
      problem: 'offset',
    });
  });

  for (const [text, expected] of [
    ['', ''],
    ['Z', '+00:00'],
    ['UTC', '+00:00'],
    ['2', '+02:00'],
    ['+2', '+02:00'],
    ['-0930', '-09:30'],
    ['\u22125:00', '-05:00'],
    ['UTC+05:45', '+05:45'],
    ['+14', '+14:00'],
    ['+14:01', undefined],
    ['+2:60', undefined],
    ['CET', undefined],
    ['+12345', undefined],
  ] as const) {
    it(`takes ${JSON.stringify(text)} for ${String(expected)}`, () => {
      expect(parseOffset(text)).to.equal(expected);
    });
  }
});

describe('what the original tells', () => {
  const record = { originalName: 'IMG_4711.jpg' };

  it('is its place, its camera, its time and its name', () => {
    const capture = {
      make: 'Canon',
      model: 'Canon EOS R5',
      lens: 'RF50mm F1.2L USM',
      iso: 400,
      takenAt: '2026-05-03T14:03:22.000+02:00',
      latitude: -33.85678,
      longitude: 151.21528,
    };
    expect(originalFacts(record, { capture })).to.deep.equal([
      '33.85678° S, 151.21528° E',
      'Canon EOS R5',
      '3 May 2026, 14:03:22 UTC+2',
      'IMG_4711.jpg',
    ]);
  });

  it('may be a place that the catalog does not know', () => {
    const capture = { make: null, model: null, takenAt: null };
    expect(originalFacts(record, { capture })).to.deep.equal(['perhaps the place', 'IMG_4711.jpg']);
  });
});

describe('the facts of the file', () => {
  it('are in units that people know', () => {
    expect(formatDimensions({ width: 4032, height: 3024 })).to.equal('4,032 × 3,024 · 12.2 MP');
    expect(formatDimensions({ width: 64, height: 64 })).to.equal('64 × 64');
  });
});
