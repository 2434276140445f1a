import { writeFile } from 'node:fs/promises';
import { CLIENT_FIELDS, clientFieldsText } from './client-fields.ts';
import { COMMITTED_DOCUMENT, committedText } from './default-document.ts';

await writeFile(COMMITTED_DOCUMENT, committedText());
await writeFile(CLIENT_FIELDS, clientFieldsText());
