import { expect } from 'chai';
import { eventually } from '../../support/time/eventually.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { catalog, describeVisits, gallery, other, signIn } from '../support/visits.ts';

const TAKEN = '2025-11-20T23:30:15+09:00';

describeVisits('the details', { pictures: () => makePictures(2) }, () => {
  before(async () => {
    await catalog.patch(1, { takenAt: TAKEN });
  });

  async function openDetails(position: number): Promise<void> {
    await gallery.picture(position).click();
    await gallery.button('Details').waitFor();
    await gallery.showPanel();
    await gallery.titleField.waitFor();
  }

  it('come in the order of people; what is for websites is closed, and stays as it was left', async () => {
    await signIn();
    await openDetails(1);
    expect(await gallery.panel.getByRole('heading', { level: 3 }).allTextContents()).to.deep.equal([
      'Taken',
      'Camera',
      'Tags',
      'File',
      'Download',
      'For websites',
    ]);
    const link = gallery.panel.getByRole('button', { name: /^Copy public link/ });
    expect(await link.isVisible()).to.equal(false);

    await gallery.enter(gallery.panel.locator('summary'));
    await link.waitFor();
    await gallery.page.reload();
    await link.waitFor();
    gallery.watch.expectCalm('the details');
  });

  it('say when a picture was taken on the clock of its place, and exactly below the pointer', async () => {
    await signIn({ timezoneId: 'America/New_York' });
    await openDetails(0);
    const taken = gallery.panel.getByText('20 Nov 2025, 23:30', { exact: true });
    await taken.waitFor();
    expect(await taken.getAttribute('title')).to.equal('20 Nov 2025, 23:30:15 UTC+9');
    expect(await gallery.panel.textContent()).to.not.contain('UTC');

    await gallery.button('Edit the time').click();
    expect(await gallery.panel.getByRole('textbox', { name: 'Difference to UTC' }).inputValue()).to.equal(
      '+09:00',
    );
  });

  it('say when a picture was added on the clock of the person', async () => {
    await signIn({ timezoneId: 'Pacific/Kiritimati' });
    await openDetails(0);
    const { createdAt } = await other.get(1);
    const there = Date.parse(createdAt) + 14 * 3_600_000;
    const time = new Date(there).toISOString().slice(11, 16);

    const text = await eventually(
      async () => (await gallery.panel.textContent()) ?? '',
      (shown) => shown.includes('Added'),
    );
    expect(text).to.match(new RegExp(`Added [^:]* ${time}`));
  });
});
