import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { TestService } from '../support/http/test-service.ts';
import { eventually } from '../support/time/eventually.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PATCH = 'application/merge-patch+json';

let service: TestService;
let folder: TemporaryFolder;

/** The recipe as it is printed, in a folder of its own. */
async function prepare(): Promise<void> {
  const page = await readFile(join(ROOT, 'docs/changes.md'), 'utf8');
  const [, recipe = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
  expect(recipe.trim().split('\n').filter(Boolean).length).to.be.at.most(40);
  await writeFile(join(folder.path, 'copy.mjs'), recipe);
  const modules = join(folder.path, 'node_modules');
  await mkdir(join(modules, '@image-catalog'), { recursive: true });
  await symlink(join(ROOT, 'client'), join(modules, '@image-catalog/client'));
  await symlink(join(ROOT, 'node_modules/sqlite3'), join(modules, 'sqlite3'));
}

function start(): ChildProcess {
  return spawn(process.execPath, ['copy.mjs', 'copy.sqlite'], {
    cwd: folder.path,
    env: { CATALOG_URL: service.url, CATALOG_TOKEN: service.token() },
    stdio: 'ignore',
  });
}

async function kill(copy: ChildProcess): Promise<void> {
  copy.kill('SIGKILL');
  await once(copy, 'close');
}

async function copied(): Promise<readonly unknown[]> {
  const knex = openSqliteDatabase(join(folder.path, 'copy.sqlite'));
  const isThere = await knex.schema.hasTable('images');
  const rows: readonly string[] = isThere ? await knex('images').orderBy('id').pluck('record') : [];
  await knex.destroy();
  return rows.map((record) => JSON.parse(record) as unknown);
}

async function requireCopy(): Promise<void> {
  const { body } = await service.get('/api/images').expect(200);
  const expected = JSON.stringify(body);
  const found = await eventually(
    // The copy is locked while the recipe makes it.
    async () => JSON.stringify(await copied().catch(() => [])),
    (seen) => seen === expected,
  );
  expect(JSON.parse(found)).to.deep.equal(body);
}

describe('the recipe that keeps a copy in step', () => {
  before(async () => {
    service = await TestService.start();
    folder = await temporaryFolder();
    await prepare();
  });

  after(async () => {
    await service.stop();
    await folder.remove();
  });

  it('ends with exactly the catalog, also if it is killed and the feed has lost its place', async () => {
    const picture = await pngPicture();
    const images = [
      await service.upload(picture),
      await service.upload(picture),
      await service.upload(picture),
    ];
    let copy = start();
    await requireCopy();

    await service.delete(`/api/image/${images[0]?.id}`).expect(204);
    await service.upload(picture);
    await kill(copy);
    await service.patchJson(`/api/image/${images[1]?.id}/metadata`, '{"title":"new"}', PATCH).expect(200);
    copy = start();
    await requireCopy();

    await kill(copy);
    await service.delete(`/api/image/${images[2]?.id}`).expect(204);
    const begin = { number: 100, mark: 1, kind: 0, image_id: 0, at: 0, space_name: '' };
    await service.container.get(TOKENS.tables).writeRows('changes', [begin], true);
    await service.upload(picture);
    copy = start();
    await requireCopy();
    await kill(copy);
  });
});
