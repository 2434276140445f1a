import DataLoader from 'dataloader';
import { StorageUnavailable } from '../../../domain/errors.ts';
import { RejectedRequest } from './rejected-request.ts';

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
      this.current = group;
      return group;
    },
    {
      cache: false,
      maxBatchSize: MAX_GROUP_SIZE,
      batchScheduleFn: (begin) => void this.current.then(begin),
    },
  );

  /** @param commitTogether in one transaction; throws `RejectedRequest` and `StorageUnavailable` */
  constructor(
    private readonly commitTogether: (requests: readonly Request[]) => Promise<ReadonlyArray<Result | Error>>,
  ) {}

  async commit(request: Request): Promise<Result> {
    return await this.groups.load(request);
  }

  /** In a transaction of its own. */
  async commitAlone(request: Request): Promise<Result> {
    const [result] = await this.commitAll([request]);
    if (result instanceof Error) throw result;
    return result as Result;
  }

  /** Never rejects: a request of a group is told what became of itself, not of others. */
  private async commitAll(requests: readonly Request[]): Promise<ReadonlyArray<Result | Error>> {
    if (requests.length === 0) return [];
    try {
      return await this.commitTogether(requests);
    } catch (error) {
      if (error instanceof RejectedRequest) return await this.commitAround(error, requests);
      if (requests.length === 1 || error instanceof StorageUnavailable) {
        return requests.map(() => error as Error);
      }
      // One that fails must not fail the rest of its group.
      const results = await Promise.all(requests.map((request) => this.commitAll([request])));
      return results.flat();
    }
  }

  private async commitAround(
    { at, reason }: RejectedRequest,
    requests: readonly Request[],
  ): Promise<ReadonlyArray<Result | Error>> {
    if (at === 0) return [reason, ...(await this.commitAll(requests.slice(1)))];
    // It is judged again behind those before it, because they may be rejected themselves.
    const before = await this.commitAll(requests.slice(0, at));
    return [...before, ...(await this.commitAll(requests.slice(at)))];
  }
}
