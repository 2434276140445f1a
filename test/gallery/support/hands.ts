import type { PickedFile } from './gallery-pictures.ts';

/** What a person does in the gallery, with one kind of input device. */
export interface Hands {
  signIn(): Promise<void>;
  /** Through the dialog of the browser. */
  upload(files: readonly PickedFile[]): Promise<void>;
  closeUploads(): Promise<void>;
  search(words: string): Promise<void>;
  /** Filters by a tag that is suggested. */
  searchTag(tag: string): Promise<void>;
  clearSearch(): Promise<void>;
  /** Opens the first picture of the view. */
  openFirst(): Promise<void>;
  showNext(): Promise<void>;
  showPrevious(): Promise<void>;
  /** @param name of the picture that the viewer shows */
  zoomIn(name: string): Promise<void>;
  zoomOut(name: string): Promise<void>;
  /** Opens the panel unless it is open. */
  openPanel(): Promise<void>;
  setTitle(title: string): Promise<void>;
  setDescription(description: string): Promise<void>;
  addTag(tag: string): Promise<void>;
  closeViewer(): Promise<void>;
  /** The first pictures of the view, as a range. */
  selectFirst(count: number): Promise<void>;
  tagSelection(tag: string): Promise<void>;
  clearSelection(): Promise<void>;
  deleteSelection(): Promise<void>;
  undoDeletion(): Promise<void>;
  signOut(): Promise<void>;
}
