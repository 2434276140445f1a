import type { Matrix } from './colour-matrix.ts';
import type { Curve } from './colour-space.ts';

const HEADER_BYTES = 128;
const ENTRY_BYTES = 12;
const VERSION = 0x0430_0000;
const ONE = 0x1_0000;

/** The white of profiles as fixed-point numbers. A header must contain exactly these. */
const D50 = [0xf6d6, ONE, 0xd32d] as const;

type Tag = readonly [name: string, data: Buffer];

/** A colour profile of a display (ICC.1:2022). @param toXyz from linear red, green and blue, adapted to D50 */
export function writeRgbProfile(toXyz: Matrix, curve: Curve): Buffer {
  const column = (index: 0 | 1 | 2): Buffer =>
    xyz([toXyz[0][index], toXyz[1][index], toXyz[2][index]].map(fixed));
  return profile('RGB ', [
    ['rXYZ', column(0)],
    ['gXYZ', column(1)],
    ['bXYZ', column(2)],
    ['rTRC', parametricCurve(curve)],
    ['gTRC', parametricCurve(curve)],
    ['bTRC', parametricCurve(curve)],
  ]);
}

export function writeGreyProfile(curve: Curve): Buffer {
  return profile('GRAY', [['kTRC', parametricCurve(curve)]]);
}

function profile(space: 'RGB ' | 'GRAY', colours: readonly Tag[]): Buffer {
  const tags: readonly Tag[] = [['desc', text()], ['cprt', text()], ['wtpt', xyz(D50)], ...colours];
  let end = HEADER_BYTES + 4 + ENTRY_BYTES * tags.length;
  const table = tags.map(([name, { length }]) => {
    end += length;
    return Buffer.concat([Buffer.from(name, 'latin1'), uint32(end - length, length)]);
  });
  const header = Buffer.alloc(HEADER_BYTES);
  uint32(end, 0, VERSION).copy(header);
  header.write(`mntr${space}XYZ `, 12, 'latin1');
  header.write('acsp', 36, 'latin1');
  uint32(...D50).copy(header, 68);
  return Buffer.concat([header, uint32(tags.length), ...table, ...tags.map(([, data]) => data)]);
}

/** A profile must have a description and a copyright, but nobody sees them: this text has one language and no characters. */
function text(): Buffer {
  return Buffer.concat([typed('mluc'), uint32(1, 12), Buffer.from('enUS', 'latin1'), uint32(0, 28)]);
}

function xyz(values: readonly number[]): Buffer {
  return Buffer.concat([typed('XYZ '), uint32(...values)]);
}

function parametricCurve(curve: Curve): Buffer {
  return Buffer.concat([typed('para'), uint32(4 * ONE, ...curve.map(fixed))]);
}

function typed(name: string): Buffer {
  return Buffer.concat([Buffer.from(name, 'latin1'), Buffer.alloc(4)]);
}

/** An s15Fixed16Number: the value in units of 1/65,536. */
function fixed(value: number): number {
  return Math.round(value * ONE);
}

function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeInt32BE(value | 0, 4 * index);
  return bytes;
}
