import type { InputFormat } from '../../../src/domain/image/media-type.ts';
import { colourProfile, harmlessTags } from '../../support/fixtures/colour-profiles.ts';
import { pngChunk } from '../../support/fixtures/raw-pictures.ts';
import { GIF_TRAILER } from '../../support/kinds/gif-blocks.ts';
import { webp } from '../../support/kinds/webp-chunks.ts';
import { anyOf, integer, type Random } from '../random-choices.ts';
import type { Stem, Stems } from './clean-stems.ts';
import { hiddenSecret } from './hidden-secrets.ts';
import { leaks } from './leaks.ts';

export interface SecretiveFile {
  readonly bytes: Buffer;
  /** Letters: no marker, length or flag. */
  readonly secret: Buffer;
  /** No part with the secret may change them. */
  readonly hasItsColours: boolean;
}

/** No length that a chunk or segment which is kept may have. */
const SECRET_BYTES = 29;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.split('');
/** That some hidden parts have, which may be kept. */
const PROFILE = colourProfile(harmlessTags());

/** A small picture with a secret in several of its parts, whose structure is changed. An upload may accept or refuse it. */
export function secretiveFile(format: InputFormat, stems: Stems, random: Random): SecretiveFile {
  const parts = [...anyOf(stems[format], random)];
  const secret = newSecret(Buffer.concat([...parts, PROFILE]), random);
  let hasItsColours = true;
  for (let left = 1 + integer(random, 4); left > 0; left -= 1) {
    const { part, isColouring } = hiddenSecret(format, secret, random);
    parts.splice(1 + integer(random, parts.length), 0, random() < 0.2 ? changed(part, random) : part);
    hasItsColours &&= !isColouring;
  }
  if (random() < 0.3) rearrange(parts, random);
  return { bytes: whole(format, parts, secret, random), secret, hasItsColours };
}

/** Of which the picture itself has no part: names and data of what is kept are letters as well. */
function newSecret(own: Buffer, random: Random): Buffer {
  for (;;) {
    const letters = Array.from({ length: SECRET_BYTES }, () => anyOf(LETTERS, random));
    const secret = Buffer.from(letters.join(''));
    if (!leaks(own, secret)) return secret;
  }
}

/** Not the first bytes, with the kind of the part: what is no metadata any more may be data of the scan in front of it. */
function changed(hidden: Buffer, random: Random): Buffer {
  const bytes = Buffer.from(hidden);
  const at = 4 + integer(random, Math.max(1, bytes.length - 4));
  if (at < bytes.length) bytes[at] = integer(random, 256);
  return bytes;
}

function rearrange(parts: Buffer[], random: Random): void {
  const [from, to] = [1 + integer(random, parts.length - 1), 1 + integer(random, parts.length - 1)];
  const part = parts[from] as Buffer;
  if (random() < 0.5) parts.splice(from, 1);
  if (random() < 0.7) parts.splice(to, 0, part);
}

/** With an end, mostly, and bytes behind it. */
function whole(format: InputFormat, parts: Stem, secret: Buffer, random: Random): Buffer {
  const behind = random() < 0.5 ? secret : Buffer.alloc(0);
  const hasEnd = random() < 0.95;
  switch (format) {
    case 'jpeg':
      return Buffer.concat([...parts, hasEnd ? Buffer.of(0xff, 0xd9) : Buffer.alloc(0), behind]);
    case 'png': {
      const end = pngChunk('IEND', random() < 0.2 ? secret : Buffer.alloc(0));
      return Buffer.concat([...parts, hasEnd ? end : Buffer.alloc(0), behind]);
    }
    case 'webp':
      return Buffer.concat([webp(parts), behind]);
    case 'gif':
      return Buffer.concat([...parts, hasEnd ? GIF_TRAILER : Buffer.alloc(0), behind]);
  }
}
