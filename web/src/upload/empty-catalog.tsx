import { useChanges } from '../contexts/changes.ts';
import { Icon } from '../icons/icon.tsx';
import { texts } from '../texts.ts';
import { canPickFolders, pickFolder, pickPictures } from './pick-files.ts';
import './empty-catalog.css';

const words = texts.upload;

/** In the place of the pictures while the catalog has none. */
export function EmptyCatalog(): React.JSX.Element {
  const { uploads } = useChanges();
  return (
    <section className="empty-catalog">
      <Icon name="image" />
      <h2>{words.emptyTitle}</h2>
      <p>{words.emptyInvitation}</p>
      <div className="empty-catalog-ways">
        <button
          type="button"
          className="button"
          data-kind="primary"
          onClick={() => pickPictures((files) => uploads.add(files))}
        >
          {words.emptyChoose}
        </button>
        {canPickFolders() && (
          <button
            type="button"
            className="button"
            onClick={() => pickFolder((files) => uploads.add(files, { fromFolder: true }))}
          >
            {words.emptyFolder}
          </button>
        )}
      </div>
    </section>
  );
}
