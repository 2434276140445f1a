import { expect } from 'chai';
import { ArchiveDownload, type ArchiveParts } from '../../../web/src/archive/archive-download.ts';
import { chooseArchiveFile } from '../../../web/src/archive/archive-file.ts';

describe('the download of many pictures to a file that the person picks', () => {
  let steps: string[];
  let notices: string[];
  let failure: Partial<Record<'pick' | 'write', Error>>;
  let download: ArchiveDownload;

  beforeEach(() => {
    steps = [];
    notices = [];
    failure = {};
    (globalThis as { window?: unknown }).window = { showSaveFilePicker: pick };
    download = new ArchiveDownload({
      catalog: { archive: async () => new Response(Uint8Array.of(1, 2, 3)) },
      choose: chooseArchiveFile,
      notices: { show: (text: string) => notices.push(text) },
      trouble: { report: (error: unknown) => notices.push(String(error)) },
    } as unknown as ArchiveParts);
  });

  afterEach(() => {
    delete (globalThis as { window?: unknown }).window;
  });

  function step(name: string, error?: Error): void {
    steps.push(name);
    if (error !== undefined) throw error;
  }

  /** As in Chrome and Edge: a file that is written to the disk as it comes. */
  async function pick({ suggestedName }: { readonly suggestedName: string }): Promise<unknown> {
    step(`pick ${suggestedName}`, failure.pick);
    return {
      createWritable: async () => ({
        write: async (chunk: Uint8Array) => step(`write ${chunk.length} bytes`, failure.write),
        close: async () => step('close'),
        abort: async () => step('abort'),
      }),
      remove: async () => step('remove'),
    };
  }

  it('writes and closes the file', async () => {
    await download.start([1, 2]);

    expect(steps).to.deep.equal(['pick images.zip', 'write 3 bytes', 'close']);
    expect(notices).to.deep.equal(['2 pictures downloaded as one file']);
  });

  it('says nothing if the person picks none', async () => {
    failure = { pick: new DOMException('The user aborted a request.', 'AbortError') };
    await download.start([1, 2]);

    expect([steps, notices]).to.deep.equal([['pick images.zip'], []]);
    expect(download.progress.get()).to.equal(undefined);
  });

  it('leaves no part of the file if writing fails, and says so', async () => {
    failure = { write: new DOMException('The disk is full', 'QuotaExceededError') };
    await download.start([1, 2]);

    expect(steps).to.deep.equal(['pick images.zip', 'write 3 bytes', 'abort', 'remove']);
    expect(notices).to.deep.equal(['The download broke off, and nothing was saved. Try again.']);
  });
});
