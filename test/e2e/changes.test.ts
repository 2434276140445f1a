import { expect } from 'chai';
import { tinyPng } from '../support/fixtures/tiny-pictures.ts';
import { uploadedId } from '../support/http/catalog-client.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import type { RunningService } from '../support/servers/service-process.ts';
import { eventually } from '../support/time/eventually.ts';

interface Line {
  readonly space?: string;
  readonly cursor: string;
  readonly type: string;
  readonly id: number;
}

function linesOf(text: string): readonly Line[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

let folder: ServiceFolder;
let service: RunningService;

async function upload(number: number): Promise<number> {
  const file = new File([new Uint8Array(tinyPng(number))], `${number}.png`);
  return (await folder.images(service).upload(file)).id;
}

describe('image-catalog changes', () => {
  before(async () => {
    folder = await ServiceFolder.open();
    service = await folder.start();
    await upload(1);
    await upload(2);
  });

  after(() => folder?.close());

  it('prints the feed as JSON lines, as the service shows it, with the space of each change', async () => {
    const { code, stdout } = await folder.run(['changes']);
    const response = await fetch(`${service.url}api/changes`, {
      headers: { Authorization: `Bearer ${folder.token}` },
    });

    expect(code).to.equal(0);
    const { changes } = (await response.json()) as { changes: readonly Line[] };
    expect(linesOf(stdout)).to.deep.equal(changes.map((change) => ({ ...change, space: '' })));
  });

  it('begins behind a cursor', async () => {
    const [first] = linesOf((await folder.run(['changes'])).stdout);
    const { stdout } = await folder.run(['changes', '--after', String(first?.cursor)]);

    expect(linesOf(stdout).map(({ id }) => id)).to.deep.equal([2]);
    expect((await folder.run(['changes', '--after', 'latest'])).stdout).to.equal('');
  });

  it('exits with 65 for a cursor that has expired', async () => {
    const { code, stderr } = await folder.run(['changes', '--after', 'unknown']);
    expect(code).to.equal(65);
    expect(stderr).to.contain('start again from a listing');
  });

  it('ends in peace when nobody reads what it prints', async () => {
    for (const args of [['changes'], ['changes', '--follow']]) {
      const through = ['sh', '-c', '{ "$@"; echo "$?" >&2; } | true', 'sh'];
      const printing = folder.spawnCommand(args, {}, folder.path, through);
      await printing.exited;
      expect(printing.stderr).to.equal('0\n');
    }
  });

  it('follows the feed until a signal', async () => {
    const following = folder.spawnCommand(['changes', '--after', 'latest', '--follow']);
    const ids: number[] = [];
    await eventually(async () => {
      ids.push(await upload(10 + ids.length));
      return linesOf(following.stdout).length;
    }, Boolean);
    await eventually(
      () => linesOf(following.stdout).at(-1)?.id,
      (id) => id === ids.at(-1),
    );
    following.kill('SIGTERM');

    expect((await following.exited).code).to.equal(143);
  });
});

describe('image-catalog changes of a catalog with spaces', () => {
  const NAMES = ['alpha', '--space', 'Ω ❤'];

  before(async () => {
    folder = await ServiceFolder.open();
    service = await folder.start({ SPACE_CLAIM: 'tenant' });
    for (const tenant of [...NAMES, ...NAMES]) await uploadTo(tenant);
  });

  after(() => folder?.close());

  async function uploadTo(tenant: string): Promise<number> {
    const client = folder.client(service, folder.tokenWith({ tenant }));
    return uploadedId(await client.upload(new Uint8Array(tinyPng(1)), 'a.png'));
  }

  for (const [at, name] of NAMES.entries()) {
    it(`prints those of ${name} alone with --space, as the service shows them`, async () => {
      const { stdout } = await folder.run(['changes', `--space=${name}`]);
      const client = folder.client(service, folder.tokenWith({ tenant: name }));
      const { changes } = (await (await client.read('api/changes')).json()) as { changes: readonly Line[] };

      expect(linesOf(stdout)).to.deep.equal(changes.map((change) => ({ ...change, space: name })));
      expect(changes.map(({ id }) => id)).to.deep.equal([at + 1, at + 4]);
    });
  }
});
