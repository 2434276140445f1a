import type { Request } from '../../decoder/protocol.ts';

/** The decoder says that the file is truncated or corrupt. */
export class FileRefused extends Error {
  constructor(
    readonly request: Request,
    reason: string,
  ) {
    super(reason);
  }
}
