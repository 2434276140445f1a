import { Button } from '../controls/button.tsx';
import { StateView } from '../states/state-view.tsx';
import { SubPage } from '../states/sub-page.tsx';
import { Waiting } from '../states/waiting.tsx';
import { withQueries } from '../states/with-queries.tsx';
import { copiesPageTexts } from './copies-page-texts.ts';
import { CopyGroup } from './copy-group.tsx';
import { useCopies } from './use-copies.ts';

/** Pictures that are there more than once, in groups. */
function Page(): React.JSX.Element {
  return (
    <SubPage className="copies-page" title={copiesPageTexts().title} bar={null}>
      <Groups />
    </SubPage>
  );
}

function Groups(): React.JSX.Element {
  const { groups, error, retry, showMore } = useCopies();
  if (groups === undefined) return <Waiting error={error} retry={retry} />;
  return (
    <>
      {groups.length === 0 && showMore === undefined && (
        <StateView icon="compare" title={copiesPageTexts().none} hint={copiesPageTexts().noneHint} />
      )}
      {groups.length > 0 && <p className="copies-hint">{copiesPageTexts().hint}</p>}
      <ul className="copies-groups">
        {groups.map((images) => (
          <CopyGroup key={images[0]?.id} images={images} />
        ))}
      </ul>
      {showMore !== undefined && (
        <Button className="button copies-more" onClick={showMore}>
          {copiesPageTexts().more}
        </Button>
      )}
    </>
  );
}

export const CopiesPage = withQueries(Page);
