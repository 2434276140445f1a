/** The image was deleted, or the service gives no link for it. */
export class LinkMissing extends Error {
  override readonly name = 'LinkMissing';
}
