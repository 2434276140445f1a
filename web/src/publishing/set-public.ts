import type { ImageCatalog, NamedImage } from '@image-catalog/client';
import { hasCode } from '../base/has-code.ts';

/**
 * Publishes a name or ends its public address, wherever the name points to by now.
 *
 * @param image the only one that may become public: the person has seen no other
 * @returns the name as it is then, unchanged if it points to another image; `undefined` if it was removed
 */
export async function setPublic(
  catalog: Pick<ImageCatalog, 'getName' | 'setName'>,
  name: string,
  isPublic: boolean,
  image?: number,
): Promise<NamedImage | undefined> {
  try {
    const named = await catalog.getName(name);
    const isElsewhere = image !== undefined && named.id !== image;
    if (named.public === isPublic || isElsewhere) return named;
    return await catalog.setName(name, named.id, { public: isPublic, ifMatch: named.version });
  } catch (error) {
    if (hasCode(error, 'name_not_found')) return undefined;
    // Somebody else was faster.
    if (hasCode(error, 'precondition_failed')) return await setPublic(catalog, name, isPublic, image);
    throw error;
  }
}
