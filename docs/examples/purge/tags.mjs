export const ALL = 'all';

/**
 * The tags of the responses that a change has made outdated; `ALL` if the change is not known.
 *
 * @param type of a message or of a change in the feed
 */
export function tagsOf(type, data) {
  switch (type) {
    // What was deleted or trashed must not be shown. A name may show another part of an image whose metadata have changed.
    case 'image.deleted':
    case 'image.trashed':
    case 'image.updated':
      return [`image-${data.id}`];
    case 'name.set':
    case 'name.removed':
      // The catalog does not know names of a removed space any more. `image.deleted` purges the same responses.
      return data.number === undefined ? [] : [`name-${data.number}`];
    case 'changes.lost':
      return ALL;
    // Nothing of a new image is in a cache.
    default:
      return [];
  }
}
