import { app } from './app.ts';
import { archive } from './archive.ts';
import { bulkEdit } from './bulk-edit.ts';
import { common } from './common.ts';
import { compare } from './compare.ts';
import { copiesPage } from './copies-page.ts';
import { copying } from './copying.ts';
import { crops } from './crops.ts';
import { deletion } from './deletion.ts';
import { edits } from './edits.ts';
import { grid } from './grid.ts';
import { header } from './header.ts';
import { live } from './live.ts';
import { names } from './names.ts';
import { notices } from './notices.ts';
import { panel } from './panel.ts';
import { publishing } from './publishing.ts';
import { scrubber } from './scrubber.ts';
import { search } from './search.ts';
import { searchBox } from './search-box.ts';
import { selection } from './selection.ts';
import { selectionBar } from './selection-bar.ts';
import { sharing } from './sharing.ts';
import { shortcuts } from './shortcuts.ts';
import { slideshow } from './slideshow.ts';
import { stage } from './stage.ts';
import { star } from './star.ts';
import { states } from './states.ts';
import { tags } from './tags.ts';
import { tagsPage } from './tags-page.ts';
import { trash } from './trash.ts';
import { trouble } from './trouble.ts';
import { undo } from './undo.ts';
import { upload } from './upload.ts';
import { viewBar } from './view-bar.ts';
import { viewer } from './viewer.ts';
import { words } from './words.ts';

/** The texts of every room, by the name that they have in English. */
export const german = {
  formats: words,
  app,
  archive,
  bulkEdit,
  common,
  compare,
  copiesPage,
  copying,
  crops,
  deletion,
  edits,
  grid,
  header,
  live,
  names,
  notices,
  panel,
  publishing,
  scrubber,
  search,
  searchBox,
  selection,
  selectionBar,
  sharing,
  shortcuts,
  slideshow,
  stage,
  star,
  states,
  tags,
  tagsPage,
  trash,
  trouble,
  undo,
  upload,
  viewBar,
  viewer,
};
