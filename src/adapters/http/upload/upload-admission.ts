import { SubjectShares } from '../../../application/subject-shares.ts';
import { Overloaded } from '../../../domain/errors.ts';

/** Rejects uploads above the limit before their body is read. One subject has at most half of the places. */
export class UploadAdmission {
  private running = 0;
  private readonly shares: SubjectShares;

  constructor(private readonly maxUploads: number) {
    this.shares = new SubjectShares(maxUploads);
  }

  /**
   * @returns what frees the place
   * @throws {Overloaded}
   */
  enter(subject: string): () => void {
    if (this.running >= this.maxUploads) throw new Overloaded();
    const release = this.shares.take(subject);
    this.running += 1;
    return () => {
      this.running -= 1;
      release();
    };
  }
}
