import { expect } from 'chai';
import type { Knex } from 'knex';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import type { TrashPorts } from '../support/doubles/finding-ports.ts';
import { newImage } from '../support/fixtures/new-image.ts';

/** The statements of a sweeper that takes the blob for one without a record. */
async function mark(knex: Knex, uuid: string): Promise<number> {
  await knex('swept_blobs').insert({ uuid }).onConflict('uuid').ignore();
  return (await knex('swept_blobs').where({ uuid })).length;
}

export function keepsBlobsOfTheTrash(name: string, catalog: () => { knex: Knex; ports: TrashPorts }): void {
  describe(`${name} beside a sweeper that is wrong`, () => {
    it('lets it mark no blob of an image, in the trash or not, and every other one', async () => {
      const { knex, ports } = catalog();
      const images = ports.images.in(COMMON_SPACE);
      const [live, trashed, erased] = [
        await images.add(newImage()),
        await images.add(newImage()),
        await images.add(newImage()),
      ];
      for (const { id } of [trashed, erased]) await images.removeById(id, undefined, 'trash');
      await ports.trash.in(COMMON_SPACE).erase(erased.id);

      const marked = await Promise.all(
        [live, trashed, erased, newImage()].map(({ uuid }) => mark(knex, uuid)),
      );

      expect(marked).to.deep.equal([0, 0, 1, 1]);
      expect(await ports.trash.in(COMMON_SPACE).restore(trashed.id)).to.include({ id: trashed.id });
    });
  });
}
