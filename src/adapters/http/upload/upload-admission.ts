import { Overloaded } from '../../../domain/errors.ts';

/** Rejects uploads above the limit before their body is read. One subject has at most half of the places. */
export class UploadAdmission {
  private running = 0;
  private readonly runningOf = new Map<string, number>();

  constructor(private readonly maxUploads: number) {}

  /** @throws {Overloaded} */
  async admit<T>(subject: string, upload: () => Promise<T>): Promise<T> {
    const ofSubject = this.runningOf.get(subject) ?? 0;
    if (this.running >= this.maxUploads || ofSubject >= this.share()) throw new Overloaded();
    this.running += 1;
    this.runningOf.set(subject, ofSubject + 1);
    try {
      return await upload();
    } finally {
      this.running -= 1;
      this.release(subject);
    }
  }

  private share(): number {
    return Math.max(1, Math.floor(this.maxUploads / 2));
  }

  private release(subject: string): void {
    const left = (this.runningOf.get(subject) ?? 1) - 1;
    if (left > 0) this.runningOf.set(subject, left);
    else this.runningOf.delete(subject);
  }
}
