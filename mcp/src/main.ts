import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ImageCatalog } from '../../client/src/node.ts';
import { tokenSource } from '../../src/infrastructure/commands/token-source.ts';
import { catalogServer } from './catalog-server.ts';
import { signIn } from './sign-in.ts';

const USAGE = `image-catalog-mcp --url URL [--write] [--links] [--allow-files DIR]

Lets an assistant use an Image Catalog Service, by the Model Context Protocol on standard input and output.

  --url URL          the address of the service (or CATALOG_URL)
  --write            permits edit_metadata and upload_image
  --links            permits make_link, whose addresses are public
  --allow-files DIR  with --write: permits uploads of the files below DIR

The token: CATALOG_TOKEN; or CATALOG_ISSUER and CATALOG_CLIENT_ID (and CATALOG_AUDIENCE, CATALOG_SCOPE,
CATALOG_RESOURCE as the provider needs them), with CATALOG_CLIENT_SECRET or a person who confirms a code.
`;
const EXIT_CONFIG = 78;
/** An assistant can call again; a person waits meanwhile. */
const RETRIES = 1;

const MANIFEST = new URL('../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { readonly version: string };

try {
  serve();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = EXIT_CONFIG;
}

function serve(): void {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      write: { type: 'boolean', default: false },
      links: { type: 'boolean', default: false },
      'allow-files': { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) return void process.stdout.write(USAGE);
  const { env } = process;
  const url = values.url ?? env['CATALOG_URL'] ?? '';
  if (!/^https?:/.test(url) || !URL.canParse(url)) throw new Error('--url must be an http(s) address');
  const getToken = signIn((showCode) => tokenSource(env, showCode));
  const images = new ImageCatalog({ url, getToken, retries: RETRIES });
  const { write, links, 'allow-files': folder } = values;
  // The client's first message decides the version of the protocol, and each version needs a server of its own.
  serveStdio(() => catalogServer(images, version, { write, links, folder }));
}
