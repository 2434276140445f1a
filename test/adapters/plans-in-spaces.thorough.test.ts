import { expect } from 'chai';
import type { Knex } from 'knex';
import type { ImageRecords } from '../../src/domain/ports/records/image-repository.ts';
import type { SearchFilter } from '../../src/domain/ports/records/image-search.ts';
import type { Space } from '../../src/domain/space/space.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { describeOnPostgres, useCatalog } from '../support/servers/postgres-server.ts';

const [QUIET, BUSY] = ['quiet', 'busy'] as Space[] as [Space, Space];
const BUSY_IMAGES = 20_000;

/** By what the pages of a quiet space may be found; never by the ids of all spaces. */
const PAGES: ReadonlyArray<readonly [string, SearchFilter, RegExp]> = [
  ['all images', {}, /images_space_index/],
  ['images of one media type', { mediaType: 'image/png' }, /images_space_(media_type_)?index/],
  ['images without tags', { tagged: false }, /image_metadata_untagged_index/],
  ['images of one uploader', { createdBy: 'ann' }, /images_space_(created_by_)?index/],
  ['images without an alternative text', { alt: false }, /image_metadata_no_alt_index/],
  ['images without a capture time', { dated: false }, /image_metadata_undated_index/],
];

describeOnPostgres('Pages of a quiet space beside a busy one on Postgres', (server) => {
  let knex: Knex;
  const catalog = useCatalog(server);
  let repository: ImageRecords;
  let asked: Array<{ readonly sql: string; readonly bindings: readonly Knex.RawBinding[] }>;

  before(async () => {
    knex = catalog().knex;
    repository = sqlPorts(knex).images;
    for (let image = 0; image < 3; image += 1) await repository.in(QUIET).add(newImage());
    await repository.in(BUSY).add(newImage());
    await repeatNewest(knex);
    knex.on('query', (query: (typeof asked)[number]) => asked.push(query));
  });

  beforeEach(() => {
    asked = [];
  });

  async function planOfLast(): Promise<string> {
    const { sql, bindings } = asked.at(-1) as (typeof asked)[number];
    const { rows } = await knex.raw<{ readonly rows: ReadonlyArray<Readonly<Record<string, string>>> }>(
      `explain ${sql.replace(/\$\d+/g, '?')}`,
      [...bindings],
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  for (const [name, filter, index] of PAGES) {
    it(`reads ${name} through an index that begins with the space`, async () => {
      const search = sqlPorts(knex).search;
      const query = { filter, sort: { by: 'created', order: 'desc' }, limit: 50 } as const;
      await search.in(QUIET).findPage(query);

      expect(await planOfLast()).to.match(index);
    });
  }

  it('reads the images of an export through an index that begins with the space', async () => {
    await repository.findPage({ order: 'asc', limit: 50, space: QUIET });

    expect(await planOfLast()).to.match(/images_space_index/);
  });
});

/** Rows that are only counted by the planner. */
async function repeatNewest(knex: Knex): Promise<void> {
  const columns = async (table: string, without: readonly string[]): Promise<string> => {
    const known = Object.keys(await knex(table).columnInfo());
    return known.filter((name) => !without.includes(name)).join(', ');
  };
  const [images, metadata] = [
    await columns('images', ['id', 'blob_uuid', 'place']),
    await columns('image_metadata', ['image_id', 'tags', 'taken_at']),
  ];
  await knex.raw(
    `insert into images (blob_uuid, place, ${images}) select gen_random_uuid(), 10 + n, ${images}
    from images, generate_series(1, ${BUSY_IMAGES}) n where id = 4`,
  );
  await knex.raw(
    `insert into image_metadata (image_id, tags, taken_at, ${metadata})
    select images.id, null, null, ${metadata.replace(/\bspace\b/, 'image_metadata.space')}
    from image_metadata, images where image_id = 4 and images.id > 4`,
  );
  await knex.raw('analyze images, image_metadata');
}
