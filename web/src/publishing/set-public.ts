import type { ImageCatalog, NamedImage } from '@image-catalog/client';
import { hasCode } from '../base/has-code.ts';

type Names = Pick<ImageCatalog, 'getName' | 'setName'>;

export interface PublicChange {
  /** The name as it is afterwards. */
  readonly named: NamedImage;
  /** Whether this call has changed it. */
  readonly isDone: boolean;
}

/**
 * Ends the public address of a name, wherever the name points to by now.
 *
 * @returns `undefined` if the name was removed
 */
export async function unpublish(catalog: Names, name: string): Promise<PublicChange | undefined> {
  const named = await findName(catalog, name);
  if (named === undefined || !named.public) return named && { named, isDone: false };
  return (await setPublic(catalog, named, false)) ?? (await unpublish(catalog, name));
}

/**
 * Undoes `unpublish`, but only if nobody has changed the name since then.
 *
 * @param unpublished the name as `unpublish` has left it
 * @returns `undefined` if the name was removed
 */
export async function publishAgain(
  catalog: Names,
  unpublished: NamedImage,
): Promise<PublicChange | undefined> {
  const done = await setPublic(catalog, unpublished, true);
  if (done !== undefined) return done;
  const named = await findName(catalog, unpublished.name);
  return named && { named, isDone: false };
}

/** @returns `undefined` if the name has another version by now, or was removed */
async function setPublic(
  catalog: Names,
  { name, id, version }: NamedImage,
  isPublic: boolean,
): Promise<PublicChange | undefined> {
  try {
    const named = await catalog.setName(name, id, { public: isPublic, ifMatch: version });
    return { named, isDone: true };
  } catch (error) {
    if (hasCode(error, 'precondition_failed')) return undefined;
    throw error;
  }
}

async function findName(catalog: Names, name: string): Promise<NamedImage | undefined> {
  try {
    return await catalog.getName(name);
  } catch (error) {
    if (hasCode(error, 'name_not_found')) return undefined;
    throw error;
  }
}
