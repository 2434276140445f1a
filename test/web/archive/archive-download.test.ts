import { CatalogError } from '@image-catalog/client';
import { expect } from 'chai';
import { ArchiveDownload, type ArchiveParts } from '../../../web/src/archive/archive-download.ts';
import { Gate, settled } from '../../support/time/gate.ts';

const BUSY = new CatalogError('Too many archives', { code: 'overloaded', status: 503 });

describe('the download of many pictures', () => {
  let chunks: Uint8Array[];
  let ended: string[];
  let notices: string[];
  let reported: unknown[];
  let maxBytes: number;
  let isChosen: boolean;
  let respond: (signal: AbortSignal) => Promise<Response>;
  let download: ArchiveDownload;

  beforeEach(() => {
    chunks = [];
    ended = [];
    notices = [];
    reported = [];
    maxBytes = 1000;
    isChosen = true;
    respond = async () => responseOf([3, 5]);
    const file = {
      get maxBytes() {
        return maxBytes;
      },
      write: async (chunk: Uint8Array) => void chunks.push(chunk),
      close: async () => void ended.push('closed'),
      discard: async () => void ended.push('discarded'),
    };
    const catalog = { archive: (_ids: unknown, { signal }: { signal: AbortSignal }) => respond(signal) };
    download = new ArchiveDownload({
      catalog,
      choose: async () => (isChosen ? file : undefined),
      notices: { show: (text: string) => notices.push(text) },
      trouble: { report: (error: unknown) => reported.push(error) },
    } as unknown as ArchiveParts);
  });

  it('is written to a file as it comes, and says how far it is', async () => {
    const seen: unknown[] = [];
    download.progress.subscribe(() => seen.push(download.progress.get()));
    await download.start([1, 2]);

    expect(seen).to.deep.equal([
      { count: 2, receivedBytes: 0, totalBytes: undefined },
      { count: 2, receivedBytes: 3, totalBytes: 8 },
      { count: 2, receivedBytes: 8, totalBytes: 8 },
      undefined,
    ]);
    expect([chunks.map(({ length }) => length), ended]).to.deep.equal([[3, 5], ['closed']]);
    expect(notices).to.deep.equal(['2 pictures downloaded as one file']);
  });

  it('does not ask the service if no file is chosen', async () => {
    isChosen = false;
    respond = () => Promise.reject(BUSY);
    await download.start([1, 2]);

    expect([download.progress.get(), ended, notices, reported]).to.deep.equal([undefined, [], [], []]);
  });

  it('leaves nothing when it is cancelled', async () => {
    respond = async (signal) => responseOf([3], 8, signal);
    const done = download.start([1, 2]);
    await settled();
    expect(download.progress.get()?.receivedBytes).to.equal(3);
    download.cancel();
    await done;

    expect([ended, notices]).to.deep.equal([['discarded'], ['Download cancelled']]);
  });

  it('leaves nothing when the connection breaks', async () => {
    respond = async () => responseOf([3], 8, AbortSignal.abort(new TypeError('network error')));
    await download.start([1, 2]);

    expect(ended).to.deep.equal(['discarded']);
    expect(notices).to.deep.equal(['The download broke off, and nothing was saved. Try again.']);
  });

  it('reports what the service refuses', async () => {
    respond = () => Promise.reject(BUSY);
    await download.start([1, 2]);

    expect([ended, reported, notices]).to.deep.equal([['discarded'], [BUSY], []]);
  });

  it('says if the file is larger than the browser can hold, and ends the response', async () => {
    let isEnded = false;
    maxBytes = 7;
    respond = async (signal) => {
      signal.addEventListener('abort', () => {
        isEnded = true;
      });
      return responseOf([3, 5]);
    };
    await download.start([1, 2]);

    expect([ended, isEnded, chunks]).to.deep.equal([['discarded'], true, []]);
    expect(notices[0]).to.include('at most 7 bytes');
  });

  it('is one at a time', async () => {
    const gate = new Gate();
    respond = async () => {
      await gate.opened;
      return responseOf([1]);
    };
    const first = download.start([1, 2]);
    await download.start([3, 4]);
    expect(notices).to.deep.equal(['A download is under way. Wait until it is done, or cancel it.']);

    gate.open();
    await first;
    expect(ended).to.deep.equal(['closed']);
  });
});

/** @param signal ends the body with its reason; without, the body ends after its chunks */
function responseOf(
  sizes: readonly number[],
  total = sizes.reduce((sum, size) => sum + size, 0),
  signal?: AbortSignal,
): Response {
  const body = new ReadableStream({
    start: (controller) => {
      for (const size of sizes) controller.enqueue(new Uint8Array(size));
      if (signal === undefined) controller.close();
      else if (signal.aborted) controller.error(signal.reason);
      else signal.addEventListener('abort', () => controller.error(signal.reason));
    },
  });
  return new Response(body, { headers: { 'content-length': String(total) } });
}
