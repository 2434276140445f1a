import { AGAINST_SCENARIOS } from './scenarios/against.ts';
import { CHANGE_SCENARIOS } from './scenarios/changes.ts';
import { coldStart } from './scenarios/cold-start.ts';
import { costlyFiles } from './scenarios/costly-files.ts';
import { decodeStormCost } from './scenarios/decode-storm-cost.ts';
import { finding } from './scenarios/finding.ts';
import { firstLoad } from './scenarios/first-load.ts';
import { firstRendition } from './scenarios/first-rendition.ts';
import { FIRST_VIEW_SCENARIOS } from './scenarios/first-views.ts';
import { GALLERY_SCENARIOS } from './scenarios/gallery.ts';
import { GET_SCENARIOS } from './scenarios/gets.ts';
import { largeUploads } from './scenarios/large-uploads.ts';
import { lighthouse } from './scenarios/lighthouse.ts';
import { oneEncode } from './scenarios/one-encode.ts';
import { publicAddress } from './scenarios/public-addresses.ts';
import { renditionsBesideUploads } from './scenarios/renditions-beside-uploads.ts';
import { replicas } from './scenarios/replicas.ts';
import { responsiveness } from './scenarios/responsiveness.ts';
import { scale } from './scenarios/scale.ts';
import { similarImages } from './scenarios/similar.ts';
import { slowSearches } from './scenarios/slow-searches.ts';
import { soak } from './scenarios/soak.ts';
import { storedRendition } from './scenarios/stored-rendition.ts';
import { strangers } from './scenarios/strangers.ts';
import { UPLOAD_COST_SCENARIOS } from './scenarios/upload-cost.ts';
import { uploadMemory } from './scenarios/upload-memory.ts';
import { UPLOAD_SCENARIOS } from './scenarios/uploads.ts';
import { verification } from './scenarios/verification.ts';
import { suiteOf } from './support/suite.ts';

export const SUITES = {
  default: suiteOf('the service beside bare servers, start-up, memory, tokens, changes', [
    ...GET_SCENARIOS,
    ...UPLOAD_SCENARIOS,
    ...UPLOAD_COST_SCENARIOS,
    ...FIRST_VIEW_SCENARIOS,
    firstRendition,
    oneEncode,
    uploadMemory,
    coldStart,
    verification,
    ...CHANGE_SCENARIOS,
  ]),
  against: suiteOf('this build beside another one (--against)', AGAINST_SCENARIOS),
  changes: suiteOf('the feed of changes in pages and streams, and webhooks', CHANGE_SCENARIOS),
  gets: suiteOf('records and bytes beside bare servers and nginx', GET_SCENARIOS),
  uploads: suiteOf('uploads beside a bare server', [...UPLOAD_SCENARIOS, ...UPLOAD_COST_SCENARIOS]),
  'first-views': suiteOf('uploads with the first view of the default rendition', FIRST_VIEW_SCENARIOS),
  renditions: suiteOf('renditions: first, stored, requested by many clients, beside other requests', [
    firstRendition,
    storedRendition,
    oneEncode,
    responsiveness,
  ]),
  sharing: suiteOf('first renditions beside uploads (of this build, or of --against)', [
    renditionsBesideUploads,
  ]),
  publishing: suiteOf('public addresses beside signed links, uploads and people', [publicAddress, strangers]),
  memory: suiteOf('memory under concurrent uploads and in a long run', [uploadMemory, largeUploads, soak]),
  cost: suiteOf('CPU and memory of files that are small and expensive to decode', [
    costlyFiles,
    decodeStormCost,
  ]),
  scale,
  finding,
  searches: suiteOf('other requests beside slow searches of one subject, on SQLite', [slowSearches]),
  similar: similarImages,
  replicas,
  gallery: suiteOf(
    'the gallery in Chromium with a hundred thousand and (--full) a million records; first load; Lighthouse',
    [firstLoad, ...GALLERY_SCENARIOS, lighthouse],
  ),
} as const;
