import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { checkView } from '../support/check-view.ts';
import { gallery } from '../support/visits.ts';
import { describeFeature } from './feature.ts';

/** Of the end of a ZIP file: its signature, and where the number of entries is. */
const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const ENTRIES_AT = 10;

export function describeArchive(): void {
  describeFeature('the download of many pictures', () => {
    before(async () => {
      // Its dialog is none of the page: a test cannot answer it.
      await gallery.page.evaluate('delete window.showSaveFilePicker');
    });

    it('saves them as one file', async () => {
      await gallery.select(0, 4);
      await gallery.selection.getByText('5 selected').waitFor();
      const saved = gallery.page.waitForEvent('download');
      await gallery.press('d');

      const download = await saved;
      expect(download.suggestedFilename()).to.equal('images.zip');
      const zip = await readFile(await download.path());
      const end = zip.subarray(-END_BYTES);
      expect([end.readUInt32LE(0), end.readUInt16LE(ENTRIES_AT)]).to.deep.equal([END_SIGNATURE, 5]);
      await gallery.page.getByText('5 pictures downloaded as one file').waitFor();
      gallery.watch.expectCalm('the download');
    });

    it('can be cancelled', async () => {
      // The rest of the archive never comes.
      await gallery.page.evaluate(`(() => {
        const { fetch } = window;
        window.fetch = async (...request) => {
          if (!String(request[0].url ?? request[0]).includes('/archive')) return await fetch(...request);
          const { signal } = request[1] ?? request[0];
          const body = new ReadableStream({
            start: (controller) => {
              controller.enqueue(new Uint8Array(1_000_000));
              signal.addEventListener('abort', () => controller.error(signal.reason));
            },
          });
          return new Response(body, { headers: { 'content-length': '4000000', 'content-type': 'application/zip' } });
        };
      })()`);
      await gallery.press('d');
      await gallery.page.getByText('1.0 MB of 4.0 MB').waitFor();
      await checkView('download');

      await gallery.page.getByRole('region', { name: 'Download' }).getByRole('button').click();
      await gallery.page.getByText('Download cancelled').waitFor();
      gallery.watch.expectCalm('cancelling');
    });
  });
}
