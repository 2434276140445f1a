/** A fault that is planted into the source, for the simulation to find. */
export interface Mutant {
  readonly title: string;
  readonly file: string;
  readonly code: string;
  readonly replacement: string;
}

const UPLOAD = 'src/application/upload/upload-image.ts';
const ONCE = 'src/application/upload/upload-image-once.ts';
const EARLIER = 'src/application/upload/earlier-upload.ts';
const DELETE = 'src/application/delete-image.ts';
const EDIT = 'src/application/metadata/edit-metadata.ts';
const RENDITION = 'src/application/files/open-rendition.ts';
const SWEEP = 'src/application/maintenance/sweep-blobs.ts';
const TRANSFER = 'src/application/maintenance/transfer/transfer-catalog.ts';
const DOUBLE = 'test/support/doubles/in-memory-image-repository.ts';
const ERASE = 'src/application/trash/erase-image.ts';
const UPLOAD_BY_TICKET = 'src/application/tickets/upload-by-ticket.ts';

export const MUTANTS: readonly Mutant[] = [
  {
    title: 'the record comes before the bytes',
    file: UPLOAD,
    code: `    await this.blobs.put(image.uuid, staged);
    return await this.record(this.images.in(space), image, together);`,
    replacement: `    const recorded = await this.record(this.images.in(space), image, together);
    await this.blobs.put(image.uuid, staged);
    return recorded;`,
  },
  {
    title: 'a blob is removed although its record may still be committed',
    file: UPLOAD,
    code: 'if (!(await this.images.mayBeRecorded(uuid))) await this.blobs.remove(uuid);',
    replacement: 'await this.blobs.remove(uuid);',
  },
  {
    title: 'the blob of a failed record is not removed',
    file: UPLOAD,
    code: 'await this.removeUnrecordedBlob(image.uuid);',
    replacement: '',
  },
  {
    title: 'the claim is not completed with the record',
    file: UPLOAD,
    code: 'images.add(image, claim, metadata, by, name)',
    replacement: 'images.add(image, claim && undefined, metadata, by, name)',
  },
  {
    title: 'a failed upload does not release its key',
    file: ONCE,
    code: 'await this.release(claim);',
    replacement: '',
  },
  {
    title: 'a key replays other bytes',
    file: EARLIER,
    code: 'if (sha256 !== this.sha256) throw new IdempotencyKeyReused();',
    replacement: 'if (sha256 === undefined) throw new IdempotencyKeyReused();',
  },
  {
    title: 'a delete removes the blob before the record',
    file: DELETE,
    code: `    if (!(await images.removeById(id, by, this.to))) throw new ImageNotFound();
    if (this.to === undefined) await removeBytes(image, this.bytes, log);`,
    replacement: `    if (this.to === undefined) await removeBytes(image, this.bytes, log);
    if (!(await images.removeById(id, by, this.to))) throw new ImageNotFound();`,
  },
  {
    title: 'a delete does not look whether another one was first',
    file: DELETE,
    code: 'if (!(await images.removeById(id, by, this.to))) throw new ImageNotFound();',
    replacement: 'await images.removeById(id, by, this.to);',
  },
  {
    title: 'the version is compared before the transaction',
    file: EDIT,
    code: 'metadata.patch(id, patch, matches, by)',
    replacement: `metadata.find(id).then((found) => {
      if (found !== undefined && !matches(found.version)) throw new MetadataChanged();
      return metadata.patch(id, patch);
    })`,
  },
  {
    title: 'one flight makes the renditions of all images',
    file: RENDITION,
    code: 'return `${uuid}/${name}`;',
    replacement: 'return uuid && name;',
  },
  {
    title: 'a rendition stays if its image was deleted meanwhile',
    file: RENDITION,
    code: 'if ((await this.storage.images.findById(image.id)) === undefined)',
    replacement: 'if ((await this.storage.images.findById(-image.id)) !== undefined)',
  },
  {
    title: 'the sweeper ignores the grace',
    file: SWEEP,
    code: 'since !== undefined && since.getTime() <= turn.slice.takenAt.getTime() - this.graceMs',
    replacement: 'true',
  },
  {
    title: 'the sweeper removes without the lock',
    file: SWEEP,
    code: 'await images.removeUnrecorded(key, () => blobs.remove(key))',
    replacement: '(await images.findUuidsAmong([key])).size === 0 && ((await blobs.remove(key)), true)',
  },
  {
    title: 'the sweeper forgets the second check',
    file: SWEEP,
    code: 'if (await images.removeUnrecorded(key, () => blobs.remove(key))) report.blobs += 1;',
    replacement: 'if (images) await blobs.remove(key);',
  },
  {
    title: 'the sweeper leaves renditions alone',
    file: SWEEP,
    code: 'for (const uuid of uuids) await cache.removeAllOf(uuid);',
    replacement: 'void uuids;',
  },
  {
    title: 'a transfer does not reserve ids',
    file: TRANSFER,
    code: 'await target.images.reserveIds(await source.images.highestId());',
    replacement: 'await source.images.highestId();',
  },
  {
    title: 'a transfer does not reserve numbers of names',
    file: TRANSFER,
    code: 'await target.names.reserveNumbers(await source.names.highestNumber());',
    replacement: 'await source.names.highestNumber();',
  },
  {
    title: 'a transfer does not copy changed metadata',
    file: TRANSFER,
    code: 'const version = isTrashed(image) ? image.metadata?.version : image.metadataVersion;',
    replacement: 'const version = 1;',
  },
  {
    title: 'an archive breaks off if one of its images is deleted meanwhile',
    file: 'src/application/files/archive-images.ts',
    code: 'if (error instanceof ImageNotFound) return undefined;',
    replacement: '',
  },
  {
    title: 'a page is gone with one of its images',
    file: 'src/application/links/open-page.ts',
    code: 'if (found.length === 0)',
    replacement: 'if (found.length < images.length)',
  },
  {
    title: 'an export notes what it has not written',
    file: 'src/application/maintenance/export/export-catalog.ts',
    code: "if (outcome !== 'written') return undefined;",
    replacement: "if (outcome === 'present') return undefined;",
  },
  {
    title: 'a quota is judged before the transaction',
    file: DOUBLE,
    code: `      await call.reach('commit');
      const { space, name, by } = together;
      if (name !== undefined) this.names.judge(space, name.name, name.matches);
      this.#judge(space, image, together.limits());`,
    replacement: `      const { space, name, by } = together;
      if (name !== undefined) this.names.judge(space, name.name, name.matches);
      this.#judge(space, image, together.limits());
      await call.reach('commit');`,
  },
  {
    title: 'uploads are recorded whatever the quota',
    file: UPLOAD,
    code: 'this.record(this.images.in(space)',
    replacement: 'this.record(this.images.unlimited.in(space)',
  },
  {
    title: 'a delete does not lower the counters of its space',
    file: DOUBLE,
    code: `    this.#images.delete(id);
    this.spaces.count(image.space, { images: -1, bytes: -image.size });`,
    replacement: '    this.#images.delete(id);',
  },
  {
    title: 'similar images are found of an image of any space',
    file: 'src/application/find/find-similar.ts',
    code: 'await this.images.in(space).findById(id)',
    replacement: 'await this.images.findById(id)',
  },
  {
    title: 'the reader of a space gets the changes of all',
    file: 'src/application/changes/read-changes.ts',
    code: 'space === EVERY_SPACE ? this.feed : this.feed.in(space)',
    replacement: 'this.feed',
  },
  {
    title: 'a key is claimed without its space',
    file: ONCE,
    code: 'this.keys.claim({ ...key, space, sha256 })',
    replacement: "this.keys.claim({ ...key, space: '', sha256 })",
  },
  {
    title: 'a transfer leaves the limits of spaces behind',
    file: TRANSFER,
    code: 'for (const table of COPIED_TABLES) await',
    replacement: 'for (const table of COPIED_TABLES.slice(1)) await',
  },
  {
    title: 'the bytes of an image in the trash are removed',
    file: DELETE,
    code: 'if (this.to === undefined) await removeBytes(image, this.bytes, log);',
    replacement: 'await removeBytes(image, this.bytes, log);',
  },
  {
    title: 'an erased image keeps its bytes',
    file: ERASE,
    code: 'await removeBytes({ id, uuid }, this.bytes, log);',
    replacement: '',
  },
  {
    title: 'a name stays when its image is removed',
    file: DOUBLE,
    code: 'this.names.removeOf(id, by);',
    replacement: '',
  },
  {
    title: 'a ticket holds for an image of each file',
    file: UPLOAD_BY_TICKET,
    code: 'execute(upload, keyOfTicket(ticket))',
    replacement: 'execute(upload, { ...keyOfTicket(ticket), key: `${ticket.id} ${upload.staged.sha256}` })',
  },
  {
    title: 'a ticket that is used refuses as a key does',
    file: UPLOAD_BY_TICKET,
    code: 'return error instanceof IdempotencyKeyReused ? new TicketUsed() : error;',
    replacement: 'return error instanceof TicketUsed && IdempotencyKeyReused ? new TicketUsed() : error;',
  },
  {
    title: 'a ticket that is used for a deleted image refuses other bytes as these',
    file: EARLIER,
    code: `    if (sha256 !== this.sha256) throw new IdempotencyKeyReused();
    if (this.image === undefined) throw new ImageNotFound('The image of this upload was deleted');`,
    replacement: `    if (this.image === undefined) throw new ImageNotFound('The image of this upload was deleted');
    if (sha256 !== this.sha256) throw new IdempotencyKeyReused();`,
  },
  {
    title: 'a patch of the focus alone changes nothing',
    file: 'src/domain/image/says-the-same.ts',
    code: '[...Object.keys(NO_METADATA), ',
    replacement: "[...Object.keys(NO_METADATA).filter((name) => name !== 'focus'), ",
  },
];
