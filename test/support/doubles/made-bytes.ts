import type { Derivative } from '../../../src/domain/image/rendition.ts';
import type {
  RenditionMaker,
  RenditionRequester,
  RenditionSource,
} from '../../../src/domain/ports/pictures/rendition-maker.ts';

/** The bytes that a maker gives to its caller. */
export async function madeBytes(
  maker: RenditionMaker,
  source: RenditionSource,
  derivative: Derivative,
  requester: RenditionRequester,
): Promise<Uint8Array> {
  let bytes: Uint8Array | undefined;
  await maker.make(source, derivative, requester, async (made) => {
    bytes = made;
  });
  if (bytes === undefined) throw new Error('The maker has kept nothing');
  return bytes;
}
