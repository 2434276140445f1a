import * as z from 'zod';
import type { Open } from '../../decoder/protocol.ts';
import { checkDecodeLimits } from '../../domain/image/check-decode-limits.ts';
import { COSTLY_PROFILES } from '../../domain/image/decode-excess.ts';
import type { DecodeBounds } from './decode-bounds.ts';
import type { Ask } from './decode-job.ts';
import type { JobInput } from './job-input.ts';

const count = z.int().min(0);

const message = z.object({
  kind: z.literal('opened'),
  width: count,
  height: count,
  frames: count,
  scans: count,
  segments: count,
  metadataBytes: count,
  compressedChunks: count,
  arithmeticBytes: count,
  costlyProfile: z.enum(COSTLY_PROFILES).optional(),
  heldBytes: count,
});

export type OpenedPicture = z.output<typeof message>;

/**
 * The structure of a file, which is then open in the decoder.
 *
 * @throws {ImageBeyondLimits | FileRefused}
 */
export async function openPicture(
  ask: Ask,
  input: JobInput,
  limits: Omit<Open, 'kind'>,
  bounds: DecodeBounds,
): Promise<OpenedPicture> {
  const opened = await ask({
    request: { kind: 'open', ...limits },
    input,
    bounds,
    parse: (frame) => message.parse(frame.message),
  });
  checkDecodeLimits(opened, limits.mediaType, limits);
  return opened;
}
