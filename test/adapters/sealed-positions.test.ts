import { expect } from 'chai';
import { NodeAddressSeal } from '../../src/adapters/system/node-address-seal.ts';

const POSITIONS = Array.from({ length: 1_000 }, (_, at) => ({ number: at + 1, mark: at * 7_919 }));

const seal = new NodeAddressSeal();

describe('A sealed position of the feed', () => {
  it('opens what it has sealed', () => {
    const cursors = seal.sealPositions('catalog', POSITIONS);

    expect(cursors.map((cursor) => seal.openPosition('catalog', cursor))).to.deep.equal(POSITIONS);
  });

  it('makes no cursor that a command line takes for an option', () => {
    expect(seal.sealPositions('catalog', POSITIONS).filter((cursor) => cursor.startsWith('-'))).to.deep.equal(
      [],
    );
  });

  it('opens neither another spelling nor a cursor of another catalog', () => {
    const [cursor = ''] = seal.sealPositions('catalog', POSITIONS);

    for (const other of [cursor.toUpperCase(), `${cursor}0`, cursor.slice(1), `${cursor}-`, '']) {
      expect(seal.openPosition('catalog', other), other).to.equal(undefined);
    }
    expect(seal.openPosition('another', cursor)).to.equal(undefined);
  });
});
