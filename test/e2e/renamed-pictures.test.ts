import { chmodSync, chownSync, existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { otherUser } from '../../src/adapters/decoder/confinement.ts';
import { isBlobKey } from '../../src/domain/image/blob-key.ts';
import { writeDecoderWithObject } from '../support/doubles/loaded-object.ts';
import { costlyJpeg } from '../support/fixtures/costly-jpeg.ts';
import { envPicture } from '../support/fixtures/env-picture.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { jwk, rsaKey } from '../support/fixtures/tokens.ts';
import { aliveOf, busyDecodersOf, decodersOf } from '../support/servers/decoder-processes.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import {
  blobFolder,
  commandEnvironment,
  NodeProcess,
  PROJECT_FOLDER,
  type RunningService,
  whenListening,
} from '../support/servers/service-process.ts';
import { publish, SigningKeyServer } from '../support/servers/signing-key-server.ts';
import { asUser, canBecomeAnotherUser } from '../support/servers/without-powers.ts';
import { isInstalled } from '../support/skipped/is-installed.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';

/** The working folder of the units and of the container. */
const ROOT_FOLDER = '/';

/** Other tests stop all processes of `OTHER_USER`, and can run at the same time. */
const SERVICE_USER = 65_532;

const PHASES = ['before its first job', 'during a job', 'while it is idle'] as const;
type Phase = (typeof PHASES)[number];

/** Takes a second. */
const COSTLY_SIDE = 2_400;

const FEW_DECODERS = 2;
const ENDED_BY_KILL = { code: null, signal: 'SIGKILL' };
const isRoot = process.getuid?.() === 0;
const attackerKey = rsaKey('attacker');

let folder: TemporaryFolder;
let program: string;
let through: readonly string[];
let catalog: ServiceFolder;
let attacker: SigningKeyServer;
const started: NodeProcess[] = [];

/** The folder in which the service stores everything, as systemd makes it for a unit. */
function stateFolder(): string {
  return join(folder.path, 'state');
}

/** The object in the decoder acts when this link exists: see `replacesEnv`. */
function triggerPath(): string {
  return join(stateFolder(), 'now');
}

function envPath(): string {
  return join(stateFolder(), '.env');
}

/** Copies the built service, because its decoders are always those of its own `dist`. Each loads the attacker's code. */
async function copyProgram(): Promise<void> {
  const copy = join(folder.path, 'program');
  await mkdir(copy);
  for (const part of ['bin', 'dist', 'package.json']) {
    await cp(join(PROJECT_FOLDER, part), join(copy, part), { recursive: true });
  }
  await symlink(join(PROJECT_FOLDER, 'node_modules'), join(copy, 'node_modules'));
  await writeDecoderWithObject(join(copy, 'dist'), 'replacesEnv', triggerPath());
  program = join(copy, 'bin/image-catalog.cjs');
}

async function makeStateFolder(user: number | undefined): Promise<void> {
  await mkdir(stateFolder());
  // If decoders have another user than the service, their attack should fail because of the rename, not because of the path.
  for (const path of [folder.path, stateFolder()]) chmodSync(path, 0o755);
  if (isRoot && user !== undefined) chownSync(stateFolder(), user, user);
  through = user === undefined ? [] : asUser(user);
  catalog = await ServiceFolder.open(stateFolder());
}

function run(command: string, cwd: string): NodeProcess {
  const env = {
    ...commandEnvironment({ folder: stateFolder(), env: catalog.env }),
    DECODERS: String(FEW_DECODERS),
    DECODERS_IDLE: String(FEW_DECODERS),
    STATE_DIRECTORY: stateFolder(),
    // A library asks for the home folder, and /etc/passwd has no such user.
    HOME: stateFolder(),
  };
  const one = NodeProcess.start([program, command], { cwd, env, through });
  started.push(one);
  return one;
}

/** Starts the service, and waits until all its decoders can take a picture. */
async function start(cwd: string): Promise<RunningService> {
  const service = await whenListening(run('serve', cwd));
  await eventually(
    () => decodersOf(service.process.pid),
    (pids) => pids.length === FEW_DECODERS,
  );
  return service;
}

/** @returns the path of the stored picture */
async function uploadEnv(service: RunningService): Promise<string> {
  const picture = await envPicture([`IDP_JWKS_URI=${attacker.jwksUri}`]);
  expect((await catalog.client(service).upload(picture, 'cat.jpg')).status).to.equal(201);
  const entries = await readdir(blobFolder(stateFolder()), { recursive: true, withFileTypes: true });
  const blobs = entries.filter((entry) => entry.isFile() && isBlobKey(entry.name));
  expect(blobs).to.have.length(1);
  return join(blobs[0]?.parentPath ?? '', blobs[0]?.name ?? '');
}

/** Uploads a picture that takes a second; resolves when a decoder works on it. The upload may fail. */
async function beginJob(service: RunningService): Promise<void> {
  const { pid } = service.process;
  const begun = new Map<number, number>();
  busyDecodersOf(pid, begun);
  const costly = new Uint8Array(costlyJpeg('one', COSTLY_SIDE));
  catalog
    .client(service)
    .upload(costly, 'costly.jpg')
    .catch(() => undefined);
  const busy = await eventually(
    () => busyDecodersOf(pid, begun),
    (pids) => pids.length > 0,
  );
  expect(busy).to.not.have.length(0);
}

