import { fitsFormat, type Rendition } from '../../domain/image/rendition.ts';
import type { OpenRendition } from '../files/open-rendition.ts';
import type { RecentUpload, RecentUploads } from '../files/recent-uploads.ts';

export interface PrerenderLimits {
  /** The renditions to make of each upload. */
  readonly renditions: readonly Rendition[];
  /** Uploads and renditions for clients, under way at the same time. Nothing is begun beside as many. */
  readonly maxOtherWork: number;
}

/** Resolves a moment later, or at the abort. */
export type Pause = (stopped: AbortSignal) => Promise<void>;

/** Makes the default renditions of uploads, one at a time, while the service has little else to do. */
export class PrerenderUploads {
  private readonly stopping = new AbortController();
  private uploads = 0;
  private working: Promise<void> | undefined;

  constructor(
    private readonly openRendition: OpenRendition,
    private readonly recent: RecentUploads,
    private readonly limits: PrerenderLimits,
    private readonly pause: Pause,
  ) {}

  /** Begins nothing alongside too many uploads. One counts until the caller disposes of the result. */
  holdBack(): Disposable {
    this.uploads += 1;
    return {
      [Symbol.dispose]: () => {
        this.uploads -= 1;
      },
    };
  }

  /** Takes the pixels over. Returns at once. */
  add(upload: RecentUpload): void {
    if (this.limits.renditions.length === 0 || this.stopping.signal.aborted) {
      upload.pixels?.release();
      return;
    }
    this.recent.add(upload);
    this.working ??= this.work();
  }

  /** Drops what has not begun. Resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.recent.clear();
    await this.working;
  }

  private async work(): Promise<void> {
    for (let next = this.recent.oldest(); next !== undefined; next = this.recent.oldest()) {
      if (this.isBusy()) {
        await this.pause(this.stopping.signal);
        continue;
      }
      await this.prerender(next.upload);
      next.drop();
    }
    // At once: an upload that is added before a promise has settled would wait for the next one.
    this.working = undefined;
  }

  private isBusy(): boolean {
    return this.uploads + this.openRendition.underWay >= this.limits.maxOtherWork;
  }

  private async prerender({ image }: RecentUpload): Promise<void> {
    for (const rendition of this.limits.renditions) {
      if (this.stopping.signal.aborted) return;
      if (fitsFormat(image, rendition)) await this.openRendition.makeAhead(image, rendition);
    }
  }
}
