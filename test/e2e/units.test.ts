import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { canReusePorts } from '../../src/infrastructure/config/variable-types.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { lastingPort } from '../support/servers/lasting-port.ts';
import { type S3Server, type S3TestBucket, s3ServerFor } from '../support/servers/s3-server.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import {
  type Environment,
  NodeProcess,
  PROJECT_FOLDER,
  type RunningService,
  whenListening,
} from '../support/servers/service-process.ts';

const UNITS = ['image-catalog.service', 'image-catalog@.service'];
const PROGRAM = join(PROJECT_FOLDER, 'bin/image-catalog.cjs');

/** A variable that the service would refuse. */
const OF_A_DOT_ENV_FILE = 'DATABASE_URL=nothing\nPORT=nothing\n';

let folder: ServiceFolder;
let service: RunningService | undefined;

/** The folders that systemd makes for a unit, below the temporary one. */
function foldersOf(): { readonly state: string; readonly cache: string } {
  return { state: join(folder.path, 'state'), cache: join(folder.path, 'cache') };
}

/** What systemd gives to the process: the lines of the unit, then those of the environment file, and the folders. */
async function unitEnvironment(unit: string, environmentFile: Environment): Promise<Environment> {
  const { state, cache } = foldersOf();
  const text = await readFile(join(PROJECT_FOLDER, 'deploy', unit), 'utf8');
  const lines = [...text.matchAll(/^Environment=(\w+)=(.*)$/gm)];
  const ofUnit = lines.map(([, name = '', value = '']) => [
    name,
    value.replace('/var/lib/image-catalog', state).replace('/var/cache/image-catalog', cache),
  ]);
  return {
    ...(Object.fromEntries(ofUnit) as Environment),
    ...folder.env,
    HOST: '127.0.0.1',
    PORT: '0',
    MANAGEMENT_PORT: String(await lastingPort()),
    REUSE_PORT: String(canReusePorts(process.platform, process.versions.node) && unit.includes('@')),
    ...environmentFile,
    STATE_DIRECTORY: state,
    CACHE_DIRECTORY: cache,
  };
}

async function start(unit: string, environmentFile: Environment = {}): Promise<RunningService> {
  const text = await readFile(join(PROJECT_FOLDER, 'deploy', unit), 'utf8');
  const cwd = /^WorkingDirectory=(.*)$/m.exec(text)?.[1] ?? '';
  const env = await unitEnvironment(unit, environmentFile);
  service = await whenListening(NodeProcess.start([PROGRAM, 'serve'], { cwd, env }));
  return service;
}

async function upload(running: RunningService): Promise<number> {
  const picture = new Uint8Array(await pngPicture());
  return (await folder.client(running).upload(picture, 'cat.png')).status;
}

for (const unit of UNITS) {
  describe(`The service with the environment of deploy/${unit}`, () => {
    let rootFiles: readonly string[];

    beforeEach(async () => {
      rootFiles = await readdir('/');
      folder = await ServiceFolder.open();
      // systemd makes them before it starts the process.
      for (const path of Object.values(foldersOf())) await mkdir(path, { mode: 0o700 });
      await writeFile(join(foldersOf().state, '.env'), OF_A_DOT_ENV_FILE);
    });

    afterEach(async () => {
      await service?.process.stop();
      service = undefined;
      await folder.close();
    });

    it('stores everything in its folders, and reads no .env beside the pictures', async () => {
      const running = await start(unit);

      expect(await upload(running)).to.equal(201);
      expect(await readdir(foldersOf().state)).to.include.members(['.env', 'blobs', 'catalog.sqlite']);
      expect(await readdir(foldersOf().cache)).to.deep.equal(['renditions']);
      expect(await readdir('/')).to.deep.equal(rootFiles);
    });

    describe('with blobs on S3', () => {
      let server: S3Server;
      let bucket: S3TestBucket;

      before(async function () {
        server = await s3ServerFor(this);
        bucket = await server.makeBucket();
      });

      after(() => bucket?.remove());

      it('stages uploads in data/staging of its state folder', async () => {
        const running = await start(unit, { ...server.environment, BLOB_STORE_URL: bucket.url });

        expect(await upload(running)).to.equal(201);
        expect(await readdir(join(foldersOf().state, 'data'))).to.deep.equal(['staging']);
        expect(await readdir('/')).to.deep.equal(rootFiles);
      });
    });
  });
}
