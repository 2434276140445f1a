import { describeFault, type PictureCause, type PictureFault } from '../../domain/image/picture-faults.ts';

/** The file is damaged, or of a kind that is not decoded. */
export class MalformedFile extends Error {
  readonly fault: PictureFault;

  /** @param at where the structure is wrong, in bytes, if the cause names a byte */
  constructor(cause: PictureCause, at?: number) {
    const fault = { cause, at };
    super(`The file ${describeFault(fault)}`);
    this.fault = fault;
  }
}
