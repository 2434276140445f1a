/** A fault that is planted into the source. */
export interface Mutant {
  readonly title: string;
  readonly file: string;
  readonly code: string;
  readonly replacement: string;
  /** That shall find it; without one, the simulation. */
  readonly suite?: string;
}

const UPLOAD = 'src/application/upload/upload-image.ts';
const ONCE = 'src/application/upload/upload-image-once.ts';
const EARLIER = 'src/application/upload/earlier-upload.ts';
const DELETE = 'src/application/delete-image.ts';
const EDIT = 'src/application/metadata/edit-metadata.ts';
const RENDITION = 'src/application/files/open-rendition.ts';
const SWEEP = 'src/application/maintenance/sweep-blobs.ts';
const TRANSFER = 'src/application/maintenance/transfer/transfer-catalog.ts';
const RECORDER = 'src/adapters/sql/records/image-recorder.ts';
const REPOSITORY = 'src/adapters/sql/records/objection-image-repository.ts';
const KEYS = 'src/adapters/sql/records/objection-idempotency-keys.ts';
const STAGING = 'src/adapters/filesystem/filesystem-staging-area.ts';
const BLOBS = 'src/adapters/filesystem/filesystem-blob-store.ts';
const ON_SQLITE = 'test/adapters/objection-image-repository.test.ts';
const KEYS_ON_SQLITE = 'test/adapters/objection-idempotency-keys.test.ts';
const ON_FILES = 'test/adapters/filesystem.test.ts';
const SPACES_ON_SQLITE = 'test/adapters/sql-spaces.test.ts';
const DOUBLE = 'test/support/doubles/in-memory-image-repository.ts';
const ERASE = 'src/application/trash/erase-image.ts';
const COPIED_TABLES = 'src/adapters/sql/records/sql-copied-tables.ts';
const COPIED_ON_SQLITE = 'test/adapters/sql-copied-tables.test.ts';
const NAMES_ON_SQLITE = 'test/adapters/sql-names.test.ts';
const UPLOAD_BY_TICKET = 'src/application/tickets/upload-by-ticket.ts';
const FOCUS_TESTS = 'test/domain/metadata.test.ts';
const BACKUP = 'src/application/maintenance/backup-catalog.ts';

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
    title: 'a backup keeps records that were deleted meanwhile',
    file: BACKUP,
    code: 'await removeRecord(copy, image);',
    replacement: '',
    suite: 'test/application/backup-catalog.test.ts',
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
    title: 'the uploads of a group are judged alone',
    file: RECORDER,
    code: '  room.held = held;',
    replacement: '',
    suite: SPACES_ON_SQLITE,
  },
  {
    title: 'a removal does not lower the counters',
    file: 'src/adapters/sql/records/remove-images.ts',
    code: '  await changeCounters(differences, transaction);',
    replacement: '',
    suite: SPACES_ON_SQLITE,
  },
  {
    title: 'a row of another space is read',
    file: REPOSITORY,
    code: 'row?.space_name === space ? catalogImageFromRow(row) : undefined',
    replacement: 'row && catalogImageFromRow(row)',
    suite: SPACES_ON_SQLITE,
  },
  {
    title: 'an image is recorded although its claim is lost',
    file: RECORDER,
    code: 'return held.length > 0;',
    replacement: 'return held.length >= 0;',
    suite: KEYS_ON_SQLITE,
  },
  {
    title: 'the blob of a record is removed under the lock',
    file: REPOSITORY,
    code: 'if (!(await this.isRecorded(uuid, transaction))) await markSwept(uuid, transaction);',
    replacement: 'await markSwept(uuid, transaction);',
    suite: ON_SQLITE,
  },
  {
    title: 'an image is recorded although its blob was swept',
    file: RECORDER,
    code: 'swept.has(image.uuid)',
    replacement: 'swept.has(`${image.uuid} of none`)',
    suite: ON_SQLITE,
  },
  {
    title: 'a blob is removed before its mark is committed',
    file: REPOSITORY,
    code: `    await this.whileNotRecording(uuid, async (transaction) => {
      if (!(await this.isRecorded(uuid, transaction))) await markSwept(uuid, transaction);
    });
    return await this.whileNotRecording(uuid, async (transaction) => {
`,
    replacement: `    return await this.whileNotRecording(uuid, async (transaction) => {
      if (!(await this.isRecorded(uuid, transaction))) await markSwept(uuid, transaction);
`,
    suite: ON_SQLITE,
  },
  {
    title: 'a key is released whoever holds it',
    file: KEYS,
    code: '.where({ scope, key, lease_owner: token })',
    replacement: '.where({ scope, key, ...(token === undefined && { lease_owner: token }) })',
    suite: KEYS_ON_SQLITE,
  },
  {
    title: 'several callers take over one key',
    file: KEYS,
    code: 'image_id is null and ${this.leases.isFree(LEASE_MS)} returning',
    replacement: 'image_id is null and (${this.leases.isFree(LEASE_MS)} or 1 = 1) returning',
    suite: KEYS_ON_SQLITE,
  },
  {
    title: 'the times of records fall with the clock',
    file: RECORDER,
    code: 'coalesce((select created_at from images order by id desc limit 1), 0)',
    replacement: '0',
    suite: ON_SQLITE,
  },
  {
    title: 'the folder of a blob is not synced',
    file: BLOBS,
    code: '    await this.syncs.sync(shard);',
    replacement: '',
    suite: ON_FILES,
  },
  {
    title: 'the age of a staged file counts although its process runs',
    file: STAGING,
    code: 'if (this.processes.isRunning(owner)) return false;',
    replacement: 'if (owner === this.processes.self) return false;',
    suite: ON_FILES,
  },
  {
    title: 'an unfinished blob is not removed',
    file: BLOBS,
    code: 'if (isRemoved !== true) await unlink(partPath(path)).catch(ignoreMissing);',
    replacement: '',
    suite: ON_FILES,
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
    title: 'a name of an image that is not there is copied',
    file: COPIED_TABLES,
    code: "'not exists (select 1 from images where images.id = names.image_id and images.space = names.space)'",
    replacement: "'1 = 0'",
    suite: COPIED_ON_SQLITE,
  },
  {
    title: 'the condition of a name is judged outside of the transaction of the record',
    file: RECORDER,
    code: 'if (!isExpected(row, matches)) throw new RejectedRequest(0, new NameChanged());',
    replacement: '',
    suite: NAMES_ON_SQLITE,
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
    title: 'a patch without a focus clears it',
    file: 'src/domain/image/patch-metadata.ts',
    code: 'const changes = { ...others, ownTakenAt,',
    replacement: 'const changes = { ...others, focus: others.focus ?? null, ownTakenAt,',
    suite: FOCUS_TESTS,
  },
  {
    title: 'a patch of the focus alone changes nothing',
    file: 'src/domain/image/says-the-same.ts',
    code: '[...Object.keys(NO_METADATA), ',
    replacement: "[...Object.keys(NO_METADATA).filter((name) => name !== 'focus'), ",
  },
];
