import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';
import { InvalidConfig } from './invalid-config.ts';

export const EXTRA_CERTIFICATES = 'NODE_EXTRA_CA_CERTS';

/** Of Node.js 22.19, 24.5 and later. */
interface DefaultCertificates {
  readonly getCACertificates?: (type: 'default') => readonly string[];
  readonly setDefaultCACertificates?: (certificates: readonly string[]) => void;
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const NOT_USABLE = `${EXTRA_CERTIFICATES} must name a file of PEM certificates, and`;

let trusted: string | undefined;

/**
 * Trusts the certificates of a PEM file in all connections of this process, as Node.js does with `NODE_EXTRA_CA_CERTS` of its own
 * environment, which it reads only when it starts.
 *
 * @throws {InvalidConfig} if this Node.js cannot do so later, or the file cannot be read
 */
export function trustCertificates(path: string, node = tls as DefaultCertificates & object): void {
  if (path === trusted) return;
  const { getCACertificates, setDefaultCACertificates } = node;
  if (getCACertificates === undefined || setDefaultCACertificates === undefined) {
    throw new InvalidConfig([
      `${EXTRA_CERTIFICATES} has no effect in .env, because Node.js ${process.version} reads it only when it starts: set it in the environment of the process (export it in a shell, EnvironmentFile= in a unit of systemd, env_file in Compose), or use Node.js 22.19, 24.5 or later`,
    ]);
  }
  const certificates = readCertificates(path);
  if (typeof certificates === 'string') throw new InvalidConfig([certificates]);
  setDefaultCACertificates([...getCACertificates('default'), ...certificates]);
  trusted = path;
}

/** The certificates in PEM, or a sentence that says why there are none. Node.js itself ignores such a file. */
export function readCertificates(path: string): readonly string[] | string {
  try {
    const certificates = readFileSync(path, 'utf8').match(PEM) ?? [];
    // Node.js would ignore text that is no certificate.
    const parsed = certificates.map((certificate) => new X509Certificate(certificate));
    return parsed.length > 0 ? certificates : `${NOT_USABLE} ${path} has none`;
  } catch (error) {
    return `${NOT_USABLE} ${path} cannot be used (${(error as NodeJS.ErrnoException).code})`;
  }
}
