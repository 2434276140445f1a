import { expect } from 'chai';
import type { Knex } from 'knex';
import { NO_METADATA } from '../../src/domain/image/image-metadata.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { behavesLikeATrash } from '../contracts/trash.contract.ts';
import { inMemoryTrash, sqlTrash, type TrashPorts } from '../support/doubles/finding-ports.ts';
import { imageHashes } from '../support/fixtures/image-hashes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

behavesLikeATrash('InMemoryTrash', async () => ({ ...inMemoryTrash(), tearDown: async () => {} }));

describe('SqlTrash on SQLite', () => {
  let catalog: { knex: Knex; tearDown: () => Promise<void> };
  let ports: TrashPorts;

  before(async () => {
    catalog = await newSqliteCatalog();
    ports = sqlTrash(catalog.knex);
  });

  after(async () => await catalog.tearDown());

  it('reads a snapshot of an earlier version, whose missing fields have their defaults', async () => {
    const { id } = await ports.images.in(COMMON_SPACE).add(newImage({ hashes: imageHashes() }));
    await ports.images.in(COMMON_SPACE).removeById(id, undefined, 'trash');
    const row = (await catalog.knex('trashed_images').where({ image_id: id }).first('snapshot')) as {
      readonly snapshot: string;
    };
    const { frames: _, ...record } = (
      JSON.parse(row.snapshot) as { readonly record: { readonly frames: number } }
    ).record;
    await catalog
      .knex('trashed_images')
      .update({ snapshot: JSON.stringify({ record, metadata: {} }) })
      .where({ image_id: id });

    const [trashed] = await ports.trash.findAll(id - 1, 1);

    expect(trashed).to.include({ id, frames: 1 });
    expect(trashed?.metadata).to.deep.equal({ ...NO_METADATA, version: 1, updatedAt: null });
    expect(trashed?.hashes).to.equal(undefined);
    expect(await ports.trash.in(COMMON_SPACE).restore(id)).to.include({ id, metadataVersion: 1 });
  });
});
