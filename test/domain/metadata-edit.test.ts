import { expect } from 'chai';
import { InvalidMetadata } from '../../src/domain/errors.ts';
import { editMetadata } from '../../src/domain/image/edit-metadata.ts';
import { NO_CAPTURE, NO_METADATA } from '../../src/domain/image/image-metadata.ts';
import { checkEdit } from '../../src/domain/image/metadata-edit.ts';

function shifted(takenAt: string, shiftTaken: string): string | null {
  return editMetadata({ ...NO_METADATA, ownTakenAt: takenAt }, checkEdit({ shiftTaken })).ownTakenAt;
}

describe('A shift of capture times', () => {
  for (const [takenAt, shift, expected] of [
    ['2026-01-31T12:00:00.250Z', '-PT1H30M', '2026-01-31T10:30:00.250Z'],
    ['2026-01-31T12:00:00.000', '+P1D', '2026-02-01T12:00:00.000'],
    ['2026-01-31T12:00:00.000+02:00', '+P1DT1H1M1S', '2026-02-01T13:01:01.000+02:00'],
    ['2026-01-31T12:00:00.000Z', '+PT90S', '2026-01-31T12:01:30.000Z'],
    ['2026-01-31T12:00:00.000Z', '-PT0S', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.000Z', '+PT0036H', '2026-02-02T00:00:00.000Z'],
    ['2026-01-31T12:00:00.000Z', '-P36500D', '1926-02-25T12:00:00.000Z'],
  ] as const) {
    it(`by ${shift} moves ${takenAt} to ${expected}`, () => {
      expect(shifted(takenAt, shift)).to.equal(expected);
    });
  }

  for (const [takenAt, shift] of [
    ['0001-01-01T00:00:00.000Z', '-PT1S'],
    ['9999-12-31T23:59:59.999', '+PT1S'],
    ['0001-01-01T14:00:00.000+14:00', '-PT1S'],
  ] as const) {
    it(`by ${shift} is refused for ${takenAt}`, () => {
      expect(() => shifted(takenAt, shift))
        .to.throw(InvalidMetadata)
        .with.property('field', 'shiftTaken');
    });
  }

  const bad = [
    'PT1H',
    '+P1DT',
    '+P1W',
    '+PT1.5S',
    '+PT1M1H',
    '+PT1H\n',
    '+P36500DT1S',
    '+P99999999999999999999D',
  ];
  for (const text of bad) {
    it(`is refused as ${JSON.stringify(text)}`, () => {
      expect(() => checkEdit({ shiftTaken: text }))
        .to.throw(InvalidMetadata)
        .with.property('field', 'shiftTaken');
    });
  }

  it('counts a time of the camera as set by a person, and leaves that of the camera', () => {
    const capture = { ...NO_CAPTURE, takenAt: '2026-01-31T12:00:00.000' };
    const moved = editMetadata({ ...NO_METADATA, capture }, checkEdit({ shiftTaken: '+PT1H' }));
    expect(moved).to.deep.include({ ownTakenAt: '2026-01-31T13:00:00.000', capture });
  });

  it('leaves an image without a time as it is', () => {
    expect(editMetadata(NO_METADATA, checkEdit({ shiftTaken: '+PT1H' }))).to.deep.equal(NO_METADATA);
  });
});
