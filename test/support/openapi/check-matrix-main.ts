import { defaultDocument } from './default-document.ts';
import type { Description } from './described-api.ts';
import { savedHits } from './hits.ts';
import { matrixOf } from './matrix.ts';

const { text, missing } = matrixOf(defaultDocument() as Description, savedHits());
console.log(`\nResponses of the HTTP tests by operation and declared status:\n\n${text}\n`);
if (missing.length > 0) {
  console.error(`No test received: ${missing.join(', ')}`);
  process.exitCode = 1;
}
