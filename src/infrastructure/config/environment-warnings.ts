import { variableNames } from './config.ts';
import { editDistance } from './edit-distance.ts';
import { canUseProxies, PROXY_VARIABLES } from './proxy-variable.ts';
import { readEnvFile } from './read-env-file.ts';
import { ENV_FILE, namesReadTooLate } from './read-environment.ts';
import { EXTRA_CERTIFICATES, readCertificates } from './trust-certificates.ts';
import type { Environment } from './variable-table.ts';

/** Variables that commands read, and the service does not. */
const OF_COMMANDS = [
  'CATALOG_URL',
  'CATALOG_TOKEN',
  'CATALOG_ISSUER',
  'CATALOG_CLIENT_ID',
  'CATALOG_CLIENT_SECRET',
  'CATALOG_AUDIENCE',
  'CATALOG_RESOURCE',
  'CATALOG_SCOPE',
  'TRANSFER_TO_DATABASE',
  'TRANSFER_TO_BLOBS',
];

/** Variables of other programs, some of which resemble a setting. */
const OF_OTHERS = /^(?:PG.*|AWS_.*|NODE_.*|HOME|PATH|APP_URL)$/;

/** In a name of this length, two letters may be wrong. */
const LONG_NAME = 10;

interface EnvironmentWarning {
  /** What is probably a mistake. */
  readonly text: string;
  /** What to do. */
  readonly change: string;
}

type Warnings = Generator<EnvironmentWarning, void, undefined>;

/**
 * Variables of `.env` and of the process that are probably a mistake, and are no problem for `parseConfig`.
 *
 * @param environment of `readEnvironment`
 * @throws {InvalidConfig} if the file cannot be read as a whole
 */
export function environmentWarnings(environment: Environment): readonly EnvironmentWarning[] {
  return [
    ...misspelt(Object.keys(readEnvFile(ENV_FILE))),
    ...quoted(environment),
    ...tooLate(),
    ...untrusted(environment),
    ...unproxied(environment),
  ];
}

function* misspelt(names: readonly string[]): Warnings {
  const known = [...variableNames(), ...OF_COMMANDS];
  for (const name of names) {
    if (known.includes(name) || OF_OTHERS.test(name)) continue;
    const meant = nearest(name.toUpperCase(), known);
    if (meant !== undefined) {
      yield {
        text: `${name} in ${ENV_FILE} has no effect, because no setting has this name`,
        change: `write ${meant} if that is meant`,
      };
    }
  }
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const near = known
    .map((each) => ({ each, distance: distanceTo(each, name) }))
    .filter(({ distance }) => Number.isFinite(distance));
  return near.sort((a, b) => a.distance - b.distance)[0]?.each;
}

/** Infinite if the names have too little in common. */
function distanceTo(known: string, name: string): number {
  const most = known.length >= LONG_NAME ? 2 : 1;
  if (Math.abs(name.length - known.length) > most) return Number.POSITIVE_INFINITY;
  return editDistance(name, known, most);
}

function* quoted(environment: Environment): Warnings {
  for (const name of [...variableNames(), ...OF_COMMANDS]) {
    if (/^(["']).*\1$/s.test(environment[name] ?? '')) {
      yield {
        text: `${name} has quotes at both ends, which are part of its value`,
        change: 'write it without quotes: docker run --env-file, Kubernetes and others keep them',
      };
    }
  }
}

function* tooLate(): Warnings {
  for (const name of namesReadTooLate()) {
    yield {
      text: `${name} in ${ENV_FILE} has no effect, because Node.js reads it only from the environment of the process`,
      change:
        name === 'NODE_TLS_REJECT_UNAUTHORIZED'
          ? `remove it, and name the certificates of your CA in ${EXTRA_CERTIFICATES}`
          : 'set it where the process is started: export it in a shell, EnvironmentFile= in a unit of systemd, env_file in Compose',
    };
  }
}

function* untrusted({ [EXTRA_CERTIFICATES]: path = '' }: Environment): Warnings {
  const certificates = path === '' ? [] : readCertificates(path);
  if (typeof certificates !== 'string') return;
  yield {
    text: certificates,
    change: 'correct the path: until then Node.js trusts only its own certificates',
  };
}

function* unproxied(environment: Environment): Warnings {
  const name = PROXY_VARIABLES.find((each) => environment[each]);
  if (name === undefined || canUseProxies()) return;
  yield {
    text: `${name} is set, and Node.js ${process.version} cannot use it: requests for signing keys, to webhooks and to S3 go out directly`,
    change: 'use Node.js 22.21, 24.5 or later, or let the firewall pass these requests',
  };
}
