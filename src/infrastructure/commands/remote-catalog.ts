import { ImageCatalog } from '../../../client/src/node.ts';
import type { ShowCode } from '../../adapters/openid/access-tokens.ts';
import type { Environment } from '../config/variable-table.ts';
import { UsageError } from './command-line/usage-error.ts';
import { tokenSource } from './token-source.ts';

export interface RemoteCatalog {
  readonly url: URL;
  readonly images: ImageCatalog;
}

/**
 * @param url of `--url`; else CATALOG_URL
 * @param retries of a request; with 0 every refusal reaches the caller
 * @throws {UsageError}
 */
export function remoteCatalog(
  url: string | undefined,
  environment: Environment,
  retries: number,
): RemoteCatalog {
  const address = url ?? (environment.CATALOG_URL || undefined);
  if (address === undefined) throw new UsageError('--url (or CATALOG_URL) or --direct is required');
  if (!/^https?:/.test(address) || !URL.canParse(address)) {
    throw new UsageError('--url must be an http(s) address');
  }
  const parsed = new URL(address);
  return {
    url: parsed,
    images: new ImageCatalog({ url: parsed, getToken: tokenSource(environment, printCode), retries }),
  };
}

const printCode: ShowCode = ({ address, userCode }) =>
  console.error(`Open ${address} and confirm the code ${userCode}`);
