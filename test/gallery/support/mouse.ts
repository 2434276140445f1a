import type { Hands } from './hands.ts';
import { gallery } from './visits.ts';

/** Clicks only; keys are for texts. */
export const mouse: Hands = {
  signIn: () => gallery.signIn(),
  upload: (files) => gallery.upload(files),
  closeUploads: () => gallery.closeUploadsButton.click(),
  search: (words) => gallery.searchField.fill(words),
  async searchTag(tag) {
    await gallery.searchField.fill(tag);
    await gallery.suggestions.getByRole('option', { name: tag }).first().click();
  },
  clearSearch: () => gallery.clearFilters.click(),
  openFirst: () => gallery.picture(0).click(),
  showNext: () => gallery.button('Next picture').click(),
  showPrevious: () => gallery.button('Previous picture').click(),
  zoomIn: (name) => gallery.viewerPicture(name).dblclick(),
  zoomOut: (name) => gallery.viewerPicture(name).dblclick(),
  async openPanel() {
    if (!(await gallery.panel.isVisible())) await gallery.button('Details').click();
  },
  async setTitle(title) {
    await gallery.titleField.fill(title);
    await gallery.descriptionField.click();
  },
  async setDescription(description) {
    await gallery.descriptionField.fill(description);
    await gallery.tagField.click();
  },
  async addTag(tag) {
    await gallery.tagField.fill(tag);
    // A tag is complete when the field loses the focus.
    await gallery.descriptionField.click();
  },
  closeViewer: () => gallery.button('Back to the pictures').click(),
  selectFirst: (count) => gallery.select(0, count - 1),
  async tagSelection(tag) {
    await gallery.selection.getByRole('button', { name: 'Tag' }).click();
    const dialog = gallery.tagDialog;
    await dialog.getByRole('combobox', { name: 'Add tags' }).fill(tag);
    await dialog.getByRole('button', { name: 'Apply' }).click();
  },
  clearSelection: () => gallery.selection.getByRole('button', { name: 'Clear the selection' }).click(),
  deleteSelection: () => gallery.selection.getByRole('button', { name: 'Delete' }).click(),
  undoDeletion: () => gallery.undoButton.click(),
  async signOut() {
    await gallery.accountButton.click();
    await gallery.signOutButton.click();
    await gallery.page.waitForURL('**/session/end**');
    await gallery.signOutButton.click();
  },
};
