import { Overloaded } from '../../domain/errors.ts';

/** Lets so many uploads be under way at a time. Who comes too many is told at once, before the body is read. */
export class UploadAdmission {
  private underWay = 0;

  constructor(private readonly maxUploads: number) {}

  /** @throws {Overloaded} */
  async admit<T>(upload: () => Promise<T>): Promise<T> {
    if (this.underWay >= this.maxUploads) throw new Overloaded();
    this.underWay += 1;
    try {
      return await upload();
    } finally {
      this.underWay -= 1;
    }
  }
}
