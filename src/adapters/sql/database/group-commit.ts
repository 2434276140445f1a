import DataLoader from 'dataloader';
import { StorageUnavailable } from '../../../domain/errors.ts';

const MAX_GROUP_SIZE = 32;

/**
 * Requests that arrive during a commit share the sync, lock and round trips of the next transaction. A single request is committed
 * at once.
 */
export class GroupCommit<Request, Result> {
  private current: Promise<unknown> = Promise.resolve();
  private readonly groups = new DataLoader<Request, Result>(
    (requests) => {
      // Several groups may wait for the same commit: each waits for the group before it.
      const group = this.current.then(() => this.commitAll(requests));
      this.current = group.catch(() => undefined);
      return group;
    },
    {
      cache: false,
      maxBatchSize: MAX_GROUP_SIZE,
      batchScheduleFn: (begin) => void this.current.then(begin),
    },
  );

  /** @param commitTogether in one transaction; throws `StorageUnavailable` */
  constructor(
    private readonly commitTogether: (requests: readonly Request[]) => Promise<ReadonlyArray<Result | Error>>,
  ) {}

  async commit(request: Request): Promise<Result> {
    return await this.groups.load(request);
  }

  private async commitAll(requests: readonly Request[]): Promise<ReadonlyArray<Result | Error>> {
    try {
      return await this.commitTogether(requests);
    } catch (error) {
      if (requests.length === 1 || error instanceof StorageUnavailable) throw error;
      // One rejected request must not fail the rest of its group.
      return await Promise.all(requests.map((request) => this.commitAlone(request)));
    }
  }

  private async commitAlone(request: Request): Promise<Result | Error> {
    const [outcome] = await this.commitAll([request]).catch((error: unknown) => [error as Error]);
    return outcome as Result | Error;
  }
}
