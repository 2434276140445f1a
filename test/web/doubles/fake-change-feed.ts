import type { Change, ImageRecord } from '@image-catalog/client';
import type { ChangeFeed } from '../../../web/src/live/change-follower.ts';

/** A feed whose changes come when the test says so. */
export class FakeChangeFeed implements ChangeFeed {
  /** The cursors from which it was read. */
  readonly reads: (string | undefined)[] = [];
  readonly signals: AbortSignal[] = [];
  #push: (change: Change | Error) => void = () => undefined;

  async *changes({ after, signal }: { after: string | undefined; signal: AbortSignal }) {
    this.reads.push(after);
    this.signals.push(signal);
    for (;;) {
      const next = await new Promise<Change | Error>((resolve) => {
        this.#push = resolve;
        signal.addEventListener('abort', () => resolve(signal.reason as Error));
      });
      if (next instanceof Error) throw next;
      yield next;
    }
  }

  push(change: Change | Error): void {
    this.#push(change);
  }
}

/** The cursor is the number of the change. */
export function changeOf(
  type: 'created' | 'updated' | 'deleted' | 'trashed' | 'restored',
  image: ImageRecord,
  { number = image.id, version }: { readonly number?: number; readonly version?: number } = {},
): Change {
  return {
    cursor: String(number),
    type: `image.${type}`,
    id: image.id,
    at: image.createdAt,
    by: 'another person',
    image: type === 'deleted' || type === 'trashed' ? null : image,
    ...(version !== undefined && { version }),
  };
}
