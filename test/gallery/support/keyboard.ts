import { hasFocus } from './gallery-page.ts';
import type { Hands } from './hands.ts';
import { gallery } from './visits.ts';

/** Keys only: the focus comes by Tab, by arrows and by the shortcuts that the gallery lists. */
export const keyboard: Hands = {
  async signIn() {
    await gallery.enter(gallery.signInButton);
    await gallery.enter(gallery.personButton);
    await gallery.title.waitFor();
  },
  upload: (files) => gallery.choose(files, () => gallery.press('u')),
  async closeUploads() {
    await gallery.enter(gallery.closeUploadsButton);
  },
  async search(words) {
    await gallery.press('/');
    await gallery.type(words);
    await gallery.press('Enter');
    await leaveSearch();
  },
  async searchTag(tag) {
    await gallery.press('/');
    await gallery.type(tag);
    await gallery.suggestions.getByRole('option', { name: tag }).first().waitFor();
    await gallery.press('ArrowDown');
    await gallery.press('Enter');
    await leaveSearch();
  },
  async clearSearch() {
    await gallery.enter(gallery.clearFilters);
  },
  async openFirst() {
    await toFirst();
    await gallery.press('Enter');
  },
  showNext: () => gallery.press('ArrowRight'),
  showPrevious: () => gallery.press('ArrowLeft'),
  zoomIn: () => gallery.press('+'),
  zoomOut: () => gallery.press('0'),
  openPanel: () => gallery.showPanel(),
  async setTitle(title) {
    await gallery.tabTo(gallery.titleField);
    await gallery.type(title);
    await gallery.press('Enter');
  },
  async setDescription(description) {
    await gallery.tabTo(gallery.descriptionField);
    await gallery.type(description);
    await gallery.press('Control+Enter');
  },
  async addTag(tag) {
    await gallery.press('t');
    await gallery.tabTo(gallery.tagField);
    await gallery.type(tag);
    await gallery.press('Enter');
    await gallery.tagChip(tag).waitFor();
    // The first closes the suggestions, if there are any; one more would close the viewer.
    while (await hasFocus(gallery.tagField)) await gallery.press('Escape');
  },
  closeViewer: () => gallery.press('Escape'),
  async selectFirst(count) {
    await toFirst();
    await gallery.press('Space');
    for (let more = 1; more < count; more += 1) await gallery.press('Shift+ArrowRight');
  },
  async tagSelection(tag) {
    await gallery.press('t');
    const dialog = gallery.tagDialog;
    await gallery.tabTo(dialog.getByRole('combobox', { name: 'Add tags' }));
    await gallery.type(tag);
    await gallery.press('Enter');
    await gallery.enter(dialog.getByRole('button', { name: 'Apply' }));
  },
  clearSelection: () => gallery.press('Escape'),
  deleteSelection: () => gallery.press('Delete'),
  undoDeletion: () => gallery.press('z'),
  async signOut() {
    await gallery.enter(gallery.accountButton);
    await gallery.enter(gallery.signOutButton);
    await gallery.page.waitForURL('**/session/end**');
    await gallery.enter(gallery.signOutButton);
  },
};

async function toFirst(): Promise<void> {
  await gallery.tabTo(gallery.currentPicture);
  await gallery.press('Home');
  await gallery.tabTo(gallery.picture(0));
}

/** The list of suggestions, then the field. */
async function leaveSearch(): Promise<void> {
  await gallery.press('Tab');
}
