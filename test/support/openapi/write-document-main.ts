import { writeFile } from 'node:fs/promises';
import { COMMITTED_DOCUMENT, committedText } from './default-document.ts';

await writeFile(COMMITTED_DOCUMENT, committedText());
