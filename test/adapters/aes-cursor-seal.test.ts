import { expect } from 'chai';
import { AesCursorSeal } from '../../src/adapters/system/aes-cursor-seal.ts';

const POSITIONS = Array.from({ length: 1_000 }, (_, at) => ({ number: at + 1, mark: at * 7_919 }));

const seal = new AesCursorSeal();

describe('AesCursorSeal', () => {
  it('opens what it has sealed', () => {
    const cursors = seal.seal('catalog', POSITIONS);

    expect(cursors.map((cursor) => seal.open('catalog', cursor))).to.deep.equal(POSITIONS);
  });

  it('makes no cursor that a command line takes for an option', () => {
    expect(seal.seal('catalog', POSITIONS).filter((cursor) => cursor.startsWith('-'))).to.deep.equal([]);
  });

  it('opens neither another spelling nor a cursor of another catalog', () => {
    const [cursor = ''] = seal.seal('catalog', POSITIONS);

    for (const other of [cursor.toUpperCase(), `${cursor}0`, cursor.slice(1), `${cursor}-`, '']) {
      expect(seal.open('catalog', other), other).to.equal(undefined);
    }
    expect(seal.open('another', cursor)).to.equal(undefined);
  });
});
