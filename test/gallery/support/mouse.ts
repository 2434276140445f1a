import type { GalleryPage } from './gallery-page.ts';
import type { PickedFile } from './gallery-pictures.ts';
import type { Hands } from './hands.ts';

/** The corner of a picture that selects it. */
const CHECK_MARK = { x: 16, y: 16 };

/** Clicks only; keys are for texts. */
export class Mouse implements Hands {
  readonly #gallery: GalleryPage;

  constructor(gallery: GalleryPage) {
    this.#gallery = gallery;
  }

  async signIn(): Promise<void> {
    await this.#gallery.signIn();
  }

  async upload(files: readonly PickedFile[]): Promise<void> {
    await this.#gallery.upload(files);
  }

  async closeUploads(): Promise<void> {
    await this.#gallery.closeUploadsButton.click();
  }

  async search(words: string): Promise<void> {
    await this.#gallery.searchField.fill(words);
  }

  async searchTag(tag: string): Promise<void> {
    await this.#gallery.searchField.fill(tag);
    await this.#gallery.suggestions.getByRole('option', { name: tag }).first().click();
  }

  async clearSearch(): Promise<void> {
    await this.#gallery.clearFilters.click();
  }

  async openFirst(): Promise<void> {
    await this.#gallery.picture(0).click();
  }

  async showNext(): Promise<void> {
    await this.#gallery.button('Next picture').click();
  }

  async showPrevious(): Promise<void> {
    await this.#gallery.button('Previous picture').click();
  }

  async zoomIn(name: string): Promise<void> {
    await this.#gallery.viewerPicture(name).dblclick();
  }

  async zoomOut(name: string): Promise<void> {
    await this.#gallery.viewerPicture(name).dblclick();
  }

  async openPanel(): Promise<void> {
    if (!(await this.#gallery.panel.isVisible())) await this.#gallery.button('Details').click();
  }

  async setTitle(title: string): Promise<void> {
    await this.#gallery.titleField.fill(title);
    await this.#gallery.descriptionField.click();
  }

  async setDescription(description: string): Promise<void> {
    await this.#gallery.descriptionField.fill(description);
    await this.#gallery.tagField.click();
  }

  async addTag(tag: string): Promise<void> {
    await this.#gallery.tagField.fill(tag);
    // A tag is complete when the field loses the focus.
    await this.#gallery.descriptionField.click();
  }

  async closeViewer(): Promise<void> {
    await this.#gallery.button('Back to the pictures').click();
  }

  async selectFirst(count: number): Promise<void> {
    await this.#gallery.picture(0).click({ position: CHECK_MARK });
    if (count > 1) await this.#gallery.picture(count - 1).click({ modifiers: ['Shift'] });
  }

  async tagSelection(tag: string): Promise<void> {
    await this.#gallery.selection.getByRole('button', { name: 'Tag' }).click();
    const dialog = this.#gallery.tagDialog;
    await dialog.getByRole('combobox', { name: 'Add tags' }).fill(tag);
    await dialog.getByRole('button', { name: 'Apply' }).click();
  }

  async clearSelection(): Promise<void> {
    await this.#gallery.selection.getByRole('button', { name: 'Clear the selection' }).click();
  }

  async deleteSelection(): Promise<void> {
    await this.#gallery.selection.getByRole('button', { name: 'Delete' }).click();
  }

  async undoDeletion(): Promise<void> {
    await this.#gallery.undoButton.click();
  }

  async signOut(): Promise<void> {
    await this.#gallery.accountButton.click();
    await this.#gallery.signOutButton.click();
    await this.#gallery.page.waitForURL('**/session/end**');
    await this.#gallery.signOutButton.click();
  }
}
