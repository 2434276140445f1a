import type { ImageCatalog, ImageRecord, NamedImage } from '@image-catalog/client';
import { hasCode } from '../base/has-code.ts';
import type { LivePictures } from '../live/live-pictures.ts';
import type { Notices } from '../notices/notices.ts';
import { publishingTexts } from '../publishing/publishing-texts.ts';
import type { Trouble } from '../trouble/trouble.ts';
import type { UndoSteps } from '../undo/undo-steps.ts';
import type { Uploads } from '../upload/uploads.ts';
import { namesTexts } from './names-texts.ts';

export interface NameParts {
  readonly catalog: Pick<ImageCatalog, 'getName' | 'setName' | 'deleteName' | 'upload' | 'links'>;
  readonly live: Pick<LivePictures, 'releaseOwn'>;
  readonly uploads: Pick<Uploads, 'stored'>;
  readonly notices: Pick<Notices, 'show'>;
  readonly trouble: Pick<Trouble, 'report'>;
  readonly undo: Pick<UndoSteps, 'add'>;
  readonly images: { readonly list: { get(): { refresh(): Promise<void> } | undefined } };
  /** @param named as it is now; `undefined` if it is gone */
  readonly learn: (name: string, named: NamedImage | undefined) => void;
  /** A name that was public becomes public again if its removal is undone. */
  readonly mayPublish: boolean;
}

/** The longest that the service allows. */
const WEEK_SECONDS = 604_800;

/** What can be done with the names of one picture. Troubles are said in words. */
export class NameActions {
  readonly #parts: NameParts;
  /** Of the picture. */
  readonly #id: number;

  constructor(parts: NameParts, id: number) {
    this.#parts = parts;
    this.#id = id;
  }

  /**
   * @param taken to which the name points, which the person has seen; without, it must be free
   * @param isPublic whether the name is published; otherwise it stays as it is
   * @returns to which other picture it points
   */
  async give(
    name: string,
    taken: NamedImage | undefined,
    isPublic = false,
  ): Promise<NamedImage | 'given' | 'failed'> {
    const named = await this.#tryToGive(() => this.#give(name, taken, isPublic));
    if (named === undefined) return 'failed';
    return named.id === this.#id ? 'given' : named;
  }

  /** It can be undone. */
  async remove(name: string): Promise<void> {
    const { catalog, learn, undo } = this.#parts;
    await this.#ifStillHere(name, async ({ version, url }) => {
      // Without an address nobody can see it, even if the name is stored as public: publishing is off.
      const wasPublic = url !== null;
      await catalog.deleteName(name, { ifMatch: version });
      learn(name, undefined);
      const { removed, removedPublic } = namesTexts();
      const text = wasPublic ? removedPublic(name) : removed(name);
      undo.add({ text, undo: () => void this.#giveBack(name, wasPublic) });
    });
  }

  /** Publishes the name, or ends its public address. */
  async setPublic(name: string, isPublic: boolean): Promise<void> {
    const { catalog, learn } = this.#parts;
    await this.#ifStillHere(name, async ({ version }) => {
      learn(name, await catalog.setName(name, this.#id, { ifMatch: version, public: isPublic }));
    });
  }

  /**
   * Uploads the file and points the name to it.
   *
   * @param onProgress gets a share, 0 to 1
   * @returns the new picture, if it was done
   */
  async replace(
    name: string,
    file: File,
    onProgress: (share: number) => void,
  ): Promise<ImageRecord | undefined> {
    const { catalog, images, learn, live, notices, uploads } = this.#parts;
    return await this.#ifStillHere(name, async (named) => {
      const record = await catalog.upload(file, {
        setName: { name, ifMatch: named.version },
        onProgress: ({ loaded, total }) => onProgress(loaded / total),
      });
      learn(name, { ...named, id: record.id });
      uploads.stored.add(record.id);
      live.releaseOwn();
      void images.list.get()?.refresh();
      notices.show(namesTexts().replaced(name));
      return record;
    });
  }

  /** @returns a link for everyone to the picture alone, which follows the name */
  async link(name: string): Promise<string | undefined> {
    const { catalog, trouble } = this.#parts;
    try {
      const { names } = await catalog.links([], {
        names: [name],
        renditions: [{ metadata: 'none' }],
        ttlSeconds: WEEK_SECONDS,
      });
      return names?.[name]?.[0];
    } catch (error) {
      trouble.report(error);
      return undefined;
    }
  }

  /** @returns `undefined` if the service has refused it, which the person is told */
  async #tryToGive(give: () => Promise<NamedImage>): Promise<NamedImage | undefined> {
    try {
      return await give();
    } catch (error) {
      const { notices, trouble } = this.#parts;
      if (hasCode(error, 'quota_exceeded')) notices.show(namesTexts().tooMany, { tone: 'error' });
      else trouble.report(error);
      return undefined;
    }
  }

  /**
   * @param mayChange whether a name that the picture has already is published
   * @returns the name as it is then, which may be that of another picture
   */
  async #give(
    name: string,
    taken: NamedImage | undefined,
    isPublic: boolean,
    mayChange = true,
  ): Promise<NamedImage> {
    const { catalog, learn } = this.#parts;
    try {
      const condition = taken === undefined ? { ifNoneMatch: '*' as const } : { ifMatch: taken.version };
      const named = await catalog.setName(name, this.#id, {
        ...condition,
        ...(isPublic && { public: true }),
      });
      learn(name, named);
      return named;
    } catch (error) {
      if (!hasCode(error, 'precondition_failed')) throw error;
      const current = await this.#find(name);
      if (current === undefined) return await this.#give(name, undefined, isPublic, mayChange);
      if (current.id !== this.#id) return current;
      if (isPublic && !current.public && mayChange) return await this.#give(name, current, isPublic);
      learn(name, current);
      return current;
    }
  }

  async #giveBack(name: string, wasPublic: boolean): Promise<void> {
    const { mayPublish, notices } = this.#parts;
    // Somebody may have given the name again, and not published it on purpose.
    const named = await this.#tryToGive(() => this.#give(name, undefined, wasPublic && mayPublish, false));
    if (named === undefined) return;
    if (named.id !== this.#id) this.#sayMoved(name, named);
    else if (wasPublic && !named.public && mayPublish) {
      notices.show(publishingTexts().changedMeanwhile(name), { tone: 'error' });
    } else if (wasPublic && !named.public) notices.show(publishingTexts().backInPrivate(name));
  }

  #sayMoved(name: string, current: NamedImage | undefined): void {
    this.#parts.learn(name, current);
    this.#parts.notices.show(namesTexts().movedMeanwhile(name), { tone: 'error' });
  }

  /** What the person sees may be out of date. */
  async #ifStillHere<T>(name: string, change: (named: NamedImage) => Promise<T>): Promise<T | undefined> {
    try {
      const named = await this.#find(name);
      if (named?.id === this.#id) return await change(named);
      this.#sayMoved(name, named);
    } catch (error) {
      if (hasCode(error, 'precondition_failed')) return await this.#ifStillHere(name, change);
      this.#parts.trouble.report(error);
    }
    return undefined;
  }

  async #find(name: string): Promise<NamedImage | undefined> {
    try {
      return await this.#parts.catalog.getName(name);
    } catch (error) {
      if (hasCode(error, 'name_not_found')) return undefined;
      throw error;
    }
  }
}
