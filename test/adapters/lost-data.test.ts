import { expect } from 'chai';
import { sharp } from '../../src/decoder/decoder-options.ts';
import { faultOf } from '../../src/decoder/fault-of.ts';
import { LibjpegReports } from '../../src/decoder/steps/libjpeg-reports.ts';
import { rendered, storedFacts, uploadOutcome } from '../support/fixtures/clean-file.ts';
import { withSegments } from '../support/fixtures/embedded-chunks.ts';
import { withSegment } from '../support/fixtures/exif.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const EOI = Buffer.of(0xff, 0xd9);
const JUNK = Buffer.alloc(7, 1);

let baseline: Buffer;
let progressive: Buffer;

/** What a decoder finds, and what the catalog does with it. */
describe('A JPEG', () => {
  before(async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const picture = sharp({ create: { width: 96, height: 80, channels: 3, background: '#888888', noise } });
    baseline = await picture.clone().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer();
    progressive = await picture.clone().jpeg({ progressive: true }).toBuffer();
  });

  damaged();

  harmless();
});

function damaged(): void {
  const DAMAGED: ReadonlyArray<readonly [what: string, damage: () => Buffer]> = [
    ['that is cut and has an end', () => cut(baseline)],
    ['with several scans that is cut and has an end', () => cut(progressive)],
    ['with bytes removed from its middle', () => removed(baseline, 900)],
    ['with a marker in its data', () => replaced(baseline, Buffer.of(0xff, 0xd4))],
    ['that goes on as another JPEG', () => Buffer.concat([cut(baseline).subarray(0, -2), progressive])],
    ['with junk between its parts, and cut', () => withJunk(withJunk(cut(baseline)))],
    ['with junk between its parts and several scans, and cut', () => withJunk(cut(progressive))],
    ['with junk between each two of 150 parts, and cut', () => withManyParts(cut(baseline))],
    ['of an unknown version of JFIF with an unknown transform, and cut', () => odd(cut(baseline))],
  ];
  for (const [what, damage] of DAMAGED) {
    it(`${what} is refused, because image data is missing`, async () => {
      expect(faultOf(await rejection(uploadOutcome(damage())))).to.include({ cause: 'data_lost' });
    });

    it(`${what} is read if it is stored, and the flaw is named`, async () => {
      expect((await storedFacts(damage()))?.flaw).to.include({ cause: 'data_lost' });
    });
  }
}

function harmless(): void {
  const HARMLESS: ReadonlyArray<readonly [what: string, change: () => Buffer]> = [
    ['junk between its parts', () => withJunk(baseline)],
    ['junk between its parts, twice', () => withJunk(withJunk(baseline))],
    ['junk between its parts, and several scans', () => withJunk(progressive)],
    ['junk between each two of 150 parts', () => withManyParts(baseline)],
    ['junk between each two of 150 parts, and several scans', () => withManyParts(progressive)],
    ['junk between its scans and 150 parts', () => withPartsAtEnd(progressive)],
    ['an unknown version of JFIF and an unknown transform of Adobe', () => odd(baseline)],
    ['coefficients that a sequential scan does not have, and junk', () => withJunk(withSelection(baseline))],
    ['bytes between its data and its end', () => Buffer.concat([baseline.subarray(0, -2), JUNK, EOI])],
    ['bytes after its end', () => Buffer.concat([baseline, JUNK])],
  ];
  for (const [what, change] of HARMLESS) {
    it(`with ${what} is accepted, and looks the same`, async () => {
      const whole = what.includes('scans') ? progressive : baseline;
      const { thumbhash, flaw } = await uploadOutcome(change());

      expect([thumbhash, flaw]).to.deep.equal([(await uploadOutcome(whole)).thumbhash, undefined]);
      expect((await rendered(change())).equals(await rendered(whole))).to.equal(true);
    });
  }

  it('is not accepted for a warning that is not known', () => {
    const reports = new LibjpegReports();
    reports.add('read gave 1 warnings');
    reports.add('VipsJpeg: Something new about the data\n');

    expect(reports.verdict).to.equal('data lost');
  });
}

/** In the second half of the file there are only data. */
function cut(jpeg: Buffer): Buffer {
  return Buffer.concat([jpeg.subarray(0, Math.floor(jpeg.length * 0.7)), EOI]);
}

function removed(jpeg: Buffer, count: number): Buffer {
  const at = Math.floor(jpeg.length * 0.6);
  return Buffer.concat([jpeg.subarray(0, at), jpeg.subarray(at + count)]);
}

function replaced(jpeg: Buffer, bytes: Buffer): Buffer {
  const copy = Buffer.from(jpeg);
  copy.set(bytes, Math.floor(jpeg.length * 0.6));
  return copy;
}

/** After the first segment. */
function withJunk(jpeg: Buffer): Buffer {
  const end = 4 + jpeg.readUInt16BE(4);
  return Buffer.concat([jpeg.subarray(0, end), JUNK, jpeg.subarray(end)]);
}

/** More warnings than libvips lets pass. */
const MANY_PARTS = Buffer.concat(
  Array<Buffer>(150).fill(Buffer.concat([Buffer.of(0xff, 0xfe, 0, 3, 0), JUNK])),
);

function withManyParts(jpeg: Buffer): Buffer {
  return withSegments(jpeg, [MANY_PARTS]);
}

function withPartsAtEnd(jpeg: Buffer): Buffer {
  return Buffer.concat([jpeg.subarray(0, -2), JUNK, MANY_PARTS, EOI]);
}

function odd(jpeg: Buffer): Buffer {
  const adobe = Buffer.from([...Buffer.from('Adobe', 'latin1'), 0, 100, 0, 0, 0, 0, 9]);
  const jfif = Buffer.from([...Buffer.from('JFIF\0', 'latin1'), 7, 1, 0, 0, 1, 0, 1, 0, 0]);
  return withSegment(withSegment(jpeg, 0xee, adobe), 0xe0, jfif);
}

/** The scan says that it ends with the first coefficient. */
function withSelection(jpeg: Buffer): Buffer {
  const copy = Buffer.from(jpeg);
  const scan = copy.indexOf(Buffer.of(0xff, 0xda));
  copy[scan + copy.readUInt16BE(scan + 2)] = 0;
  return copy;
}
