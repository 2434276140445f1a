import { Icon } from '../controls/icon.tsx';
import { closePopover } from '../controls/popover.tsx';
import { ViewLink } from '../view-state/view-link.tsx';
import { NO_FILTERS } from '../view-state/view-state.ts';
import { publishingTexts } from './publishing-texts.ts';

/** In the menu of the account. */
export function PublishedLink(): React.JSX.Element {
  return (
    <ViewLink
      className="popover-item"
      view={{ ...NO_FILTERS, page: 'published' }}
      onClick={({ currentTarget }) => closePopover(currentTarget)}
    >
      <Icon name="globe" />
      {publishingTexts().title}
    </ViewLink>
  );
}
