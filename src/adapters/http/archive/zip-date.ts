import type { EntryTime } from '../../../domain/archive/entry-time.ts';

/** Shows the clock face of an entry, whatever the time zone of this process: a ZIP file stores it beside the instant. */
export class ZipDate extends Date {
  private readonly face: Date;

  constructor({ instant, local }: EntryTime) {
    super(instant);
    this.face = new Date(local);
  }

  override getFullYear(): number {
    return this.face.getUTCFullYear();
  }

  override getMonth(): number {
    return this.face.getUTCMonth();
  }

  override getDate(): number {
    return this.face.getUTCDate();
  }

  override getHours(): number {
    return this.face.getUTCHours();
  }

  override getMinutes(): number {
    return this.face.getUTCMinutes();
  }

  override getSeconds(): number {
    return this.face.getUTCSeconds();
  }
}