interface Attack {
  readonly service: RunningService;
  readonly picture: string;
  /** The decoders that attack. */
  readonly decoders: readonly number[];
}

async function attack(phase: Phase): Promise<Attack> {
  let service = await start(ROOT_FOLDER);
  const picture = await uploadEnv(service);
  if (phase === 'before its first job') {
    await service.process.stop();
    service = await start(ROOT_FOLDER);
  }
  if (phase === 'during a job') await beginJob(service);
  const decoders = decodersOf(service.process.pid);
  await symlink(picture, triggerPath());
  return { service, picture, decoders };
}

/** What the service responds to a token of its identity provider, and to one with the attacker's signature. */
async function statusesOf(
  service: RunningService,
): Promise<{ readonly good: number; readonly forged: number }> {
  const statusFor = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(new URL('api/images', service.url), { headers })).status;
  };
  return {
    good: await statusFor(catalog.token),
    forged: await statusFor(catalog.tokenWith({}, attackerKey)),
  };
}

async function expectReplacedEnv({ service, picture }: Attack): Promise<void> {
  expect(await service.process.exited, service.process.output).to.deep.equal(ENDED_BY_KILL);
  expect(existsSync(picture)).to.equal(false);
  const variables = parseEnv(await readFile(envPath(), 'utf8'));
  expect(variables.IDP_JWKS_URI).to.equal(attacker.jwksUri);
}

async function adviceOfDoctor(cwd: string): Promise<string> {
  const doctor = run('doctor', cwd);
  await doctor.exited;
  return doctor.stdout;
}

describe('Both units and the container of the service', () => {
  it('start it in /, as the tests of renamed pictures do', async () => {
    for (const unit of ['image-catalog.service', 'image-catalog@.service']) {
      const text = await readFile(join(PROJECT_FOLDER, 'deploy', unit), 'utf8');
      expect(/^WorkingDirectory=(.*)$/m.exec(text)?.[1], unit).to.equal(ROOT_FOLDER);
    }
    const container = await readFile(join(PROJECT_FOLDER, 'deploy/Containerfile'), 'utf8');
    expect([...container.matchAll(/^WORKDIR (.*)$/gm)].at(-1)?.[1]).to.equal(ROOT_FOLDER);
  });
});

describe('A decoder that renames a picture to .env and kills the service', () => {
  before(function () {
    if (process.platform !== 'linux') skipAloud(this, 'needs Linux');
    if (!isInstalled('cc')) skipAloud(this, 'no compiler of C is installed');
  });

  beforeEach(async () => {
    folder = await temporaryFolder();
    await copyProgram();
    attacker = await SigningKeyServer.start(publish([jwk(attackerKey)]));
  });

  afterEach(async () => {
    for (const one of started.splice(0)) await one.stop('SIGKILL');
    await catalog?.close();
    await attacker?.stop();
    await folder?.remove();
  });

  describe('with the user of the service', withUserOfService);
  describe('as nobody, in a service of root', asNobody);
});

function withUserOfService(): void {
  before(function () {
    if (!canBecomeAnotherUser()) skipAloud(this, 'root cannot become another user');
  });

  beforeEach(() => makeStateFolder(SERVICE_USER));

  for (const phase of PHASES) {
    it(`${phase} does not get forged tokens accepted after a restart in /`, async () => {
      await expectReplacedEnv(await attack(phase));

      expect(await statusesOf(await start(ROOT_FOLDER))).to.deep.equal({ good: 200, forged: 401 });
    });
  }

  it('gets forged tokens accepted after a restart in the folder of the pictures, about which doctor warns', async () => {
    await expectReplacedEnv(await attack('while it is idle'));

    expect(await statusesOf(await start(stateFolder()))).to.deep.equal({ good: 401, forged: 200 });
    const warning = /A decoder that a file has taken over could rename a picture to \.env/;
    expect(await adviceOfDoctor(ROOT_FOLDER)).to.not.match(warning);
    expect(await adviceOfDoctor(stateFolder())).to.match(warning);
  });
}

function asNobody(): void {
  before(function () {
    if (otherUser() === undefined) skipAloud(this, 'needs root that may give decoders another user');
  });

  beforeEach(() => makeStateFolder(undefined));

  for (const phase of PHASES) {
    it(`${phase} can do neither`, async () => {
      const { service, picture, decoders } = await attack(phase);
      const left = await eventually(
        () => aliveOf(decoders),
        (pids) => pids.length === 0,
      );
      expect(left).to.deep.equal([]);
      await rm(triggerPath());

      expect(aliveOf([service.process.pid])).to.have.length(1);
      expect(existsSync(picture)).to.equal(true);
      expect(existsSync(envPath())).to.equal(false);
      expect(await statusesOf(service)).to.deep.equal({ good: 200, forged: 401 });
    });
  }
}
