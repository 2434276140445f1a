import * as z from 'zod';
import type { Request } from '../../decoder/protocol.ts';
import { PICTURE_CAUSES, type PictureFault } from '../../domain/image/picture-faults.ts';

const UNKNOWN: PictureFault = { cause: 'undecodable' };

export const pictureFault = z.object({ cause: z.enum(PICTURE_CAUSES), at: z.int().min(0).optional() });

const refused = z.object({ reason: z.string().catch(''), fault: pictureFault.catch(UNKNOWN) });

/** The decoder says that it does not decode the file. */
export class FileRefused extends Error {
  readonly fault: PictureFault;

  /** @param reply of a decoder that the file may have taken over */
  constructor(
    readonly request: Request,
    reply: unknown,
  ) {
    const { reason, fault } = refused.parse(reply);
    super(reason);
    this.fault = fault;
  }
}
