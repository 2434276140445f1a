import { Button } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { useConfig } from '../session/use-config.ts';
import { useRights } from '../session/use-rights.ts';
import { canPickFolders, pickFolder, pickPictures } from './pick-files.ts';
import { uploadTexts } from './upload-texts.ts';
import { useUploads } from './use-uploads.ts';
import './empty-catalog.css';

/** In the place of the pictures while the catalog has none. */
export function EmptyCatalog(): React.JSX.Element {
  const rights = useRights();
  return (
    <section className="empty-catalog">
      <Icon name="image" />
      <h2>{uploadTexts().emptyTitle}</h2>
      {rights.write && <Invitation />}
    </section>
  );
}

function Invitation(): React.JSX.Element {
  const uploads = useUploads();
  const config = useConfig();
  return (
    <>
      <p>{uploadTexts().emptyInvitation}</p>
      <div className="empty-catalog-ways">
        <Button
          data-kind="primary"
          onClick={() => pickPictures(config.inputFormats, (files) => uploads.add(files))}
        >
          {uploadTexts().emptyChoose}
        </Button>
        {canPickFolders() && (
          <Button onClick={() => pickFolder((files) => uploads.add(files, { fromFolder: true }))}>
            {uploadTexts().emptyFolder}
          </Button>
        )}
      </div>
    </>
  );
}
