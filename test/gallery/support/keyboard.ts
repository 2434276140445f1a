import { type GalleryPage, hasFocus } from './gallery-page.ts';
import type { PickedFile } from './gallery-pictures.ts';
import type { Hands } from './hands.ts';

/** Keys only: the focus comes by Tab, by arrows and by the shortcuts that the gallery lists. */
export class Keyboard implements Hands {
  readonly #gallery: GalleryPage;

  constructor(gallery: GalleryPage) {
    this.#gallery = gallery;
  }

  async signIn(): Promise<void> {
    await this.#gallery.tabTo(this.#gallery.signInButton);
    await this.#gallery.press('Enter');
    await this.#gallery.tabTo(this.#gallery.personButton);
    await this.#gallery.press('Enter');
    await this.#gallery.title.waitFor();
  }

  async upload(files: readonly PickedFile[]): Promise<void> {
    await this.#gallery.choose(files, () => this.#gallery.press('u'));
  }

  async closeUploads(): Promise<void> {
    await this.#gallery.tabTo(this.#gallery.closeUploadsButton);
    await this.#gallery.press('Enter');
  }

  async search(words: string): Promise<void> {
    await this.#gallery.press('/');
    await this.#gallery.type(words);
    await this.#gallery.press('Enter');
    await this.#leaveSearch();
  }

  async searchTag(tag: string): Promise<void> {
    await this.#gallery.press('/');
    await this.#gallery.type(tag);
    await this.#gallery.suggestions.getByRole('option', { name: tag }).first().waitFor();
    await this.#gallery.press('ArrowDown');
    await this.#gallery.press('Enter');
    await this.#leaveSearch();
  }

  async clearSearch(): Promise<void> {
    await this.#gallery.tabTo(this.#gallery.clearFilters);
    await this.#gallery.press('Enter');
  }

  async openFirst(): Promise<void> {
    await this.#toFirst();
    await this.#gallery.press('Enter');
  }

  async showNext(): Promise<void> {
    await this.#gallery.press('ArrowRight');
  }

  async showPrevious(): Promise<void> {
    await this.#gallery.press('ArrowLeft');
  }

  async zoomIn(): Promise<void> {
    await this.#gallery.press('+');
  }

  async zoomOut(): Promise<void> {
    await this.#gallery.press('0');
  }

  async openPanel(): Promise<void> {
    if (!(await this.#gallery.panel.isVisible())) await this.#gallery.press('i');
  }

  async setTitle(title: string): Promise<void> {
    await this.#gallery.tabTo(this.#gallery.titleField);
    await this.#gallery.type(title);
    await this.#gallery.press('Enter');
  }

  async setDescription(description: string): Promise<void> {
    await this.#gallery.tabTo(this.#gallery.descriptionField);
    await this.#gallery.type(description);
    await this.#gallery.press('Control+Enter');
  }

  async addTag(tag: string): Promise<void> {
    await this.#gallery.press('t');
    await this.#gallery.tabTo(this.#gallery.tagField);
    await this.#gallery.type(tag);
    await this.#gallery.press('Enter');
    await this.#gallery.tagChip(tag).waitFor();
    // The first closes the suggestions, if there are any; one more would close the viewer.
    while (await hasFocus(this.#gallery.tagField)) await this.#gallery.press('Escape');
  }

  async closeViewer(): Promise<void> {
    await this.#gallery.press('Escape');
  }

  async selectFirst(count: number): Promise<void> {
    await this.#toFirst();
    await this.#gallery.press('Space');
    for (let more = 1; more < count; more += 1) await this.#gallery.press('Shift+ArrowRight');
  }

  async tagSelection(tag: string): Promise<void> {
    await this.#gallery.press('t');
    const dialog = this.#gallery.tagDialog;
    await this.#gallery.tabTo(dialog.getByRole('combobox', { name: 'Add tags' }));
    await this.#gallery.type(tag);
    await this.#gallery.press('Enter');
    await this.#gallery.tabTo(dialog.getByRole('button', { name: 'Apply' }));
    await this.#gallery.press('Enter');
  }

  async clearSelection(): Promise<void> {
    await this.#gallery.press('Escape');
  }

  async deleteSelection(): Promise<void> {
    await this.#gallery.press('Delete');
  }

  async undoDeletion(): Promise<void> {
    await this.#gallery.press('z');
  }

  async signOut(): Promise<void> {
    await this.#gallery.tabTo(this.#gallery.accountButton);
    await this.#gallery.press('Enter');
    await this.#gallery.tabTo(this.#gallery.signOutButton);
    await this.#gallery.press('Enter');
    await this.#gallery.page.waitForURL('**/session/end**');
    await this.#gallery.tabTo(this.#gallery.signOutButton);
    await this.#gallery.press('Enter');
  }

  async #toFirst(): Promise<void> {
    await this.#gallery.tabTo(this.#gallery.currentPicture);
    await this.#gallery.press('Home');
    await this.#gallery.tabTo(this.#gallery.picture(0));
  }

  /** The list of suggestions, then the field. */
  async #leaveSearch(): Promise<void> {
    await this.#gallery.press('Tab');
  }
}
